//! Rows 3, 4 and 6 of the table: the token, what answers tell a browser, and paths that lead nowhere.

use super::program::{PATIENCE, TOKEN, Viewer, command, head};

/// The page's address with a token, as somebody without a cookie opens it.
fn with_token(viewer: &Viewer, token: &str) -> super::program::Answer {
    viewer.ask(&format!("/?token={token}"), &[("Host", &viewer.host())])
}

#[test]
fn row_3_nothing_is_answered_without_the_token() {
    let viewer = Viewer::start();
    for path in ["/", "/index.html", "/assets/x.js", "/api/scenes", "/socket", "/nothing"] {
        let answer = viewer.ask(path, &[("Host", &viewer.host())]);
        assert_eq!(answer.status, 403, "{path}");
        assert!(
            answer.text().contains("open the whole address that the program printed"),
            "{}",
            answer.text()
        );
    }
}

#[test]
fn row_3_a_wrong_token_is_refused() {
    let viewer = Viewer::start();
    for token in [
        "",
        "x",
        &TOKEN[..31],
        &format!("{TOKEN}0"),
        &TOKEN.to_lowercase(),
        "%30123456789abcdef0123456789ABCDEF",
    ] {
        let answer = with_token(&viewer, token);
        assert_eq!(answer.status, 403, "{token}");
        assert_eq!(answer.header("set-cookie"), None);
        let cookie = format!("pliant_{}={token}", viewer.port);
        assert_eq!(viewer.ask("/", &[("Host", &viewer.host()), ("Cookie", &cookie)]).status, 403, "{token}");
    }
}

#[test]
fn row_3_a_cookie_of_another_port_is_not_ours() {
    let viewer = Viewer::start();
    let cookie = format!("pliant_{}={TOKEN}", viewer.port ^ 1);
    assert_eq!(viewer.ask("/", &[("Host", &viewer.host()), ("Cookie", &cookie)]).status, 403);
}

#[test]
fn row_3_cookies_of_other_programs_do_no_harm() {
    // cookies know no ports: whatever another local page sets comes along, letters beyond ASCII too
    let viewer = Viewer::start();
    for other in ["name=J\u{fc}rgen", "a=b=c", "=", ";;", "pliant_=x", "q=\"x; y\""] {
        let cookie = format!("{other}; pliant_{}={TOKEN}", viewer.port);
        assert_eq!(viewer.ask("/", &[("Host", &viewer.host()), ("Cookie", &cookie)]).status, 200, "{other}");
    }
}

