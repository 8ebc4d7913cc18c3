//! The door, request by request.

use axum::http::Request;

use super::*;

const PORT: u16 = 8737;

fn secret() -> String {
    "s".repeat(32)
}

fn invitation() -> String {
    "i".repeat(32)
}

fn door() -> Door {
    let token = |text: String| Token::chosen(&text).unwrap();
    let invitation = Invitation::beginning_with(token(invitation()));
    Door::new(PORT, Some(Keys { secret: token(secret()), invitation }))
}

/// The head of a GET with headers.
fn head(target: &str, headers: &[(&str, &str)]) -> Parts {
    let mut request = Request::builder().uri(target);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(()).unwrap().into_parts().0
}

/// The same from our own page.
fn own(target: &str, more: &[(&str, &str)]) -> Parts {
    let cookie = format!("pliant_{PORT}={}", secret());
    let mut headers = vec![("host", "127.0.0.1:8737"), ("cookie", cookie.as_str())];
    headers.extend(more);
    head(target, &headers)
}

#[test]
fn our_own_names_with_our_port_come_in() {
    let cookie = format!("other=1; pliant_{PORT}={}", secret());
    for host in ["127.0.0.1:8737", "localhost:8737", "LocalHost:8737", "[::1]:8737"] {
        let head = head("/", &[("host", host), ("cookie", &cookie)]);
        assert_eq!(door().check(&head), Ok(Entry::Welcome), "{host}");
    }
}

#[test]
fn no_other_host_comes_in_even_with_the_token() {
    let cookie = format!("pliant_{PORT}={}", secret());
    for host in [
        "evil.example",
        "evil.example:8737",
        "127.0.0.1.evil.example:8737",
        "127.0.0.1",
        "localhost",
        "127.0.0.1:8738",
        "127.0.0.2:8737",
        "0.0.0.0:8737",
        "[::]:8737",
        "user@127.0.0.1:8737",
        "127.0.0.1:08737",
        "127.0.0.1:8737 ",
        "",
    ] {
        let head = head("/", &[("host", host), ("cookie", &cookie)]);
        assert_eq!(door().check(&head), Err(Refusal::Host), "{host:?}");
    }
    assert_eq!(door().check(&head("/", &[("cookie", &cookie)])), Err(Refusal::Host));
    let twice = head("/", &[("host", "127.0.0.1:8737"), ("host", "127.0.0.1:8737"), ("cookie", &cookie)]);
    assert_eq!(door().check(&twice), Err(Refusal::Host));
}

#[test]
fn a_whole_address_as_the_target_must_be_ours_too() {
    assert_eq!(door().check(&own("http://evil.example:8737/", &[])), Err(Refusal::Host));
    assert_eq!(door().check(&own("http://127.0.0.1:8737/", &[])), Ok(Entry::Welcome));
}

#[test]
fn port_80_may_be_left_out() {
    let door = Door::new(80, None);
    assert_eq!(door.check(&head("/", &[("host", "localhost")])), Ok(Entry::Welcome));
    assert_eq!(door.check(&head("/", &[("host", "localhost:80")])), Ok(Entry::Welcome));
}

#[test]
fn another_origin_is_refused_everywhere() {
    for path in ["/", "/socket", "/api/scenes", "/assets/x.js"] {
        assert_eq!(door().check(&own(path, &[("origin", "http://127.0.0.1:8737")])), Ok(Entry::Welcome));
        for origin in [
            "http://evil.example",
            "null",
            "",
            "http://127.0.0.1:3000",
            "https://127.0.0.1:8737",
            "http://localhost:8737",
            "http://127.0.0.1:8737.evil.example",
        ] {
            assert_eq!(
                door().check(&own(path, &[("origin", origin)])),
                Err(Refusal::Origin),
                "{path} {origin}"
            );
        }
    }
}

#[test]
fn pages_of_other_sites_and_other_ports_are_refused_where_data_is() {
    for path in ["/socket", "/api/scenes", "/api/topology/0000000000000000"] {
        for site in ["cross-site", "same-site"] {
            assert_eq!(door().check(&own(path, &[("sec-fetch-site", site)])), Err(Refusal::Origin), "{site}");
        }
        for site in ["same-origin", "none"] {
            assert_eq!(door().check(&own(path, &[("sec-fetch-site", site)])), Ok(Entry::Welcome), "{site}");
        }
    }
    // a link on another page may lead to ours
    assert_eq!(door().check(&own("/", &[("sec-fetch-site", "cross-site")])), Ok(Entry::Welcome));
}

