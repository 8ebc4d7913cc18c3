//! One page with every figure: contents, counts, the figures; self-contained, light or dark as the reader's system is.

use std::fmt::Write;

use super::{Entry, Outcome, Reproduction};
use crate::verify::shown;

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1b2733;--paper:#fff;--line:#d5dce3;--soft:#5a6875;--agrees:#1d7a46;--bounded:#8a6100;--differs:#b3411b}\
@media(prefers-color-scheme:dark){:root{--ink:#dde5ec;--paper:#14191e;--line:#34404b;--soft:#9fadb9;--agrees:#5fc48b;--bounded:#d9b04c;--differs:#f0875f}}\
*{box-sizing:border-box}\
body{margin:2rem auto;max-width:72rem;padding:0 1rem;font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);overflow-wrap:break-word}\
h1{font-size:1.6rem}h2{font-size:1.2rem;margin:3rem 0 .3rem}figure{margin:1rem 0;overflow-x:auto}svg{display:block;width:100%;min-width:34rem;height:auto}\
a{color:inherit}.soft{color:var(--soft);font-size:.92rem}table{border-collapse:collapse;width:100%;font-size:.92rem}\
th,td{text-align:left;padding:.35rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}\
th{vertical-align:bottom}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}td.n{white-space:nowrap}\
.agrees{color:var(--agrees)}.bounded{color:var(--bounded)}.differs{color:var(--differs)}\
.compared{min-width:44rem}.compared td:first-child{min-width:11rem}.compared td:last-child{min-width:13rem}\
.contents td.n,.contents td:first-child{white-space:nowrap}\
.dense{font-size:.8rem;width:auto;margin:1rem 0}.dense td,.dense th{padding:.15rem .45rem}.dense td{white-space:nowrap}\
.dense th{max-width:7.5rem}.caption{margin:1rem 0 -.6rem}\
.wide{overflow-x:auto}blockquote{margin:.5rem 0;padding-left:1rem;border-left:3px solid var(--line);color:var(--soft)}\
@media(max-width:40rem){.contents .more,.compared thead,.compared td:empty{display:none}.contents td,.contents th{padding:.35rem .3rem}\
.compared{min-width:0}.compared,.compared tbody,.compared tr,.compared td,.compared td.n{display:block;text-align:left;white-space:normal}\
.compared td{border:0;padding:.1rem 0}.compared tr{border-bottom:1px solid var(--line);padding:.4rem 0}.compared td:first-child{font-weight:600}\
.compared td[data-label]::before{content:attr(data-label) \" \";color:var(--soft)}}";

/// The page; `earlier` are ids whose files another call left beside it.
pub fn page(all: &[Reproduction], earlier: &[&str]) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <title>Pliant: figures made anew</title><style>{STYLE}</style></head><body>\n\
         <h1>Figures made anew</h1>\n<p class=\"soft\">Made by <code>pliant reproduce</code>; every number of ours is from a run \
         made for this page. Ratios are ours over the paper's number, or over theory's where the paper prints none. \
         <span class=\"agrees\">Agrees</span>: the same within what is allowed, or as the paper's words say. \
         <span class=\"bounded\">Bounded</span>: paper or theory give a bound, not a value, and ours keeps it. \
         <span class=\"differs\">Differs</span>: it does not, for the reason told.</p>\n"
    );
    contents(&mut out, all);
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

/// What is on the page, and how much of it agrees.
fn contents(out: &mut String, all: &[Reproduction]) {
    let total = Outcome::counts(all.iter().flat_map(|one| &one.entries));
    let comparisons: usize = total.iter().sum();
    let _ = writeln!(
        out,
        "<p><b>Of {comparisons} comparisons {}.</b></p>\n<nav class=\"wide\"><table class=\"contents\"><thead><tr><th>figure</th>\
         <th class=\"more\">what it shows</th><th class=\"more\">in the paper</th><th class=\"n\">agree</th><th class=\"n\">bounded</th>\
         <th class=\"n\">differ</th></tr></thead><tbody>",
        Outcome::counted(total)
    );
    for one in all {
        let counts = Outcome::counts(&one.entries);
        let cells: Vec<String> = Outcome::ALL
            .into_iter()
            .zip(counts)
            .map(|(outcome, count)| match count {
                0 => "<td class=\"n\"></td>".into(),
                _ => format!("<td class=\"n {}\">{count}</td>", outcome.word()),
            })
            .collect();
        let _ = writeln!(
            out,
            "<tr><td><a href=\"#{id}\">{id}</a></td><td class=\"more\">{}</td><td class=\"more\">{}</td>{}</tr>",
            escaped(one.title),
            escaped(one.source),
            cells.concat(),
            id = one.id
        );
    }
    out.push_str("</tbody></table></nav>\n");
}

fn section(out: &mut String, one: &Reproduction) {
    let _ = writeln!(
        out,
        "<section id=\"{id}\"><h2>{id}: {}</h2><p class=\"soft\">{}. Of {} comparisons {}.</p><blockquote>{}</blockquote>\
         <figure>{}</figure><p class=\"soft\">Ours: {}.</p><div class=\"wide\"><table class=\"compared\"><thead><tr><th>quantity</th>\
         <th>paper</th><th class=\"n\">theory</th><th class=\"n\">ours</th><th class=\"n\">ratio</th><th>verdict</th></tr></thead><tbody>",
        escaped(one.title),
        escaped(one.source),
        one.entries.len(),
        Outcome::counted(Outcome::counts(&one.entries)),
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
        "<tr><td>{}{unit}</td><td data-label=\"paper:\">{}</td><td class=\"n\" data-label=\"theory:\">{}</td>\
         <td class=\"n\" data-label=\"ours:\">{}</td><td class=\"n\" data-label=\"ratio:\">{}</td><td class=\"{}\">{}</td></tr>",
        escaped(&entry.quantity),
        escaped(&entry.paper_words()),
        number(entry.theory),
        shown(entry.ours, 4),
        number(entry.ratio),
        entry.outcome.word(),
        escaped(&entry.verdict),
    );
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
