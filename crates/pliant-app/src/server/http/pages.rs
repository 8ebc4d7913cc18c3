//! The page, embedded in the program: a table look-up, so that no path can lead anywhere else.

use std::io::Read;

use axum::body::Body;
use axum::http::header::{self, HeaderMap};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use super::answer;

include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// Files whose names change with their content.
const HASHED: &str = "assets/";

/// Answers with the file of a path as the browser sent it, nothing decoded.
pub fn page(path: &str, asked: &HeaderMap) -> Response {
    let name = if path == "/" { "index.html" } else { path.strip_prefix('/').unwrap_or(path) };
    let Some((name, gzip)) = PAGE.iter().find(|(known, _)| *known == name) else {
        return answer::nothing();
    };
    let squeezed = accepts_gzip(asked);
    let tag = tag(gzip, if squeezed { "-gzip" } else { "" });
    let mut response = if is_known(&tag, asked) {
        StatusCode::NOT_MODIFIED.into_response()
    } else if squeezed {
        let mut response = Body::from(*gzip).into_response();
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        response
    } else {
        plain(gzip)
    };
    let keep = if name.starts_with(HASHED) { "private, max-age=31536000, immutable" } else { "no-cache" };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind(name)));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(keep));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}

/// The file for a client that cannot unpack.
fn plain(gzip: &[u8]) -> Response {
    let mut text = Vec::new();
    match flate2::read::GzDecoder::new(gzip).read_to_end(&mut text) {
        Ok(_) => Body::from(text).into_response(),
        Err(_) => answer::sentence(
            StatusCode::INTERNAL_SERVER_ERROR,
            "This file of the page is damaged: build the program again.",
        ),
    }
}

/// The type by the ending.
fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "txt" => "text/plain; charset=utf-8",
        "wasm" => "application/wasm",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}

/// Names a content and its encoding: FNV-1a of the packed bytes.
fn tag(gzip: &[u8], encoding: &str) -> String {
    format!("\"{:016x}{encoding}\"", pliant_scene::fnv1a(gzip))
}

/// Whether the client has this content already.
fn is_known(tag: &str, asked: &HeaderMap) -> bool {
    words(asked, &header::IF_NONE_MATCH).any(|word| word == "*" || word.trim_start_matches("W/") == tag)
}

/// Whether gzip, or anything, is accepted with a weight above zero.
fn accepts_gzip(asked: &HeaderMap) -> bool {
    words(asked, &header::ACCEPT_ENCODING).any(|word| {
        let mut parts = word.split(';').map(str::trim);
        let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip") || name == "*");
        let weight = parts.find_map(|part| part.strip_prefix("q=")).map_or(Ok(1.0), str::parse::<f32>);
        named && weight.is_ok_and(|weight| weight > 0.0)
    })
}

/// The members of a list that may stretch over several headers.
fn words<'a>(asked: &'a HeaderMap, name: &header::HeaderName) -> impl Iterator<Item = &'a str> {
    let texts = asked.get_all(name).iter().filter_map(|value| value.to_str().ok());
    texts.flat_map(|text| text.split(',')).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(name: header::HeaderName, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_static(value))])
    }

    #[test]
    fn gzip_is_sent_to_those_who_accept_it() {
        for yes in ["gzip", "GZIP", "br, gzip;q=0.5", "*", "deflate , gzip"] {
            assert!(accepts_gzip(&asked(header::ACCEPT_ENCODING, yes)), "{yes}");
        }
        for no in ["", "br", "gzip;q=0", "gzip; q=0.0", "xgzip", "gzip;q=x"] {
            assert!(!accepts_gzip(&asked(header::ACCEPT_ENCODING, no)), "{no}");
        }
        assert!(!accepts_gzip(&HeaderMap::new()));
    }

    #[test]
    fn a_known_page_is_not_sent_again() {
        let first = page("/", &HeaderMap::new());
        assert_eq!(first.status(), StatusCode::OK);
        let tag = first.headers()[header::ETAG].clone();
        let again = HeaderMap::from_iter([(header::IF_NONE_MATCH, tag)]);
        assert_eq!(page("/", &again).status(), StatusCode::NOT_MODIFIED);
        let other = asked(header::IF_NONE_MATCH, "\"0\"");
        assert_eq!(page("/", &other).status(), StatusCode::OK);
    }

    #[test]
    fn what_is_not_in_the_table_does_not_exist() {
        for path in [
            "/../Cargo.toml",
            "/%2e%2e/Cargo.toml",
            "//etc/passwd",
            "//index.html",
            "/assets",
            "index.htm",
            "",
        ] {
            assert_eq!(page(path, &HeaderMap::new()).status(), StatusCode::NOT_FOUND, "{path}");
        }
    }
}