#[test]
fn row_3_the_token_is_swapped_for_a_cookie_and_leaves_the_address() {
    let viewer = Viewer::start();
    let answer = with_token(&viewer, &Viewer::invitation(&viewer.first_line));
    assert_eq!(answer.status, 303);
    assert_eq!(answer.header("location"), Some("/"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let cookie = format!("pliant_{}={TOKEN}; HttpOnly; SameSite=Strict; Path=/", viewer.port);
    assert_eq!(answer.header("set-cookie"), Some(cookie.as_str()));
    let pair = cookie.split(';').next().unwrap();
    assert_eq!(viewer.ask("/", &[("Host", &viewer.host()), ("Cookie", pair)]).status, 200);
}

#[test]
fn row_3_an_address_serves_once_and_the_program_prints_another() {
    let mut viewer = Viewer::start();
    assert_eq!(viewer.next_line(), "Ctrl-C ends it.");
    let first = Viewer::invitation(&viewer.first_line);
    assert_ne!(first, TOKEN, "the secret of the cookie is in no address");
    assert_eq!(with_token(&viewer, &first).status, 303);
    let again = with_token(&viewer, &first);
    assert_eq!((again.status, again.header("set-cookie")), (403, None));
    assert!(again.text().contains("somebody came in by it already"), "{}", again.text());
    // who is in already may open the old address again
    let own = [("Host", &*viewer.host()), ("Cookie", &*viewer.cookie())];
    assert_eq!(viewer.ask(&format!("/?token={first}"), &own).status, 303);
    let line = viewer.next_line();
    assert!(line.starts_with("For another browser (each address serves once): http://127.0.0.1:"), "{line}");
    assert_eq!(with_token(&viewer, &Viewer::invitation(&line)).status, 303);
}

#[test]
fn row_3_each_run_has_a_random_token_of_at_least_128_bits() {
    let token = |viewer: &Viewer| Viewer::invitation(&viewer.first_line);
    let one = token(&Viewer::with(&["--port", "0"], None));
    let two = token(&Viewer::with(&["--port", "0"], None));
    // 4 bits a digit
    assert!(one.len() >= 32 && one.bytes().all(|b| b.is_ascii_hexdigit()), "{one}");
    assert_ne!(one, two);
}

#[test]
fn row_3_a_weak_token_in_the_environment_is_an_error_with_a_way_out() {
    for token in ["", "secret", "0123456789abcdef 0123456789abcdef", "0123456789abcdef;0123456789abcdef"] {
        let output = command(&["--port", "0"], Some(token)).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{token}");
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(errors.contains("PLIANT_TOKEN must be 32"), "{errors}");
        assert!(errors.contains("unset it"), "{errors}");
    }
}

#[test]
fn row_3_no_token_is_said_loudly_and_keeps_the_other_checks() {
    let viewer = Viewer::with(&["--port", "0", "--no-token", "--quiet"], None);
    assert_eq!(viewer.first_line, format!("Pliant's viewer: http://127.0.0.1:{}/", viewer.port));
    assert_eq!(viewer.ask("/", &[("Host", &viewer.host())]).status, 200);
    assert_eq!(viewer.ask("/", &[("Host", "evil.example")]).status, 403);
    let evil = [("Host", &*viewer.host()), ("Origin", "http://evil.example")];
    assert_eq!(viewer.ask("/api/scenes", &evil).status, 403);
    assert!(viewer.errors().contains("every program and every user of this machine"));
}

/// One of every kind of answer that the server itself makes.
fn kinds_of_answers(viewer: &Viewer) -> Vec<(u16, super::program::Answer)> {
    let (host, cookie) = (viewer.host(), viewer.cookie());
    let own = [("Host", host.as_str()), ("Cookie", cookie.as_str())];
    let tag = viewer.get("/").header("etag").unwrap().to_owned();
    let upgrade = [
        own[0],
        own[1],
        ("Connection", "Upgrade"),
        ("Upgrade", "websocket"),
        ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ];
    vec![
        (200, viewer.get("/")),
        (200, viewer.get("/api/scenes")),
        (304, viewer.ask("/", &[own[0], own[1], ("If-None-Match", &tag)])),
        (303, viewer.ask("/?token=served", &own)),
        (101, viewer.ask("/socket", &upgrade)),
        (400, viewer.get("/socket")),
        (403, viewer.ask("/", &own[..1])),
        (403, viewer.ask("/", &[("Host", "evil.example")])),
        (404, viewer.get("/nothing")),
        (404, viewer.get("/api/nothing")),
        (404, viewer.get("/api/topology/0000000000000000")),
        (404, viewer.get("/api/topology/xyz")),
        (405, viewer.send(head("POST", "/", &own).as_bytes()).unwrap()),
        (405, viewer.send(head("OPTIONS", "/api/scenes", &own).as_bytes()).unwrap()),
        // what cannot be read is answered before anything of ours sees it
        (400, viewer.send(b"GARBAGE\r\n\r\n").unwrap()),
        (400, viewer.send(b"GET / HTTP/1.1\r\nHost nonsense\r\n\r\n").unwrap()),
        (431, viewer.send(head("GET", "/", &[("X", &"x".repeat(32 * 1024))]).as_bytes()).unwrap()),
    ]
}

#[test]
fn row_4_no_answer_lets_other_origins_read_it() {
    let viewer = Viewer::start();
    for (status, answer) in kinds_of_answers(&viewer) {
        assert_eq!(answer.status, status, "{answer:?}");
        assert!(!answer.headers.iter().any(|(name, _)| name.starts_with("access-control-")), "{answer:?}");
    }
    let (host, cookie) = (viewer.host(), viewer.cookie());
    let own = [("Host", host.as_str()), ("Cookie", &cookie)];
    let asked = [own[0], own[1], ("Origin", "http://evil.example"), ("Access-Control-Request-Method", "GET")];
    for method in ["OPTIONS", "GET"] {
        let answer = viewer.send(head(method, "/api/scenes", &asked).as_bytes()).unwrap();
        assert!(answer.status == 405 || answer.status == 403);
        assert!(!answer.headers.iter().any(|(name, _)| name.starts_with("access-control-")), "{answer:?}");
    }
}

#[test]
fn row_4_every_answer_carries_the_protection() {
    let viewer = Viewer::start();
    for (status, answer) in kinds_of_answers(&viewer) {
        assert_eq!(answer.status, status, "{answer:?}");
        for (name, value) in [
            (
                "content-security-policy",
                "default-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
            ),
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(answer.header(name), Some(value), "{name} of {answer:?}");
        }
    }
}

#[test]
fn row_4_data_is_never_kept_and_the_page_is_asked_for_again() {
    let viewer = Viewer::start();
    for (_, answer) in kinds_of_answers(&viewer) {
        let page = answer.header("etag").is_some();
        assert_eq!(
            answer.header("cache-control"),
            Some(if page { "no-cache" } else { "no-store" }),
            "{answer:?}"
        );
    }
}

#[test]
fn the_page_is_sent_packed_to_those_who_can_unpack() {
    let viewer = Viewer::start();
    let (host, cookie) = (viewer.host(), viewer.cookie());
    let ask =
        |coding: &str| viewer.ask("/", &[("Host", &host), ("Cookie", &cookie), ("Accept-Encoding", coding)]);
    let (plain, packed) = (ask("identity"), ask("br, gzip"));
    assert_eq!((plain.header("content-encoding"), packed.header("content-encoding")), (None, Some("gzip")));
    let mut text = String::new();
    std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(&*packed.body), &mut text).unwrap();
    assert_eq!(text, plain.text());
    assert_ne!(plain.header("etag"), packed.header("etag"));
    assert_eq!(plain.header("content-type"), Some("text/html; charset=utf-8"));
}

#[test]
fn head_answers_like_get_without_the_body() {
    let viewer = Viewer::start();
    let own = [("Host", &*viewer.host()), ("Cookie", &*viewer.cookie()), ("Connection", "close")];
    let mut stream = viewer.connect();
    std::io::Write::write_all(&mut stream, head("HEAD", "/", &own).as_bytes()).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut all = String::new();
    std::io::Read::read_to_string(&mut stream, &mut all).unwrap();
    assert!(all.starts_with("HTTP/1.1 200"), "{all}");
    assert!(all.ends_with("\r\n\r\n"), "{all}");
}

#[test]
fn row_6_no_path_leads_out_of_the_page() {
    let viewer = Viewer::start();
    for path in [
        "/../Cargo.toml",
        "/../../../../etc/passwd",
        "/%2e%2e/Cargo.toml",
        "/assets/..%2f..%2fCargo.toml",
        "/assets/../index.html",
        "//etc/passwd",
        "/etc/passwd",
        "/C:%5Cwindows%5Cwin.ini",
        "/..%5c..%5cCargo.toml",
        "/index.html%00.js",
        "/%",
        "/%ff",
        "/api/topology/%ff",
        "/api/topology/../scenes",
    ] {
        let answer = viewer.get(path);
        assert!(matches!(answer.status, 400 | 404), "{path}: {}", answer.status);
    }
    // a zero byte is no request at all
    let own = [("Host", &*viewer.host()), ("Cookie", &*viewer.cookie())];
    let zero = viewer.send(head("GET", "/\0", &own).as_bytes());
    assert!(zero.is_none_or(|answer| answer.status == 400));
    assert_eq!(viewer.get("/index.html").status, 200);
}

#[test]
fn row_6_nothing_can_be_written() {
    let viewer = Viewer::start();
    let own = [("Host", &*viewer.host()), ("Cookie", &*viewer.cookie()), ("Content-Length", "4")];
    for method in ["POST", "PUT", "PATCH", "DELETE", "TRACE"] {
        let request = format!("{}evil", head(method, "/index.html", &own));
        let answer = viewer.send(request.as_bytes()).unwrap();
        assert_eq!((answer.status, answer.header("allow")), (405, Some("GET, HEAD")), "{method}");
    }
}
