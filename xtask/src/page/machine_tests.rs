//! What is done about missing programs, for every machine that matters.

use super::*;

const ALL: Found = Found { node: true, npm: true, browser: true, python: true, venv: true };

#[test]
fn a_machine_that_has_everything_is_left_alone() {
    for means in [Means::Root, Means::Sudo, Means::None] {
        for installing in [Installing::Allowed, Installing::Refrain] {
            assert_eq!(plan(&ALL, means, installing), Plan::Nothing);
        }
    }
}

#[test]
fn what_is_missing_is_installed_in_one_go_after_saying_so() {
    let bare = Found { node: false, npm: false, browser: false, python: false, venv: false };
    let Plan::Install { says, packages } = plan(&bare, Means::Root, Installing::Allowed) else {
        panic!("nothing installed");
    };
    assert_eq!(packages, ["nodejs", "npm", "chromium", "python3", "python3-venv"]);
    assert!(
        says.starts_with("this machine lacks Node, npm, Chromium, Python, Python's venv; installing: "),
        "{says}"
    );
    assert!(says.contains("apt-get install -y nodejs npm chromium python3 python3-venv"), "{says}");
    assert!(!says.contains("sudo") && says.contains("(--no-install refrains)"), "{says}");
}

#[test]
fn only_what_lacks_is_installed() {
    let cases = [
        (Found { browser: false, ..ALL }, vec!["chromium"]),
        (Found { node: false, npm: false, ..ALL }, vec!["nodejs", "npm"]),
        (Found { venv: false, ..ALL }, vec!["python3-venv"]),
    ];
    for (found, expected) in cases {
        let Plan::Install { says, packages } = plan(&found, Means::Sudo, Installing::Allowed) else {
            panic!("nothing installed for {found:?}");
        };
        assert_eq!(packages, expected);
        assert!(says.contains(&format!("sudo apt-get install -y {}", expected.join(" "))), "{says}");
    }
}

#[test]
fn without_the_right_or_the_wish_the_line_is_named_instead() {
    let found = Found { browser: false, venv: false, ..ALL };
    for (means, installing, why) in [
        (Means::None, Installing::Allowed, "that needs apt-get, and root or a sudo without a password"),
        (Means::Sudo, Installing::Refrain, "--no-install leaves that to you"),
        (Means::Root, Installing::Refrain, "--no-install leaves that to you"),
    ] {
        let Plan::Refuse(text) = plan(&found, means, installing) else { panic!("{means:?} {installing:?}") };
        assert!(text.starts_with("this machine lacks Chromium, Python's venv; install with:\n"), "{text}");
        assert!(text.contains("apt-get install -y chromium python3-venv\n") && text.contains(why), "{text}");
        assert!(text.contains("PLIANT_CHROMIUM"), "{text}");
        assert_eq!(text.contains("    sudo apt-get"), means != Means::Root, "{text}");
    }
}
