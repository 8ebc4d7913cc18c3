//! Row 5 of the table: nobody can take more than a share.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::page::Page;
use super::program::{Answer, Viewer, head};

#[test]
fn row_5_a_message_over_64_kib_ends_the_stream_with_1009() {
    let viewer = Viewer::start();
    let mut page = Page::running(&viewer);
    page.socket.send(tungstenite::Message::text(" ".repeat(64 * 1024 + 1))).unwrap();
    assert_eq!(page.end(), Some(1009));
    assert_eq!(viewer.get("/").status, 200);
}

#[test]
fn row_5_so_does_one_that_claims_to_be_larger_than_any_memory() {
    let viewer = Viewer::start();
    let mut page = Page::running(&viewer);
    // a masked text frame of 2^62 bytes, of which none ever come
    let claim = [&[0x81, 0xff][..], &(1_u64 << 62).to_be_bytes(), &[1, 2, 3, 4]].concat();
    page.socket.get_mut().write_all(&claim).unwrap();
    assert_eq!(page.end(), Some(1009));
    assert_eq!(viewer.get("/").status, 200);
}

#[test]
fn row_5_so_do_fragments_that_add_up_to_more() {
    let viewer = Viewer::start();
    let mut page = Page::running(&viewer);
    // text, then continuations, of 32 KiB each and never the last
    for first in [0x01_u8, 0x00, 0x00] {
        let fragment = [&[first, 0xfe][..], &32768_u16.to_be_bytes(), &[0; 4], &[b' '; 32768]].concat();
        page.socket.get_mut().write_all(&fragment).unwrap();
    }
    assert_eq!(page.end(), Some(1009));
}

#[test]
fn row_5_a_message_of_64_kib_is_read() {
    let viewer = Viewer::start();
    let mut page = Page::running(&viewer);
    let take = r#"{"type": "take"}"#;
    let message = take.to_owned() + &" ".repeat(64 * 1024 - take.len());
    assert_eq!(message.len(), 64 * 1024);
    page.socket.send(tungstenite::Message::text(message)).unwrap();
    page.sync();
}

#[test]
fn row_5_too_many_messages_end_the_stream_with_1008() {
    let viewer = Viewer::start();
    let mut page = Page::running(&viewer);
    // two seconds' worth is 960; the server may end it before all are sent
    for _ in 0..2000 {
        let _ = page.socket.write(tungstenite::Message::text(r#"{"type":"ack","frame":0}"#));
    }
    let _ = page.socket.flush();
    assert_eq!(page.end(), Some(1008));
    assert_eq!(viewer.get("/").status, 200);
}

#[test]
fn row_5_more_than_16_pages_are_turned_away_with_1008() {
    let viewer = Viewer::start();
    let mut pages: Vec<Page> = (0..16).map(|_| Page::running(&viewer)).collect();
    assert_eq!(pages[15].role["clients"], 16);
    assert_eq!(Page::open(&viewer).end(), Some(1008));
    // a place that is given up can be taken
    pages.pop();
    pages[0].until(|page| page.role["clients"] == 15);
    let again = (0..200).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        let mut page = Page::open(&viewer);
        page.next() == super::page::Event::Said
    });
    assert!(again);
}

/// Reads until the server closes; what came. A server that does not is an error of the test.
fn rest(mut stream: TcpStream) -> String {
    let mut text = Vec::new();
    match stream.read_to_end(&mut text) {
        Ok(_) => {}
        // a reset is an end too
        Err(e) if matches!(e.kind(), ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted) => {}
        Err(e) => panic!("the server does not close: {e}"),
    }
    String::from_utf8_lossy(&text).into_owned()
}

#[test]
fn row_5_a_head_that_never_ends_is_cut_off() {
    let viewer = Viewer::start();
    let mut slow = viewer.connect();
    // and does not live longer for a byte now and then
    let mut drip = slow.try_clone().unwrap();
    slow.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
    std::thread::spawn(move || {
        while drip.write_all(b"x").is_ok() {
            std::thread::sleep(Duration::from_millis(200));
        }
    });
    assert!(!rest(slow).contains("200 OK"));
}

