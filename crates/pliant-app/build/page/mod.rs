//! The viewer's page: made from `web` with Node, once for all profiles, or a placeholder that says what to install.
//!
//! | environment | what happens |
//! | --- | --- |
//! | nothing set | the page; without Node, or when npm fails, a placeholder and a warning |
//! | `PLIANT_REQUIRE_WEB=1` | the page or an error; `cargo xtask test` sets it |
//! | `PLIANT_SKIP_WEB=1` | the placeholder, for work on the engine; the former wins |

mod embed;
mod node;
mod workshop;

use std::path::Path;

use crate::say;
use node::Tools;
use workshop::Workshop;

const REQUIRE: &str = "PLIANT_REQUIRE_WEB";
const SKIP: &str = "PLIANT_SKIP_WEB";

/// Writes `page.rs`. The error has several lines: what failed, and what to do.
pub fn write(web: &Path, out: &Path) -> Result<(), String> {
    watch(web);
    let required = is_set(REQUIRE);
    if is_set(SKIP) && !required {
        say(&format!("rerun-if-env-changed={SKIP}"));
        say(&format!("rerun-if-env-changed={REQUIRE}"));
        let why = format!("It was left out on purpose: {SKIP} was set. Unset it and build again.");
        return embed::placeholder(out, &why).map_err(|e| format!("the placeholder cannot be written: {e}"));
    }
    let tools = node::find();
    // another PATH helps where Node is missing; where npm failed, it would fail again
    let remedies = if tools.is_err() { vec!["PATH", SKIP, REQUIRE] } else { vec![SKIP, REQUIRE] };
    match tools.and_then(|tools| build(&tools, web, out)) {
        Ok(()) => Ok(()),
        Err(failure) if required => Err(format!("{REQUIRE} is set, and {failure}")),
        Err(failure) => {
            // only now: a page that is there does not depend on them
            for variable in remedies {
                say(&format!("rerun-if-env-changed={variable}"));
            }
            say("warning=the program gets a placeholder instead of the viewer's page:");
            for line in failure.lines().filter(|line| !line.trim().is_empty()) {
                say(&format!("warning={line}"));
            }
            say(&format!("warning=then build once with {REQUIRE}=1, which tries again"));
            embed::placeholder(out, &failure).map_err(|e| format!("the placeholder cannot be written: {e}"))
        }
    }
}

/// Makes the page, or takes the one that another profile made, and embeds it.
fn build(tools: &Tools, web: &Path, out: &Path) -> Result<(), String> {
    let workshop = Workshop::open(web, workshop::target_folder(out).unwrap_or(out))?;
    workshop.install(tools)?;
    workshop.build(tools)?;
    // the workshop stays locked until the files are copied
    embed::page(&workshop.folder().join("dist"), out).map_err(|e| format!("the page cannot be embedded: {e}"))
}

/// Asks cargo to come again when anything changes that the page is made of, and each time where a part is missing.
fn watch(web: &Path) {
    for part in workshop::parts_of_page(web) {
        say(&format!("rerun-if-changed={}", part.display()));
    }
}

fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| !value.is_empty() && value != "0")
}
