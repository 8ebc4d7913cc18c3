//! What a page sees of the simulation.

use std::io::Write as _;
use std::time::Duration;

use serde_json::json;
use tungstenite::Message;

use super::page::{Page, company};
use super::program::Viewer;

#[test]
fn a_page_is_told_who_it_is_and_how_things_stand_before_the_first_frame() {
    let viewer = Viewer::start();
    let mut page = Page::open(&viewer);
    let kinds: Vec<String> = (0..3)
        .map(|_| {
            let Message::Text(text) = page.socket.read().unwrap() else { panic!("not a text") };
            let value: serde_json::Value = serde_json::from_str(&text).unwrap();
            value["type"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(kinds, ["hello", "role", "status"]);
}

/// A page that has drawn nothing since its first frame, and another that is more than 20 frames further.
fn behind() -> (Viewer, Page, Page) {
    let (viewer, [mut other]) = company();
    let mut page = Page::open(&viewer);
    page.draws = false;
    page.until(|page| page.frame.is_some());
    let first = page.number();
    other.until(|other| other.number() > first + 20);
    (viewer, page, other)
}

#[test]
fn without_an_acknowledgement_no_second_frame_comes() {
    let (_viewer, mut page, _other) = behind();
    let first = page.number();
    assert!(!page.sync(), "a second frame came");
    // acknowledgements of others do not count
    page.ack(first + 1);
    page.ack(first.wrapping_sub(1));
    assert!(!page.sync(), "a wrong acknowledgement counted");
}

#[test]
fn after_a_late_acknowledgement_the_newest_frame_comes() {
    let (_viewer, mut page, other) = behind();
    let first = page.number();
    page.ack(first);
    let known = other.number();
    page.until(|page| page.number() != first);
    assert!(page.number() >= known, "{} came though {known} was there", page.number());
}

/// Reads until time stands still and the last frame of it is here.
fn pause(page: &mut Page) {
    page.command(json!({"type": "pause"}));
    page.until(|page| page.status["phase"] == "paused");
    while page.sync() {
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn other_colours_come_even_while_time_stands_still() {
    let (_viewer, [mut page]) = company();
    pause(&mut page);
    assert!(page.frame.as_ref().unwrap().block(b"FILD").is_none());
    for (field, kind) in [("displacement", 1), ("von-mises", 2), ("energy-density", 3)] {
        page.say(&json!({"type": "field", "field": field}));
        page.until(|page| page.frame.as_ref().unwrap().block(b"FILD").is_some_and(|block| block[0] == kind));
    }
    page.say(&json!({"type": "field", "field": "none"}));
    page.until(|page| page.frame.as_ref().unwrap().block(b"FILD").is_none());
}

#[test]
fn each_page_has_its_own_colours() {
    let (_viewer, [mut one, mut two]) = company();
    one.say(&json!({"type": "field", "field": "displacement"}));
    one.until(|page| page.frame.as_ref().unwrap().block(b"FILD").is_some());
    let before = two.number();
    two.until(|page| page.number() > before);
    assert!(two.frame.as_ref().unwrap().block(b"FILD").is_none());
}

#[test]
fn another_scene_comes_even_while_time_stands_still() {
    let (viewer, [mut page]) = company();
    let hash = page.status["scene"]["topology"].clone();
    pause(&mut page);
    page.command(json!({"type": "open", "scene": "tumbling_block"}));
    page.until(|page| page.status["scene"]["id"] == "tumbling_block" && page.status["phase"] != "loading");
    let other = page.status["scene"]["topology"].as_str().unwrap().to_owned();
    assert_ne!(hash, other);
    let hash = u64::from_str_radix(&other, 16).unwrap();
    page.until(|page| page.frame.as_ref().unwrap().topology() == hash);
    assert_eq!(viewer.get(&format!("/api/topology/{other}")).status, 200);
}

#[test]
fn a_page_that_vanishes_without_a_word_leaves_the_others_alone() {
    let (_viewer, [mut page, mut gone]) = company();
    page.until(|page| page.role["clients"] == 2);
    // half a message, then nothing
    gone.socket.get_mut().write_all(&[0x81]).unwrap();
    drop(gone);
    page.until(|page| page.role["clients"] == 1);
    let now = page.number();
    page.until(|page| page.number() > now + 5);
}
