//! The tests of this crate that need no allocator of their own, in one program: every further one would be linked with
//! everything again.
#![allow(clippy::unwrap_used, missing_docs)]

mod support;

#[path = "contact/main.rs"]
mod contact;
#[path = "element_conformance/main.rs"]
mod element_conformance;
#[path = "euler/main.rs"]
mod euler;
#[path = "explicit_order/main.rs"]
mod explicit_order;
#[path = "implicit/main.rs"]
mod implicit;
#[path = "invariants/main.rs"]
mod invariants;
#[path = "ladder/main.rs"]
mod ladder;
#[path = "law_conformance/main.rs"]
mod law_conformance;
mod loads;
mod modes;
#[path = "network/main.rs"]
mod network;
#[path = "rigid/main.rs"]
mod rigid;
#[path = "warped/main.rs"]
mod warped;
