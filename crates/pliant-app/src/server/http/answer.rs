//! Short answers, and the headers that every answer has.

use axum::http::header::{self, HeaderName};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

/// Scripts, styles and streams from here only; in nobody's frame.
const POLICY: &str =
    "default-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// What every answer says to a browser.
const PROTECTION: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Adds the protection; what does not say how long it may be kept is not kept.
pub fn protect(response: &mut Response) {
    let headers = response.headers_mut();
    for (name, value) in PROTECTION {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}

/// An answer that is one sentence for a person.
pub fn sentence(status: StatusCode, text: &str) -> Response {
    let kind = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
    (status, kind, format!("{text}\n")).into_response()
}

/// The protection as lines of a head, for answers that are not made here.
pub fn protection_lines() -> String {
    let lines = PROTECTION.into_iter().map(|(name, value)| format!("{name}: {value}\r\n"));
    lines.chain(["cache-control: no-store\r\n".to_owned()]).collect()
}

/// There is no place left for another connection.
pub fn full() -> Response {
    let mut response = sentence(
        StatusCode::SERVICE_UNAVAILABLE,
        "The viewer has as many connections as it takes: close some of its tabs, or wait a moment.",
    );
    // one more would not be better off later
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

/// There is nothing of that name.
pub fn nothing() -> Response {
    sentence(StatusCode::NOT_FOUND, "There is nothing here: open / for the viewer.")
}
