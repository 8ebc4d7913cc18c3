//! The port: 127.0.0.1 and, where the machine has it, `[::1]`, and nothing else.

use std::io::{Error, ErrorKind};
use std::net::{Ipv4Addr, Ipv6Addr, TcpListener};

use crate::report::Failure;

/// The port to try first.
const FIRST_PORT: u16 = 8737;

/// How many ports after it are tried.
const MORE_PORTS: u16 = 20;

/// What the system may be asked for until it names a port that is free on both addresses.
const TRIES: usize = 16;

/// Listeners on loopback.
#[derive(Debug)]
pub struct Address {
    /// The port of all of them.
    pub port: u16,
    /// One for each address.
    pub listeners: Vec<TcpListener>,
}

impl Address {
    /// Opens the wanted port, 0 being any, or without a wish the first that is free.
    pub fn bind(wanted: Option<u16>) -> Result<Self, Failure> {
        match wanted {
            None => first_free(),
            Some(0) => any(),
            Some(port) => both(port).map_err(|error| refused(port, &error)),
        }
    }
}

fn first_free() -> Result<Address, Failure> {
    for port in FIRST_PORT..=FIRST_PORT + MORE_PORTS {
        match both(port) {
            Ok(address) => return Ok(address),
            Err(error) if error.kind() == ErrorKind::AddrInUse => {}
            Err(error) => return Err(refused(port, &error)),
        }
    }
    let last = FIRST_PORT + MORE_PORTS;
    Err(Failure::Input(format!(
        "the ports {FIRST_PORT} to {last} are all in use: end another viewer, or let the system choose with --port 0"
    )))
}

fn any() -> Result<Address, Failure> {
    let mut result = both(0);
    for _ in 1..TRIES {
        if !result.as_ref().is_err_and(|e| e.kind() == ErrorKind::AddrInUse) {
            break;
        }
        result = both(0);
    }
    result.map_err(|error| Failure::Ran(format!("no port of 127.0.0.1 can be opened: {error}")))
}

/// Opens the port on both addresses; a machine without IPv6 has one.
fn both(port: u16) -> Result<Address, Error> {
    let old = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    let port = old.local_addr()?.port();
    let mut listeners = vec![old];
    match TcpListener::bind((Ipv6Addr::LOCALHOST, port)) {
        Ok(new) => listeners.push(new),
        // somebody else is `localhost` there: a page could reach the wrong one
        Err(error) if error.kind() == ErrorKind::AddrInUse => return Err(error),
        Err(_) => {}
    }
    listeners.iter().try_for_each(|listener| listener.set_nonblocking(true))?;
    Ok(Address { port, listeners })
}

fn refused(port: u16, error: &Error) -> Failure {
    Failure::Input(match error.kind() {
        ErrorKind::AddrInUse => format!(
            "port {port} is in use: choose another with --port N, let the system choose with --port 0, or leave --port out for the next free one"
        ),
        ErrorKind::PermissionDenied => {
            format!("port {port} may not be opened: choose one from 1024 on, or leave --port out")
        }
        _ => format!("port {port} cannot be opened ({error}): choose another with --port N"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listens_on_loopback_and_nowhere_else() {
        let address = Address::bind(Some(0)).unwrap();
        for listener in &address.listeners {
            let at = listener.local_addr().unwrap();
            assert!(at.ip().is_loopback(), "{at}");
            assert_eq!(at.port(), address.port);
        }
    }

    #[test]
    fn a_busy_port_that_was_asked_for_is_an_error_with_a_way_out() {
        let taken = Address::bind(Some(0)).unwrap();
        let Err(Failure::Input(message)) = Address::bind(Some(taken.port)) else { panic!("bound twice") };
        assert!(message.contains("--port 0"), "{message}");
    }

    #[test]
    fn without_a_wish_a_busy_port_is_passed_over() {
        // whoever has the first port, a second viewer finds another
        let one = Address::bind(None).unwrap();
        let two = Address::bind(None).unwrap();
        assert!(one.port < two.port && two.port <= FIRST_PORT + MORE_PORTS);
    }
}