#[test]
fn without_a_token_a_stream_must_name_its_origin() {
    let open = Door::new(PORT, None);
    let host = ("host", "127.0.0.1:8737");
    assert_eq!(open.check(&head("/", &[host])), Ok(Entry::Welcome));
    assert_eq!(open.check(&head("/socket", &[host])), Err(Refusal::Origin));
    let named = head("/socket", &[host, ("origin", "http://127.0.0.1:8737")]);
    assert_eq!(open.check(&named), Ok(Entry::Welcome));
    assert_eq!(door().check(&own("/socket", &[])), Ok(Entry::Welcome));
}

#[test]
fn the_token_counts_in_the_address_of_the_page_and_nowhere_else() {
    let host = ("host", "127.0.0.1:8737");
    let with = |path: &str, token: &str| head(&format!("{path}?token={token}"), &[host]);
    assert_eq!(door().check(&with("/", &invitation())), Ok(Entry::Swap));
    assert_eq!(door().check(&head(&format!("/?a=b&token={}", invitation()), &[host])), Ok(Entry::Swap));
    assert_eq!(door().check(&with("/socket", &invitation())), Err(Refusal::NoToken));
    assert_eq!(door().check(&with("/", "")), Err(Refusal::WrongToken));
    assert_eq!(door().check(&with("/", &"i".repeat(31))), Err(Refusal::WrongToken));
    assert_eq!(door().check(&with("/", &"i".repeat(33))), Err(Refusal::WrongToken));
    assert_eq!(door().check(&head("/", &[host])), Err(Refusal::NoToken));
    // what is in the cookie is no address
    assert_eq!(door().check(&with("/", &secret())), Err(Refusal::WrongToken));
}

#[test]
fn an_address_serves_once_and_those_who_are_in_need_none() {
    let (door, host) = (door(), ("host", "127.0.0.1:8737"));
    let target = format!("/?token={}", invitation());
    // refused for another reason: it has not served
    assert_eq!(door.check(&head(&target, &[("host", "evil.example")])), Err(Refusal::Host));
    assert_eq!(door.check(&own(&target, &[])), Ok(Entry::Swap), "in already");
    assert_eq!(door.check(&head(&target, &[host])), Ok(Entry::Swap));
    assert_eq!(door.check(&head(&target, &[host])), Err(Refusal::WrongToken));
    assert_eq!(door.check(&own(&target, &[])), Ok(Entry::Swap), "the same tab opens it again");
    let next = door.invitation().unwrap().token().unwrap();
    assert_eq!(door.check(&head(&format!("/?token={next}"), &[host])), Ok(Entry::Swap));
}

#[test]
fn a_browser_that_a_file_led_here_gets_a_page_that_leads_on() {
    // a cookie that is strict about sites does not go along with a redirect that began elsewhere
    let led = door().swap(&head("/", &[("sec-fetch-site", "cross-site")]));
    assert_eq!(led.status(), StatusCode::OK);
    assert!(led.headers().contains_key(header::SET_COOKIE));
    let typed = door().swap(&head("/", &[("sec-fetch-site", "none")]));
    assert_eq!(typed.status(), StatusCode::SEE_OTHER);
}

#[test]
fn the_cookie_must_be_of_this_port_and_whole() {
    let host = ("host", "127.0.0.1:8737");
    let check = |cookie: &str| door().check(&head("/", &[host, ("cookie", cookie)]));
    assert_eq!(check(&format!("pliant_8738={}", secret())), Err(Refusal::NoToken));
    assert_eq!(check(&format!("xpliant_8737={}", secret())), Err(Refusal::NoToken));
    assert_eq!(check("pliant_8737="), Err(Refusal::WrongToken));
    assert_eq!(check(&format!("pliant_8737={}", "s".repeat(31))), Err(Refusal::WrongToken));
    assert_eq!(check(&format!("pliant_8737=old; pliant_8737={}", secret())), Ok(Entry::Welcome));
}

#[test]
fn only_reading_is_allowed() {
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"] {
        let mut head = own("/", &[]);
        head.method = method.parse().unwrap();
        assert_eq!(door().check(&head), Err(Refusal::Method), "{method}");
    }
}
