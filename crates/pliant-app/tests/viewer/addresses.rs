//! Rows 1 and 2 of the table: where the server listens, and by which names it may be called.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

use super::program::{Viewer, head};

/// This machine's own addresses that others can reach, from the kernel's table of routes.
#[cfg(target_os = "linux")]
fn outward_addresses() -> Vec<IpAddr> {
    let table = std::fs::read_to_string("/proc/net/fib_trie").unwrap_or_default();
    let lines: Vec<&str> = table.lines().collect();
    let local = lines.windows(2).filter(|pair| pair[1].contains("/32 host LOCAL"));
    let mut found: Vec<IpAddr> =
        local.filter_map(|pair| pair[0].split_whitespace().last()?.parse().ok()).collect();
    found.retain(|address| !address.is_loopback());
    found.sort();
    found.dedup();
    found
}

#[cfg(target_os = "linux")]
#[test]
fn row_1_no_address_but_loopback_answers() {
    let viewer = Viewer::start();
    assert_eq!(viewer.get("/").status, 200);
    for address in outward_addresses() {
        let reached =
            TcpStream::connect_timeout(&SocketAddr::new(address, viewer.port), Duration::from_secs(5));
        assert!(reached.is_err(), "{address} answers");
    }
}

/// The kernel's own list, so that the fact is checked on a machine without a network too.
#[cfg(target_os = "linux")]
#[test]
fn row_1_the_kernel_lists_loopback_sockets_only() {
    let viewer = Viewer::start();
    let mut found = 0;
    for (table, loopback) in [("tcp", "0100007F"), ("tcp6", "00000000000000000000000001000000")] {
        let text = std::fs::read_to_string(format!("/proc/net/{table}")).unwrap_or_default();
        for line in text.lines().skip(1) {
            let fields: Vec<&str> = line.split_whitespace().collect();
            // 0A: a socket that listens
            if fields[3] == "0A" && fields[1].ends_with(&format!(":{:04X}", viewer.port)) {
                assert_eq!(fields[1].split(':').next(), Some(loopback), "{line}");
                found += 1;
            }
        }
    }
    assert!(found >= 1, "the list does not know our socket");
}

#[test]
fn row_1_both_loopback_addresses_answer() {
    let viewer = Viewer::start();
    let Ok(mut stream) = TcpStream::connect((Ipv6Addr::LOCALHOST, viewer.port)) else {
        // a machine without IPv6
        assert!(std::net::TcpListener::bind((Ipv6Addr::LOCALHOST, 0)).is_err());
        return;
    };
    let host = format!("[::1]:{}", viewer.port);
    let request = head("GET", "/", &[("Host", &host), ("Cookie", &viewer.cookie())]);
    std::io::Write::write_all(&mut stream, request.as_bytes()).unwrap();
    assert_eq!(super::program::Answer::read(&mut stream).unwrap().status, 200);
}

/// With the right cookie, so that the name alone is what is refused.
fn status_for_host(viewer: &Viewer, host: &str) -> u16 {
    viewer.ask("/", &[("Host", host), ("Cookie", &viewer.cookie())]).status
}

#[test]
fn row_2_our_own_names_are_answered() {
    let viewer = Viewer::start();
    for name in ["127.0.0.1", "localhost", "[::1]"] {
        assert_eq!(status_for_host(&viewer, &format!("{name}:{}", viewer.port)), 200, "{name}");
    }
}

#[test]
fn row_2_names_of_others_are_refused() {
    let viewer = Viewer::start();
    let port = viewer.port;
    for host in ["evil.example", &format!("evil.example:{port}"), &format!("127.0.0.1.evil.example:{port}")] {
        assert_eq!(status_for_host(&viewer, host), 403, "{host}");
    }
}

#[test]
fn row_2_a_name_without_our_port_is_refused() {
    let viewer = Viewer::start();
    for host in ["127.0.0.1", "localhost", "127.0.0.1:1", &format!("127.0.0.1:{}", viewer.port ^ 1)] {
        assert_eq!(status_for_host(&viewer, host), 403, "{host}");
    }
}

