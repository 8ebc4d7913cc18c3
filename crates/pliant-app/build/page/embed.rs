//! `page.rs`: the files of the page, compressed, as constants of the program.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Embeds every file of a folder.
pub fn page(dist: &Path, out: &Path) -> io::Result<()> {
    let mut files = Vec::new();
    collect(dist, "", &mut files)?;
    files.sort();
    let pairs = files.iter().map(|name| Ok((name.as_str(), fs::read(dist.join(name))?)));
    write(out, &pairs.collect::<io::Result<Vec<_>>>()?, None)
}

/// Embeds a page that says why there is none.
pub fn placeholder(out: &Path, why: &str) -> io::Result<()> {
    let shown = why.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Pliant</title>\n<h1>The viewer's page is missing</h1>\n\
         <p>This program was built without it; everything else works.</p>\n<pre>{shown}</pre>\n\
         <p>Then build once with <code>PLIANT_REQUIRE_WEB=1 cargo build --release</code>, which tries again.</p>\n</html>\n"
    );
    write(out, &[("index.html", html.into_bytes())], Some(why))
}

fn write(out: &Path, files: &[(&str, Vec<u8>)], missing: Option<&str>) -> io::Result<()> {
    let folder = out.join("page");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let mut code = String::from(
        "/// Path and gzip bytes of every file of the page.\npub static PAGE: &[(&str, &[u8])] = &[\n",
    );
    for (number, (name, bytes)) in files.iter().enumerate() {
        let path: PathBuf = folder.join(format!("{number}.gz"));
        let mut gzip = flate2::write::GzEncoder::new(fs::File::create(&path)?, flate2::Compression::best());
        gzip.write_all(bytes)?;
        gzip.finish()?;
        let _ = writeln!(code, "    ({name:?}, include_bytes!({:?})),", path.display().to_string());
    }
    let _ = write!(
        code,
        "];\n/// Why the page was not built, and what to do; `PAGE` then is a placeholder that says the same.\n\
         pub const PAGE_MISSING: Option<&str> = {missing:?};\n"
    );
    fs::write(out.join("page.rs"), code)
}

/// Names of all files of a folder, with slashes.
fn collect(folder: &Path, prefix: &str, names: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &format!("{name}/"), names)?;
        } else {
            names.push(name);
        }
    }
    Ok(())
}
