//! One page controls, the others look on.

use serde_json::json;

use super::page::{Page, company};

fn is_controller(page: &Page) -> bool {
    page.role["role"] == "controller"
}

#[test]
fn the_first_page_controls_and_everybody_knows_how_many_there_are() {
    let (_viewer, [mut first, mut second]) = company();
    first.until(|page| page.role["clients"] == 2);
    second.until(|page| page.role["clients"] == 2);
    assert!(is_controller(&first));
    assert_eq!(second.role["role"], "spectator");
}

#[test]
fn commands_of_a_spectator_are_ignored() {
    let (_viewer, [mut controller, mut spectator]) = company();
    spectator.command(json!({"type": "pause"}));
    spectator.sync();
    controller.command(json!({"type": "speed", "factor": 0.5}));
    controller.until(|page| page.status["speed"] == 0.5);
    assert_eq!(controller.status["phase"], "running");
    controller.command(json!({"type": "pause"}));
    controller.until(|page| page.status["phase"] == "paused");
}

#[test]
fn who_takes_control_has_it() {
    let (_viewer, [mut first, mut second]) = company();
    second.say(&json!({"type": "take"}));
    second.until(is_controller);
    first.until(|page| !is_controller(page));
    first.command(json!({"type": "pause"}));
    first.sync();
    second.command(json!({"type": "speed", "factor": 0.25}));
    second.until(|page| page.status["speed"] == 0.25);
    assert_eq!(second.status["phase"], "running");
}

#[test]
fn when_the_controller_leaves_the_oldest_other_page_controls() {
    let (_viewer, [first, mut second, mut third]) = company();
    drop(first);
    second.until(is_controller);
    third.until(|page| page.role["clients"] == 2);
    assert!(!is_controller(&third));
    second.command(json!({"type": "pause"}));
    third.until(|page| page.status["phase"] == "paused");
}

#[test]
fn nothing_stays_in_the_hand_of_a_controller_who_leaves() {
    let (viewer, [mut first, mut second]) = company();
    first.grab(&viewer);
    let held = |page: &Page| page.frame.as_ref().unwrap().is_held();
    first.until(held);
    second.until(held);
    drop(first);
    second.until(|page| is_controller(page) && !held(page));
}

#[test]
fn nothing_stays_in_the_hand_of_a_controller_who_is_relieved() {
    let (viewer, [mut first, mut second]) = company();
    first.grab(&viewer);
    let held = |page: &Page| page.frame.as_ref().unwrap().is_held();
    first.until(held);
    second.say(&json!({"type": "take"}));
    second.until(|page| is_controller(page) && !held(page));
    first.until(|page| !held(page));
}
