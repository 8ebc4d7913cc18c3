//! The program in the background, and requests written by hand.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use tempfile::NamedTempFile;

/// The secret in the cookies of the tests.
pub const TOKEN: &str = "0123456789abcdef0123456789ABCDEF";

/// What nothing in these tests takes on a working machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A running viewer, which is ended with this.
pub struct Viewer {
    child: Child,
    said: BufReader<ChildStdout>,
    errors: NamedTempFile,
    /// What it printed first.
    pub first_line: String,
    /// The port in it.
    pub port: u16,
}

impl Viewer {
    /// On any port, with the tests' token.
    pub fn start() -> Self {
        Self::with(&["--port", "0"], Some(TOKEN))
    }

    /// With a scene file.
    pub fn showing(scene: &Path) -> Self {
        Self::with(&["--port", "0", &scene.display().to_string()], Some(TOKEN))
    }

    /// With arguments and a token in the environment.
    pub fn with(arguments: &[&str], token: Option<&str>) -> Self {
        Self::of(command(arguments, token))
    }

    /// One that opens a browser, by an xdg-open in this folder.
    pub fn opening(opener: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
        let path = std::env::join_paths([opener, Path::new("/usr/bin"), Path::new("/bin")]).unwrap();
        command.args(["view", "--threads", "1", "--port", "0"]).env("PATH", path).env("DISPLAY", ":0");
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        Self::of(command)
    }

    fn of(mut command: Command) -> Self {
        let errors = NamedTempFile::new().unwrap();
        let mut child = command.stderr(errors.reopen().unwrap()).spawn().unwrap();
        let mut said = BufReader::new(child.stdout.take().unwrap());
        let mut first_line = String::new();
        said.read_line(&mut first_line).unwrap();
        let port = first_line.strip_prefix("Pliant's viewer: http://127.0.0.1:");
        let port = port.and_then(|rest| rest.split('/').next()?.parse().ok());
        let port = port.unwrap_or_else(|| panic!("it said {first_line:?} and {}", text_of(&errors)));
        Self { child, said, errors, first_line: first_line.trim_end().into(), port }
    }

    /// The id of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The next line that it prints.
    pub fn next_line(&mut self) -> String {
        let mut line = String::new();
        self.said.read_line(&mut line).unwrap();
        line.trim_end().into()
    }

    /// What it wrote on standard error so far.
    pub fn errors(&self) -> String {
        text_of(&self.errors)
    }

    /// The Host of our own requests.
    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// The cookie of our own requests.
    pub fn cookie(&self) -> String {
        format!("pliant_{}={TOKEN}", self.port)
    }

    /// The token in an address that it printed.
    pub fn invitation(line: &str) -> String {
        line.split("?token=").nth(1).unwrap_or_else(|| panic!("no token in {line:?}")).to_owned()
    }

    /// A connection.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        stream
    }

    /// What a request with these headers and no others is answered.
    pub fn ask(&self, target: &str, headers: &[(&str, &str)]) -> Answer {
        self.send(head("GET", target, headers).as_bytes()).unwrap()
    }

    /// What our own page's request is answered.
    pub fn get(&self, target: &str) -> Answer {
        self.ask(target, &[("Host", &self.host()), ("Cookie", &self.cookie())])
    }

    /// What the request for a stream is answered, our own Host in it.
    pub fn upgrade(&self, more: &[(&str, &str)]) -> u16 {
        let host = self.host();
        let mut headers = vec![
            ("Host", host.as_str()),
            ("Connection", "Upgrade"),
            ("Upgrade", "websocket"),
            ("Sec-WebSocket-Version", "13"),
            ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ];
        headers.extend(more);
        self.ask("/socket", &headers).status
    }

    /// Sends bytes and reads one answer; nothing if the connection ends without one.
    pub fn send(&self, bytes: &[u8]) -> Option<Answer> {
        let mut stream = self.connect();
        // a server that has heard enough may close before all is sent
        let _ = stream.write_all(bytes);
        Answer::read(&mut stream)
    }

    /// Waits for its end.
    pub fn wait(&mut self) -> ExitStatus {
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("the viewer does not end");
    }

    /// Ctrl-C.
    #[cfg(unix)]
    pub fn interrupt(&self) {
        let status = Command::new("kill").args(["-INT", &self.id().to_string()]).status().unwrap();
        assert!(status.success());
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if !std::thread::panicking() {
            let errors = self.errors();
            assert!(!errors.contains("panicked"), "the server panicked: {errors}");
        }
    }
}

/// The program, ready to start.
pub fn command(arguments: &[&str], token: Option<&str>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
    command
        .args(["view", "--no-open", "--threads", "1"])
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    match token {
        Some(token) => command.env("PLIANT_TOKEN", token),
        None => command.env_remove("PLIANT_TOKEN"),
    };
    command
}

fn text_of(file: &NamedTempFile) -> String {
    std::fs::read_to_string(file.path()).unwrap()
}

/// The head of a request.
pub fn head(method: &str, target: &str, headers: &[(&str, &str)]) -> String {
    let lines: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    format!("{method} {target} HTTP/1.1\r\n{lines}\r\n")
}

/// An answer, read byte by byte.
#[derive(Debug)]
pub struct Answer {
    /// Such as 200.
    pub status: u16,
    /// Names in small letters.
    pub headers: Vec<(String, String)>,
    /// What followed.
    pub body: Vec<u8>,
}

impl Answer {
    /// Reads one; nothing if the connection ends before it begins.
    pub fn read(stream: &mut TcpStream) -> Option<Self> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            match stream.read(&mut byte) {
                Ok(0) => return None,
                Ok(_) => head.push(byte[0]),
                Err(e) if matches!(e.kind(), ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted) => {
                    return None;
                }
                Err(e) => panic!("{e}"),
            }
        }
        let head = String::from_utf8(head).unwrap();
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let pairs = lines.filter_map(|line| line.split_once(": "));
        let headers: Vec<_> = pairs.map(|(name, value)| (name.to_lowercase(), value.to_owned())).collect();
        let mut answer = Self { status, headers, body: Vec::new() };
        let length = answer.header("content-length").and_then(|text| text.parse().ok()).unwrap_or(0);
        answer.body = vec![0; length];
        stream.read_exact(&mut answer.body).unwrap();
        Some(answer)
    }

    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }
}
