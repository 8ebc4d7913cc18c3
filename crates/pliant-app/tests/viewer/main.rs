//! The viewer as a stranger meets it: the program is started, and spoken to over TCP.
//!
//! `addresses`, `requests`, `limits` and `messages` are the table of security, a test a clause; `stream`, `control` and `life`
//! are what a page relies on, `throttled` what the simulation does.
#![allow(clippy::unwrap_used)]

mod addresses;
mod control;
mod life;
mod limits;
mod messages;
mod page;
mod program;
mod requests;
mod stream;
mod throttled;
