//! How the viewer begins and ends.

use super::page::Page;
use super::program::{TOKEN, Viewer, command};

#[test]
fn the_first_line_is_the_address_and_the_second_says_how_to_end() {
    let mut viewer = Viewer::start();
    let token = Viewer::invitation(&viewer.first_line);
    assert_eq!(
        viewer.first_line,
        format!("Pliant's viewer: http://127.0.0.1:{}/?token={token}", viewer.port)
    );
    assert_eq!(viewer.next_line(), "Ctrl-C ends it.");
}

#[test]
fn row_8_port_0_is_any_free_port() {
    let (one, two) = (Viewer::start(), Viewer::start());
    assert_ne!(one.port, two.port);
    assert_eq!((one.get("/").status, two.get("/").status), (200, 200));
}

#[test]
fn row_8_without_a_wish_the_next_free_port_is_taken() {
    let one = Viewer::with(&[], Some(TOKEN));
    let two = Viewer::with(&[], Some(TOKEN));
    // 8737 and the twenty after it; whoever else has some of them
    assert!((8737..=8757).contains(&one.port) && (8737..=8757).contains(&two.port));
    assert!(one.port < two.port);
}

#[test]
fn row_8_a_busy_port_is_an_error_with_a_way_out() {
    let viewer = Viewer::start();
    let output = command(&["--port", &viewer.port.to_string()], Some(TOKEN)).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        errors.contains(&format!("port {} is in use", viewer.port)) && errors.contains("--port 0"),
        "{errors}"
    );
}

#[cfg(unix)]
#[test]
fn row_8_ctrl_c_tells_the_pages_and_ends_well() {
    let mut viewer = Viewer::start();
    let mut pages = [Page::running(&viewer), Page::running(&viewer)];
    viewer.interrupt();
    for page in &mut pages {
        assert_eq!(page.end(), Some(1001));
    }
    assert_eq!(viewer.wait().code(), Some(0));
}

#[cfg(unix)]
#[test]
fn row_8_ctrl_c_ends_it_beside_connections_that_do_not_answer() {
    let mut viewer = Viewer::start();
    let _silent: Vec<_> = (0..5).map(|_| viewer.connect()).collect();
    let _deaf = Page::running(&viewer);
    viewer.interrupt();
    assert_eq!(viewer.wait().code(), Some(0));
}

#[cfg(unix)]
#[test]
fn a_page_comes_back_after_a_restart_with_the_same_token() {
    let mut viewer = Viewer::start();
    let mut page = Page::running(&viewer);
    let port = viewer.port.to_string();
    viewer.interrupt();
    assert_eq!(page.end(), Some(1001));
    viewer.wait();
    let again = Viewer::with(&["--port", &port], Some(TOKEN));
    // the same cookie
    let mut page = Page::running(&again);
    page.sync();
    assert!(page.role["role"] == "controller");
}

/// A stand-in for xdg-open that writes down what it was given.
#[cfg(target_os = "linux")]
#[test]
fn the_browser_is_given_a_private_file_and_no_token() {
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;
    let folder = tempfile::tempdir().unwrap();
    let (opener, given) = (folder.path().join("xdg-open"), folder.path().join("given"));
    let script = format!("#!/bin/sh\nprintf '%s' \"$*\" > {0}.part && mv {0}.part {0}\n", given.display());
    std::fs::write(&opener, script).unwrap();
    std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut viewer = Viewer::opening(folder.path());
    let token = Viewer::invitation(&viewer.first_line);
    let begin = std::time::Instant::now();
    while !given.exists() && begin.elapsed() < super::program::PATIENCE {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let argument = std::fs::read_to_string(&given).unwrap();
    assert!(!argument.contains(&token), "everybody can read {argument}");
    let file = Path::new(&argument);
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(file), mode(file.parent().unwrap())), (0o600, 0o700));
    let page = std::fs::read_to_string(file).unwrap();
    assert!(page.contains(&format!("url=http://127.0.0.1:{}/?token={token}\"", viewer.port)), "{page}");
    // the browser comes: the file has served, and there is an address for another one
    assert_eq!(viewer.ask(&format!("/?token={token}"), &[("Host", &viewer.host())]).status, 303);
    assert_eq!(viewer.next_line(), "Ctrl-C ends it.");
    assert!(viewer.next_line().starts_with("For another browser"));
    assert!(!file.exists() && !file.parent().unwrap().exists());
}