#[test]
fn row_2_no_name_and_two_names_are_refused() {
    let viewer = Viewer::start();
    let (host, cookie) = (viewer.host(), viewer.cookie());
    let none = viewer.ask("/", &[("Cookie", &cookie)]);
    assert_eq!(none.status, 403);
    let two = viewer.ask("/", &[("Host", &host), ("Host", "evil.example"), ("Cookie", &cookie)]);
    assert_eq!(two.status, 403);
    // the old protocol needs no Host, and gets no page
    let old = viewer.send(format!("GET / HTTP/1.0\r\nCookie: {cookie}\r\n\r\n").as_bytes()).unwrap();
    assert_eq!(old.status, 403);
}

#[test]
fn row_2_a_whole_address_as_the_target_cannot_bypass_the_name() {
    let viewer = Viewer::start();
    let (host, cookie) = (viewer.host(), viewer.cookie());
    let ask = |target: &str, host: &str| viewer.ask(target, &[("Host", host), ("Cookie", &cookie)]).status;
    assert_eq!(ask("http://evil.example/", &host), 403);
    assert_eq!(ask(&format!("http://{host}/"), "evil.example"), 403);
    assert_eq!(ask(&format!("http://{host}/"), &host), 200);
}

#[test]
fn row_2_every_path_checks_the_name() {
    let viewer = Viewer::start();
    let cookie = viewer.cookie();
    for path in ["/", "/assets/x.js", "/api/scenes", "/api/topology/0000000000000000", "/socket", "/nothing"]
    {
        let answer = viewer.ask(path, &[("Host", "evil.example"), ("Cookie", &cookie)]);
        assert_eq!(answer.status, 403, "{path}");
        assert!(answer.text().contains("open the one that the program printed"), "{}", answer.text());
    }
}

#[test]
fn row_2_streams_of_other_origins_are_refused() {
    let viewer = Viewer::start();
    let cookie = viewer.cookie();
    let upgrade = |origin: &str| viewer.upgrade(&[("Cookie", &cookie), ("Origin", origin)]);
    assert_eq!(upgrade(&format!("http://{}", viewer.host())), 101);
    let other_port = format!("http://127.0.0.1:{}", viewer.port ^ 1);
    let localhost = format!("http://localhost:{}", viewer.port);
    let secure = format!("https://{}", viewer.host());
    for origin in ["http://evil.example", "null", "file://", &other_port, &localhost, &secure] {
        assert_eq!(upgrade(origin), 403, "{origin}");
    }
}

#[test]
fn row_2_a_stream_without_an_origin_needs_the_token() {
    let viewer = Viewer::start();
    assert_eq!(viewer.upgrade(&[("Cookie", &viewer.cookie())]), 101);
    assert_eq!(viewer.upgrade(&[]), 403);
    let open = Viewer::with(&["--port", "0", "--no-token"], None);
    assert_eq!(open.upgrade(&[]), 403);
    assert_eq!(open.upgrade(&[("Origin", &format!("http://{}", open.host()))]), 101);
}

#[test]
fn row_2_other_sites_may_not_fetch_data() {
    let viewer = Viewer::start();
    let (host, cookie) = (viewer.host(), viewer.cookie());
    for (site, status) in [("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)] {
        let headers = [("Host", host.as_str()), ("Cookie", &cookie), ("Sec-Fetch-Site", site)];
        assert_eq!(viewer.ask("/api/scenes", &headers).status, status, "{site}");
        assert_eq!(viewer.upgrade(&headers[1..]) == 101, status == 200, "{site}");
    }
}

#[test]
fn row_1_the_printed_address_is_of_loopback() {
    let viewer = Viewer::start();
    assert!(viewer.first_line.starts_with(&format!("Pliant's viewer: http://{}:", Ipv4Addr::LOCALHOST)));
}
