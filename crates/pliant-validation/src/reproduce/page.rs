//! One page with every figure: self-contained, light or dark as the reader's system is.

use std::fmt::Write;

use super::{Entry, Reproduction};
use crate::verify::shown;

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1b2733;--paper:#fff;--line:#d5dce3;--soft:#5a6875;--yes:#1d7a46;--no:#b3411b}\
@media(prefers-color-scheme:dark){:root{--ink:#dde5ec;--paper:#14191e;--line:#34404b;--soft:#9fadb9;--yes:#5fc48b;--no:#f0875f}}\
body{margin:2rem auto;max-width:64rem;padding:0 1rem;font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper)}\
h1{font-size:1.6rem}h2{font-size:1.2rem;margin:3rem 0 .3rem}figure{margin:1rem 0}svg{width:100%;height:auto}\
.soft{color:var(--soft);font-size:.92rem}table{border-collapse:collapse;width:100%;font-size:.92rem}\
th,td{text-align:left;padding:.35rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}\
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}.yes{color:var(--yes)}.no{color:var(--no)}\
.dense{font-size:.8rem;margin:1rem 0}.dense td,.dense th{padding:.15rem .4rem}caption{text-align:left;color:var(--soft)}\
.wide{overflow-x:auto}blockquote{margin:.5rem 0;padding-left:1rem;border-left:3px solid var(--line);color:var(--soft)}";

/// The page; `earlier` are ids whose files another call left beside it.
pub fn page(all: &[Reproduction], earlier: &[&str]) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <title>Pliant: figures made anew</title><style>{STYLE}</style></head><body>\n\
         <h1>Figures made anew</h1>\n<p class=\"soft\">Made by <code>pliant reproduce</code>; every number of ours is from a run \
         made for this page. Ratios are ours over the paper's number, or over theory's where the paper prints none.</p>\n"
    );
    for one in all {
        section(&mut out, one);
    }
    if !earlier.is_empty() {
        let link =
            |id: &&str| format!("{id} (<a href=\"{id}.svg\">picture</a>, <a href=\"{id}.json\">numbers</a>)");
        let links: Vec<String> = earlier.iter().map(link).collect();
        let _ = writeln!(out, "<p class=\"soft\">Made by an earlier call: {}.</p>", links.join(", "));
    }
    out + "</body></html>\n"
}

fn section(out: &mut String, one: &Reproduction) {
    let _ = writeln!(
        out,
        "<section id=\"{id}\"><h2>{id}: {}</h2><p class=\"soft\">{}</p><blockquote>{}</blockquote>\
         <figure>{}</figure><p class=\"soft\">Ours: {}.</p><div class=\"wide\"><table><thead><tr><th>quantity</th><th>paper</th>\
         <th class=\"n\">theory</th><th class=\"n\">ours</th><th class=\"n\">ratio</th><th>verdict</th></tr></thead><tbody>",
        escaped(one.title),
        escaped(one.source),
        escaped(one.claim),
        one.svg,
        escaped(&one.setup),
        id = one.id,
    );
    one.entries.iter().for_each(|entry| row(out, entry));
    out.push_str("</tbody></table></div>\n");
    one.tables.iter().for_each(|table| out.push_str(&table.html()));
    let _ = writeln!(out, "<p><b>What differs, and why.</b> {}</p></section>", escaped(one.differs));
}

fn row(out: &mut String, entry: &Entry) {
    let number = |value: Option<f64>| value.map_or(String::new(), |v| shown(v, 4));
    let unit = if entry.unit.is_empty() { String::new() } else { format!(", {}", entry.unit) };
    let _ = writeln!(
        out,
        "<tr><td>{}{unit}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
         <td class=\"{}\">{}</td></tr>",
        escaped(&entry.quantity),
        escaped(&entry.paper_words()),
        number(entry.theory),
        shown(entry.ours, 4),
        number(entry.ratio),
        if entry.agrees { "yes" } else { "no" },
        escaped(&entry.verdict),
    );
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
