//! A page on disk that leads the browser here. Arguments of programs can be read by every user of a machine, so the token is not one: the
//! browser is given the name of this file, which only its owner can read.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::token::Token;

/// The page, which is removed with this.
pub struct Redirect {
    folder: PathBuf,
    file: PathBuf,
}

impl Redirect {
    /// Leads to an address.
    pub fn to(url: &str) -> io::Result<Self> {
        // a name that nobody can have taken before
        let name = Token::random().map_err(|_| io::Error::other("the system gives no random numbers"))?;
        let folder = std::env::temp_dir().join(format!("pliant-{}", &name.to_string()[..16]));
        let mut builder = DirBuilder::new();
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        {
            std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        }
        builder.create(&folder)?;
        let file = folder.join("open-the-viewer.html");
        let redirect = Self { folder, file };
        let page = format!(
            "<!doctype html>\n<meta charset=\"utf-8\">\n<title>Pliant</title>\n<meta http-equiv=\"refresh\" content=\"0; url={url}\">\n\
             <p><a href=\"{url}\">To Pliant's viewer</a></p>\n"
        );
        options.open(&redirect.file)?.write_all(page.as_bytes())?;
        Ok(redirect)
    }

    /// The file to open.
    pub fn file(&self) -> &Path {
        &self.file
    }
}

impl Drop for Redirect {
    fn drop(&mut self) {
        // what is gone already need not go
        let _ = fs::remove_file(&self.file);
        let _ = fs::remove_dir(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn nobody_else_can_read_it_and_nothing_of_it_stays() {
        use std::os::unix::fs::PermissionsExt;
        let redirect = Redirect::to("http://127.0.0.1:1/?token=abc").unwrap();
        let (file, folder) = (redirect.file().to_owned(), redirect.folder.clone());
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&file), mode(&folder)), (0o600, 0o700));
        assert!(fs::read_to_string(&file).unwrap().contains("url=http://127.0.0.1:1/?token=abc\""));
        drop(redirect);
        assert!(!file.exists() && !folder.exists());
    }
}