#[test]
fn row_5_silent_and_idle_connections_are_cut_off() {
    let viewer = Viewer::start();
    let silent = viewer.connect();
    let mut idle = viewer.connect();
    let own = [("Host", &*viewer.host()), ("Cookie", &*viewer.cookie())];
    idle.write_all(head("GET", "/api/scenes", &own).as_bytes()).unwrap();
    assert_eq!(Answer::read(&mut idle).unwrap().status, 200);
    assert_eq!((rest(silent), rest(idle)), (String::new(), String::new()));
}

#[test]
fn row_5_a_head_that_is_too_large_or_has_too_many_headers_is_refused() {
    let viewer = Viewer::start();
    let large = "x".repeat(64 * 1024);
    let many: Vec<(String, &str)> = (0..100).map(|i| (format!("X-{i}"), "1")).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    for request in [
        head("GET", &format!("/{large}"), &[("Host", &viewer.host())]),
        head("GET", "/", &[("Host", &viewer.host()), ("X", &large)]),
        head("GET", "/", &many),
    ] {
        let answer = viewer.send(request.as_bytes());
        let status = answer.map(|answer| answer.status);
        assert!(matches!(status, None | Some(400 | 414 | 431)), "{status:?}");
    }
    assert_eq!(viewer.get("/").status, 200);
}

#[test]
fn row_5_idle_connections_do_not_lock_the_owner_out() {
    let viewer = Viewer::start();
    let mut page = Page::running(&viewer);
    // more than there are places, none of which says a word
    let idle: Vec<TcpStream> = (0..70).map(|_| viewer.connect()).collect();
    for _ in 0..5 {
        assert_eq!(viewer.get("/").status, 200);
    }
    let _second = Page::running(&viewer);
    // nor do those who talk and have no token
    let mut talking: Vec<TcpStream> = (0..70).map(|_| viewer.connect()).collect();
    for stream in &mut talking {
        let _ = stream.write_all(head("GET", "/", &[("Host", &viewer.host())]).as_bytes());
    }
    assert_eq!(viewer.get("/").status, 200);
    page.sync();
    drop(idle);
}

#[test]
fn row_5_no_more_than_64_connections_of_those_who_hold_the_token_are_served() {
    let viewer = Viewer::start();
    let own = [("Host", &*viewer.host()), ("Cookie", &*viewer.cookie())];
    let request = head("GET", "/api/scenes", &own);
    // streams stay; other connections would be cut off when they are idle
    let upgrade = [
        own[0],
        own[1],
        ("Connection", "Upgrade"),
        ("Upgrade", "websocket"),
        ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ];
    let begin = Instant::now();
    let mut held = Vec::new();
    for number in 0..64 {
        let mut stream = viewer.connect();
        let head = if number < 16 { head("GET", "/socket", &upgrade) } else { request.clone() };
        stream.write_all(head.as_bytes()).unwrap();
        let status = Answer::read(&mut stream).unwrap().status;
        assert_eq!(status, if number < 16 { 101 } else { 200 });
        held.push(stream);
    }
    let beyond = viewer.send(request.as_bytes()).expect("one too many is told so");
    // on a machine so busy that the first have been cut off meanwhile there is nothing to see
    if begin.elapsed() < Duration::from_secs(5) {
        assert_eq!(beyond.status, 503);
        assert!(beyond.header("content-security-policy").is_some(), "{beyond:?}");
        assert!(beyond.text().contains("close some of its tabs"), "{}", beyond.text());
    }
    drop(held);
    let served = (0..200).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        viewer.send(request.as_bytes()).is_some_and(|answer| answer.status == 200)
    });
    assert!(served, "places are not given back");
}
