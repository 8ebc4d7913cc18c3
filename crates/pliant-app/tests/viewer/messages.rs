//! Rows 7 and 8 of the table: what a page says is checked before it counts, and nothing brings the server down.

use std::io::Write;

use proptest::test_runner::{Config, RngSeed, TestRunner};
use tungstenite::Message;

use super::page::Page;
use super::program::Viewer;

/// How the stream ends after a text.
fn end_after(viewer: &Viewer, text: &str) -> Option<u16> {
    let mut page = Page::running(viewer);
    page.socket.send(Message::text(text)).unwrap();
    page.end()
}

#[test]
fn row_7_a_message_that_cannot_be_read_ends_the_stream_with_1002() {
    let viewer = Viewer::start();
    for text in ["", "{", "[]", r#"{"type": "exit"}"#, r#"{"type": "play"}"#, &"[".repeat(60_000)] {
        assert_eq!(end_after(&viewer, text), Some(1002), "{}", &text[..text.len().min(40)]);
    }
    assert_eq!(viewer.get("/").status, 200);
}

#[test]
fn row_7_so_does_a_number_out_of_its_range() {
    let viewer = Viewer::start();
    for text in [
        r#"{"type": "speed", "sequence": 1, "factor": 1e999}"#,
        r#"{"type": "speed", "sequence": 1, "factor": 5}"#,
        r#"{"type": "speed", "sequence": 1, "factor": 0}"#,
        r#"{"type": "move", "sequence": 1, "target": [1e300, 0, 0]}"#,
        r#"{"type": "move", "sequence": 1, "target": [NaN, 0, 0]}"#,
        r#"{"type": "ack", "frame": -1}"#,
    ] {
        assert_eq!(end_after(&viewer, text), Some(1002), "{text}");
    }
}

#[test]
fn row_7_binary_messages_end_the_stream_with_1003() {
    let viewer = Viewer::start();
    let mut page = Page::running(&viewer);
    page.socket.send(Message::binary(vec![0_u8; 64])).unwrap();
    assert_eq!(page.end(), Some(1003));
}

#[test]
fn row_7_text_that_is_no_text_and_frames_that_break_the_rules_end_it_with_1002() {
    let viewer = Viewer::start();
    let frames: [&[u8]; 5] = [
        // text of two bytes that are not UTF-8, masked with zeros
        &[0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe],
        // not masked
        &[0x81, 0x02, b'{', b'}'],
        // a reserved bit
        &[0xc1, 0x82, 0, 0, 0, 0, b'{', b'}'],
        // a reserved kind
        &[0x83, 0x82, 0, 0, 0, 0, b'{', b'}'],
        // the continuation of nothing
        &[0x80, 0x82, 0, 0, 0, 0, b'{', b'}'],
    ];
    for frame in frames {
        let mut page = Page::running(&viewer);
        page.socket.get_mut().write_all(frame).unwrap();
        assert_eq!(page.end(), Some(1002), "{frame:x?}");
    }
}

#[test]
fn row_7_commands_about_what_is_not_there_do_no_harm() {
    let viewer = Viewer::start();
    let mut page = Page::running(&viewer);
    page.command(serde_json::json!({"type": "open", "scene": "../../etc/passwd"}));
    page.command(serde_json::json!({"type": "move", "target": [0.0, 0.0, 0.0]}));
    page.command(serde_json::json!({
        "type": "grab", "topology": "ffffffffffffffff", "triangle": u32::MAX, "weights": [1, 0, 0], "target": [0, 0, 0],
    }));
    let hash = page.status["scene"]["topology"].clone();
    let last = page.command(serde_json::json!({
        "type": "grab", "topology": hash, "triangle": u32::MAX, "weights": [1, 0, 0], "target": [0, 0, 0],
    }));
    page.until(|page| page.frame.as_ref().is_some_and(|frame| frame.sequence() == last));
    assert!(!page.frame.as_ref().unwrap().is_held());
}

#[test]
fn row_8_garbage_instead_of_requests_never_brings_it_down() {
    let viewer = Viewer::start();
    let config =
        Config { cases: 200, rng_seed: RngSeed::Fixed(8), failure_persistence: None, ..Config::default() };
    let piece = proptest::collection::vec(proptest::num::u8::ANY, 0..40);
    let good = format!("GET / HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\n\r\n", viewer.host(), viewer.cookie());
    let strategy = (0..good.len(), 0_usize..20, piece);
    TestRunner::new(config)
        .run(&strategy, |(place, cut, piece)| {
            let mut request = good.clone().into_bytes();
            request.splice(place..(place + cut).min(good.len()), piece);
            let mut stream = viewer.connect();
            let _ = stream.write_all(&request);
            // whatever it was, this was all of it
            let _ = stream.shutdown(std::net::Shutdown::Write);
            if let Some(answer) = super::program::Answer::read(&mut stream) {
                proptest::prop_assert!((200..500).contains(&answer.status), "{answer:?}");
            }
            Ok(())
        })
        .unwrap();
    assert_eq!(viewer.get("/").status, 200);
}

#[test]
fn row_8_garbage_on_the_stream_never_brings_it_down() {
    let viewer = Viewer::start();
    let config =
        Config { cases: 60, rng_seed: RngSeed::Fixed(8), failure_persistence: None, ..Config::default() };
    TestRunner::new(config)
        .run(&proptest::collection::vec(proptest::num::u8::ANY, 1..200), |garbage| {
            let mut page = Page::open(&viewer);
            let _ = page.socket.get_mut().write_all(&garbage);
            let _ = page.socket.get_mut().shutdown(std::net::Shutdown::Write);
            let end = page.end();
            proptest::prop_assert!(matches!(end, None | Some(1000..=1015 | 3000..=4999)), "{end:?}");
            Ok(())
        })
        .unwrap();
    Page::running(&viewer).sync();
}
