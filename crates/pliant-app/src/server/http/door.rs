//! Who may come in. A browser lets every page in the world send requests to this machine, so each request must show
//! that it was meant for us (Host), that no other page sent it (Origin, Sec-Fetch-Site), and that it was invited (token).

use axum::http::header::{self, HeaderMap, HeaderName};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};

use super::answer;
use super::invitation::Invitation;
use super::token::Token;

/// The paths that only our page has a use for, with what is below them.
const OURS: [&str; 2] = ["/api", "/socket"];

/// The path of the stream.
const STREAM: &str = "/socket";

/// Where a request comes from, as the browser sees it.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The checks, with what they compare to.
pub struct Door {
    hosts: Vec<String>,
    cookie: String,
    keys: Option<Keys>,
}

/// What opens the door.
pub struct Keys {
    /// In the cookie of those who are in.
    pub secret: Token,
    /// In the address of who comes next.
    pub invitation: Invitation,
}

/// How a request comes in.
#[derive(Debug, PartialEq)]
pub enum Entry {
    /// It is answered.
    Welcome,
    /// It brought the token in the address, which is swapped for a cookie.
    Swap,
}

/// Why a request is not answered, and what to do.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// Host is missing, doubled, or names something else.
    #[error(
        "This address does not lead here: open the one that the program printed, which begins with http://127.0.0.1."
    )]
    Host,
    /// It would change something.
    #[error("Only GET and HEAD are answered here: everything else goes over the stream.")]
    Method,
    /// Another page sent it.
    #[error(
        "Another page may not speak to the viewer: open the address that the program printed in a tab of its own."
    )]
    Origin,
    /// It has no token.
    #[error(
        "The token is missing: open the whole address that the program printed, with ?token=..., by pasting it into the address bar."
    )]
    NoToken,
    /// It has another token, or one that has served.
    #[error(
        "This token is not of this run, or somebody came in by it already: open the address that the program printed last."
    )]
    WrongToken,
}

impl Door {
    /// For a port; without keys everybody on this machine may come in.
    pub fn new(port: u16, keys: Option<Keys>) -> Self {
        let names = ["localhost", "127.0.0.1", "[::1]"];
        let mut hosts: Vec<String> = names.iter().map(|name| format!("{name}:{port}")).collect();
        if port == 80 {
            // the port that nobody writes
            hosts.extend(names.map(String::from));
        }
        Self { hosts, cookie: format!("pliant_{port}"), keys }
    }

    /// The invitation, where one is needed.
    pub fn invitation(&self) -> Option<&Invitation> {
        self.keys.as_ref().map(|keys| &keys.invitation)
    }

    /// Decides about a request by its head; an invitation that it brings has then served.
    pub fn check(&self, head: &Parts) -> Result<Entry, Refusal> {
        let host = self.host(head)?;
        if head.method != Method::GET && head.method != Method::HEAD {
            return Err(Refusal::Method);
        }
        self.origin(head, host)?;
        let offered = (head.uri.path() == "/").then(|| query_token(head.uri.query())).flatten();
        match (&self.keys, offered) {
            (None, Some(_)) => Ok(Entry::Swap),
            (None, None) => Ok(Entry::Welcome),
            (Some(keys), None) => self.cookie_of(&head.headers, &keys.secret),
            // a tab that is in already may bring an old one: it is not asked to use up another
            (Some(keys), Some(offered)) => match self.cookie_of(&head.headers, &keys.secret) {
                Ok(_) => Ok(Entry::Swap),
                Err(_) if keys.invitation.accept(offered) => Ok(Entry::Swap),
                Err(_) => Err(Refusal::WrongToken),
            },
        }
    }

    /// The one Host, which must be ours; a whole address as the target must name the same.
    fn host<'a>(&self, head: &'a Parts) -> Result<&'a str, Refusal> {
        let mut hosts = head.headers.get_all(header::HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else { return Err(Refusal::Host) };
        let host = host.to_str().map_err(|_| Refusal::Host)?;
        let ours = |name: &str| self.hosts.iter().any(|known| known.eq_ignore_ascii_case(name));
        let target = head.uri.authority().is_none_or(|name| ours(name.as_str()));
        if ours(host) && target { Ok(host) } else { Err(Refusal::Host) }
    }

    fn origin(&self, head: &Parts, host: &str) -> Result<(), Refusal> {
        let path = head.uri.path();
        let mut origins = head.headers.get_all(header::ORIGIN).iter().peekable();
        // every browser names the origin of a stream; without a token nothing else could tell it from a stranger
        if path == STREAM && origins.peek().is_none() && self.keys.is_none() {
            return Err(Refusal::Origin);
        }
        let own = format!("http://{host}");
        if !origins.all(|origin| origin.to_str().is_ok_and(|name| name.eq_ignore_ascii_case(&own))) {
            return Err(Refusal::Origin);
        }
        let guarded = OURS.iter().any(|known| path == *known || path.starts_with(&format!("{known}/")));
        // "none": typed by the user
        let near = |site: &HeaderValue| site == "same-origin" || site == "none";
        if guarded && !head.headers.get_all(FETCH_SITE).iter().all(near) {
            return Err(Refusal::Origin);
        }
        Ok(())
    }

    fn cookie_of(&self, headers: &HeaderMap, token: &Token) -> Result<Entry, Refusal> {
        // cookies of other programs on this machine come along, and may be anything
        let pieces =
            headers.get_all(header::COOKIE).iter().flat_map(|value| value.as_bytes().split(|b| *b == b';'));
        let texts = pieces.filter_map(|piece| std::str::from_utf8(piece).ok());
        let pairs = texts.filter_map(|pair| pair.trim().split_once('='));
        let mut ours = pairs.filter(|(name, _)| *name == self.cookie).map(|(_, value)| value).peekable();
        if ours.peek().is_none() {
            return Err(Refusal::NoToken);
        }
        if ours.any(|value| token.is(value)) { Ok(Entry::Welcome) } else { Err(Refusal::WrongToken) }
    }

    /// Sends a page that brought the token to where the address no longer shows it.
    pub fn swap(&self, head: &Parts) -> Response {
        // led here by a file or another page, a redirected browser would keep the cookie to itself; a page of ours leads on
        let led = head.headers.get(FETCH_SITE).is_some_and(|site| site == "cross-site");
        let mut response = if led {
            let page = "<!doctype html><meta charset=\"utf-8\"><title>Pliant</title><meta http-equiv=\"refresh\" content=\"0; url=/\">\n";
            ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], page).into_response()
        } else {
            (StatusCode::SEE_OTHER, [(header::LOCATION, "/")]).into_response()
        };
        let cookie = self.keys.as_ref().map(|Keys { secret, .. }| {
            HeaderValue::from_str(&format!("{}={secret}; HttpOnly; SameSite=Strict; Path=/", self.cookie))
        });
        if let Some(Ok(cookie)) = cookie {
            response.headers_mut().insert(header::SET_COOKIE, cookie);
        }
        response
    }
}

/// The token in a query.
fn query_token(query: Option<&str>) -> Option<&str> {
    query?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status =
            if self == Self::Method { StatusCode::METHOD_NOT_ALLOWED } else { StatusCode::FORBIDDEN };
        let mut response = answer::sentence(status, &self.to_string());
        if self == Self::Method {
            response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
        }
        response
    }
}

#[cfg(test)]
mod tests;
