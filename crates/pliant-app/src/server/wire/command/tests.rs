//! The parser of messages: every sentence of the protocol, what it refuses, and that nothing can make it panic.

use proptest::prelude::*;

use super::*;

const HASH: &str = "0123456789abcdef";

fn command(sequence: u32, order: Order) -> Message {
    Message::Command(Command { sequence, order })
}

/// Every kind of message as docs/src/viewer-protocol.md writes it, with what it means.
fn good() -> Vec<(String, Message)> {
    let hold = Hold {
        topology: 0x0123_4567_89ab_cdef,
        triangle: 123,
        weights: [0.25, 0.25, 0.5],
        target: [0.1, -2.0, 3e2],
    };
    let grab = format!(
        r#"{{"type":"grab","sequence":8,"topology":"{HASH}","triangle":123,"weights":[0.25,0.25,0.5],"target":[0.1,-2,3e2]}}"#
    );
    let table = [
        (r#"{"type": "ack", "frame": 17}"#, Message::Ack { frame: 17 }),
        (r#"{"type": "ack", "frame": 4294967295}"#, Message::Ack { frame: u32::MAX }),
        (r#"{"type": "field", "field": "none"}"#, Message::Field(Field::None)),
        (r#"{"type": "field", "field": "displacement"}"#, Message::Field(Field::Displacement)),
        (r#"{"type": "field", "field": "von-mises"}"#, Message::Field(Field::VonMises)),
        (r#"{"field": "energy-density", "type": "field"}"#, Message::Field(Field::EnergyDensity)),
        (r#"{"type": "contacts", "shown": true}"#, Message::Contacts { shown: true }),
        (r#"{"type": "take"}"#, Message::Take),
        (
            r#"{"type": "open", "sequence": 1, "scene": "hello_bar"}"#,
            command(1, Order::Open { scene: "hello_bar".into() }),
        ),
        (r#"{"type": "play", "sequence": 2}"#, command(2, Order::Play)),
        (r#"{"type": "pause", "sequence": 3}"#, command(3, Order::Pause)),
        (r#"{"type": "step", "sequence": 4}"#, command(4, Order::Step)),
        (r#"{"type": "reset", "sequence": 5}"#, command(5, Order::Reset)),
        (r#"{"type": "speed", "sequence": 6, "factor": 0.0625}"#, command(6, Order::Speed(0.0625))),
        (r#"{"type": "speed", "sequence": 7, "factor": 4}"#, command(7, Order::Speed(4.0))),
        (grab.as_str(), command(8, Order::Grab(hold))),
        (r#"{"type": "move", "sequence": 9, "target": [1, 2, 3]}"#, command(9, Order::Move([1.0, 2.0, 3.0]))),
        (
            r#"{"type": "move", "sequence": 9, "target": [1e6, -1e6, 0]}"#,
            command(9, Order::Move([1e6, -1e6, 0.0])),
        ),
        (r#"{"type": "release", "sequence": 10}"#, command(10, Order::Release)),
        (
            r#"{"type": "tool", "sequence": 11, "topology": "0123456789abcdef", "place": [1, 2, 3], "towards": [0, -2, 0], "radius": 0.1}"#,
            command(
                11,
                Order::Tool(Placing {
                    topology: 0x0123_4567_89ab_cdef,
                    place: [1.0, 2.0, 3.0],
                    towards: [0.0, -1.0, 0.0],
                    radius: 0.1,
                }),
            ),
        ),
        (
            r#"{"type": "lead", "sequence": 12, "target": [1, 2, 3], "radius": 0.2}"#,
            command(12, Order::Lead { target: [1.0, 2.0, 3.0], radius: 0.2 }),
        ),
        (r#"{"type": "put-away", "sequence": 13}"#, command(13, Order::PutAway)),
    ];
    table.into_iter().map(|(text, message)| (text.to_owned(), message)).collect()
}

#[test]
fn every_sentence_of_the_protocol_is_understood() {
    for (text, expected) in good() {
        assert_eq!(parse(&text).unwrap(), expected, "{text}");
    }
}

#[test]
fn whatever_else_is_refused() {
    let long = format!(r#"{{"type":"open","sequence":1,"scene":"{}"}}"#, "x".repeat(257));
    let deep = format!(r#"{{"type":"move","sequence":1,"target":{}"#, "[".repeat(60_000));
    let grab = |hash: &str, weights: &str, target: &str| {
        format!(
            r#"{{"type":"grab","sequence":1,"topology":"{hash}","triangle":1,"weights":{weights},"target":{target}}}"#
        )
    };
    assert!(parse(&grab(HASH, "[1,0,0]", "[0,0,0]")).is_ok(), "the pattern of the bad ones must be good");
    let grabs = [
        grab("0123456789abcde", "[1,0,0]", "[0,0,0]"),
        grab("0123456789abcdef0", "[1,0,0]", "[0,0,0]"),
        grab("+123456789abcdef", "[1,0,0]", "[0,0,0]"),
        grab("0123456789abcdeg", "[1,0,0]", "[0,0,0]"),
        grab(HASH, "[1,1,0]", "[0,0,0]"),
        grab(HASH, "[0,0,0]", "[0,0,0]"),
        grab(HASH, "[2,-1,0]", "[0,0,0]"),
        grab(HASH, "[1,0]", "[0,0,0]"),
        grab(HASH, "[1,0,0]", "[0,0,1e7]"),
        grab(HASH, "[1,0,0]", "[0,0,1e999]"),
        grab(HASH, "[1,0,0]", "[0,0,null]"),
        grab(HASH, "[1,0,0]", "[0,0,0,0]"),
    ];
    let table = [
        "",
        " ",
        "null",
        "17",
        "[]",
        "{}",
        "play",
        r#"{"type": "play"}"#,
        r#"{"type": "play", "sequence": -1}"#,
        r#"{"type": "play", "sequence": 1.5}"#,
        r#"{"type": "play", "sequence": 4294967296}"#,
        r#"{"type": "play", "sequence": 1, "extra": 2}"#,
        r#"{"type": "play", "sequence": 1} {"type": "play", "sequence": 2}"#,
        r#"{"type": "Play", "sequence": 1}"#,
        r#"{"type": "shutdown", "sequence": 1}"#,
        r#"{"sequence": 1}"#,
        r#"{"type": "ack"}"#,
        r#"{"type": "ack", "frame": "17"}"#,
        r#"{"type": "ack", "frame": 1, "frame": 2}"#,
        r#"{"type": "field", "field": "pressure"}"#,
        r#"{"type": "contacts"}"#,
        r#"{"type": "contacts", "shown": 1}"#,
        r#"{"type": "take", "sequence": 1}"#,
        r#"{"type": "speed", "sequence": 1, "factor": 0.06}"#,
        r#"{"type": "speed", "sequence": 1, "factor": 4.001}"#,
        r#"{"type": "speed", "sequence": 1, "factor": -1}"#,
        r#"{"type": "speed", "sequence": 1, "factor": 1e999}"#,
        r#"{"type": "speed", "sequence": 1, "factor": NaN}"#,
        r#"{"type": "speed", "sequence": 1, "factor": "1"}"#,
        r#"{"type": "move", "sequence": 1, "target": [1000001, 0, 0]}"#,
        r#"{"type": "open", "sequence": 1, "scene": 3}"#,
        r#"{"type": "tool", "sequence": 1, "topology": "0123456789abcdef", "place": [0, 0, 0], "towards": [0, 0, 0], "radius": 0.1}"#,
        r#"{"type": "tool", "sequence": 1, "topology": "0123456789abcdef", "place": [0, 0, 0], "towards": [0, 0, 1e300], "radius": 0.1}"#,
        r#"{"type": "tool", "sequence": 1, "topology": "0123456789abcdef", "place": [0, 0, 0], "towards": [0, 0, 1], "radius": 0}"#,
        r#"{"type": "tool", "sequence": 1, "topology": "0123", "place": [0, 0, 0], "towards": [0, 0, 1], "radius": 0.1}"#,
        r#"{"type": "tool", "sequence": 1, "topology": "0123456789abcdef", "place": [0, 0, 1e7], "towards": [0, 0, 1], "radius": 0.1}"#,
        r#"{"type": "tool", "sequence": 1, "place": [0, 0, 0], "radius": 0.1}"#,
        r#"{"type": "lead", "sequence": 1, "target": [0, 0, 0], "radius": -0.1}"#,
        r#"{"type": "lead", "sequence": 1, "target": [0, 1e999, 0], "radius": 0.1}"#,
        r#"{"type": "put-away"}"#,
        &long,
        &deep,
    ];
    for text in table.into_iter().chain(grabs.iter().map(String::as_str)) {
        assert!(parse(text).is_err(), "{}", &text[..text.len().min(200)]);
    }
}

#[test]
fn weights_that_a_page_rounded_are_put_right() {
    let text = format!(
        r#"{{"type":"grab","sequence":1,"topology":"{HASH}","triangle":1,"weights":[0.5005,0.5005,-0.0005],"target":[0,0,0]}}"#
    );
    let Message::Command(Command { order: Order::Grab(hold), .. }) = parse(&text).unwrap() else { panic!() };
    assert_eq!(hold.weights, [0.5, 0.5, 0.0]);
}

/// Every number of an accepted message is finite and in its range.
fn assert_sound(message: &Message) {
    let Message::Command(command) = message else { return };
    match &command.order {
        Order::Speed(factor) => assert!((SPEEDS.0..=SPEEDS.1).contains(factor)),
        Order::Move(target) => assert!(target.iter().all(|x| x.abs() <= FARTHEST)),
        Order::Grab(hold) => {
            assert!(hold.target.iter().all(|x| x.abs() <= FARTHEST));
            assert!(hold.weights.iter().all(|w| (0.0..=1.0).contains(w)));
            assert!((hold.weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
        Order::Tool(Placing { place, towards, radius, .. }) => {
            assert!(place.iter().all(|x| x.abs() <= FARTHEST) && (SMALLEST..=FARTHEST).contains(radius));
            assert!((norm(*towards) - 1.0).abs() < 1e-12);
        }
        Order::Lead { target, radius } => {
            assert!(target.iter().all(|x| x.abs() <= FARTHEST) && (SMALLEST..=FARTHEST).contains(radius));
        }
        Order::Open { scene } => assert!(scene.len() <= LONGEST_NAME),
        Order::Play | Order::Pause | Order::Step | Order::Reset | Order::Release | Order::PutAway => {}
    }
}

/// A piece that a careless or hostile page might put into a message.
fn splinter() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<char>().prop_map(String::from),
        any::<f64>().prop_map(|x| x.to_string()),
        any::<i64>().prop_map(|x| x.to_string()),
        prop::sample::select(vec![
            "", "{", "}", "[", "]", "\"", "\\u0000", "\\ud800", ",", ":", "-", "1e309", "1e-400", "null",
            "true",
        ])
        .prop_map(String::from),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2000,
        rng_seed: proptest::test_runner::RngSeed::Fixed(5),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn arbitrary_text_never_panics(text in any::<String>()) {
        if let Ok(message) = parse(&text) {
            assert_sound(&message);
        }
    }

    #[test]
    fn damaged_messages_never_panic_nor_let_bad_numbers_through(
        which in 0_usize..22,
        wounds in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..6, splinter()), 1..4),
    ) {
        let mut text: Vec<char> = good()[which].0.chars().collect();
        for (place, length, piece) in wounds {
            let from = place.index(text.len() + 1);
            let to = (from + length).min(text.len());
            text.splice(from..to, piece.chars());
        }
        if let Ok(message) = parse(&text.into_iter().collect::<String>()) {
            assert_sound(&message);
        }
    }

    #[test]
    fn any_numbers_in_a_grab_are_checked(
        weights in prop::array::uniform3(-0.1..1.2_f64),
        target in prop::array::uniform3(any::<f64>()),
    ) {
        let text = serde_json::json!({
            "type": "grab", "sequence": 1, "topology": HASH, "triangle": 1, "weights": weights, "target": target,
        });
        if let Ok(message) = parse(&text.to_string()) {
            assert_sound(&message);
        }
    }
}
