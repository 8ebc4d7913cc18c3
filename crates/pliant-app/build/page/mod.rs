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

use std::path::{Path, PathBuf};

use crate::say;
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
    match build(web, out) {
        Ok(()) => Ok(()),
        Err(failure) if required => Err(format!("{REQUIRE} is set, and {failure}")),
        Err(failure) => {
            // only now: a page that is there does not depend on them
            for variable in ["PATH", SKIP, REQUIRE] {
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
fn build(web: &Path, out: &Path) -> Result<(), String> {
    let tools = node::find()?;
    let workshop = Workshop::open(web, &target_folder(out))?;
    workshop.install(&tools)?;
    workshop.build(&tools)?;
    // the workshop stays locked until the files are copied
    embed::page(&workshop.folder().join("dist"), out).map_err(|e| format!("the page cannot be embedded: {e}"))
}

/// Asks cargo to come again when anything changes that the page is made of.
fn watch(web: &Path) {
    let parts = workshop::parts_of_page(web).unwrap_or_default();
    // without any, this path is missing and cargo comes each time
    let all = if parts.is_empty() { vec![web.to_path_buf()] } else { parts };
    for part in all {
        say(&format!("rerun-if-changed={}", part.display()));
    }
}

/// The folder `target`, whichever profile and platform are built: cargo marks it.
fn target_folder(out: &Path) -> PathBuf {
    let marked =
        |folder: &&Path| ["CACHEDIR.TAG", ".rustc_info.json"].iter().any(|mark| folder.join(mark).exists());
    out.ancestors().find(marked).unwrap_or(out).to_path_buf()
}

fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| !value.is_empty() && value != "0")
}
