//! A page without a browser: it speaks the protocol, and draws nothing.

use std::net::TcpStream;
use std::time::Instant;

use serde_json::{Value, json};
use tungstenite::handshake::client::{Request, generate_key};
use tungstenite::{Message, WebSocket};

use super::program::{PATIENCE, Viewer};

/// A stream to a viewer and what it said last.
pub struct Page {
    /// The stream itself.
    pub socket: WebSocket<TcpStream>,
    /// The last `role`.
    pub role: Value,
    /// The last `status`.
    pub status: Value,
    /// The last frame.
    pub frame: Option<Frame>,
    /// Whether it acknowledges frames by itself.
    pub draws: bool,
    sequence: u32,
}

/// What came in.
#[derive(Debug, PartialEq)]
pub enum Event {
    /// A text or a control message of the socket.
    Said,
    /// The answer to a ping.
    Pong,
    /// A frame.
    Frame,
    /// The end, with its code; none if the connection broke.
    End(Option<u16>),
}

/// A frame, as docs/src/viewer-protocol.md lays it out.
#[derive(Clone, Debug)]
pub struct Frame(Vec<u8>);

impl Frame {
    fn u32_at(&self, at: usize) -> u32 {
        u32::from_le_bytes(self.0[at..at + 4].try_into().unwrap())
    }

    /// Its number.
    pub fn number(&self) -> u32 {
        self.u32_at(8)
    }

    /// The last command that it knows of.
    pub fn sequence(&self) -> u32 {
        self.u32_at(12)
    }

    /// The hash of its topology.
    pub fn topology(&self) -> u64 {
        u64::from(self.u32_at(24)) | u64::from(self.u32_at(28)) << 32
    }

    /// Whether somebody holds a body.
    pub fn is_held(&self) -> bool {
        self.u32_at(4) >> 16 & 2 != 0
    }

    /// The bytes of a block.
    pub fn block(&self, tag: &[u8; 4]) -> Option<&[u8]> {
        let mut at = 64;
        while at < self.0.len() {
            let length = self.u32_at(at + 4) as usize;
            if self.0[at..at + 4] == *tag {
                return Some(&self.0[at + 8..at + 8 + length]);
            }
            at += 8 + length.next_multiple_of(8);
        }
        None
    }

    /// Steps so far: the fifth number of the statistics.
    pub fn steps(&self) -> f64 {
        f64::from_le_bytes(self.block(b"STAT").unwrap()[32..40].try_into().unwrap())
    }

    /// Its size in bytes.
    pub fn size(&self) -> usize {
        self.0.len()
    }
}

/// A viewer and pages that show it running, the first of them in control.
pub fn company<const N: usize>() -> (Viewer, [Page; N]) {
    let viewer = Viewer::start();
    let pages = std::array::from_fn(|_| Page::running(&viewer));
    (viewer, pages)
}

impl Page {
    /// Opens the stream as our own page does.
    pub fn open(viewer: &Viewer) -> Self {
        let request = Request::builder()
            .uri(format!("ws://{}/socket", viewer.host()))
            .header("Host", viewer.host())
            .header("Origin", format!("http://{}", viewer.host()))
            .header("Cookie", viewer.cookie())
            .header("Connection", "Upgrade")
            .header("Upgrade", "websocket")
            .header("Sec-WebSocket-Version", "13")
            .header("Sec-WebSocket-Key", generate_key())
            .body(())
            .unwrap();
        let (socket, _) = tungstenite::client(request, viewer.connect()).unwrap();
        Self { socket, role: Value::Null, status: Value::Null, frame: None, draws: true, sequence: 0 }
    }

    /// One that has its role, its status and its first frame.
    pub fn running(viewer: &Viewer) -> Self {
        let mut page = Self::open(viewer);
        page.until(|page| page.status["phase"] == "running" && page.frame.is_some());
        page
    }

    /// The next thing that happens.
    pub fn next(&mut self) -> Event {
        match self.socket.read() {
            Ok(Message::Text(text)) => {
                let value: Value = serde_json::from_str(&text).unwrap();
                match value["type"].as_str().unwrap() {
                    "role" => self.role = value,
                    "status" => self.status = value,
                    "hello" => assert_eq!(value["protocol"], 3),
                    other => panic!("{other} is not in the protocol"),
                }
                Event::Said
            }
            Ok(Message::Binary(bytes)) => {
                let frame = Frame(bytes.to_vec());
                let number = frame.number();
                self.frame = Some(frame);
                if self.draws {
                    self.ack(number);
                }
                Event::Frame
            }
            Ok(Message::Pong(_)) => Event::Pong,
            Ok(Message::Close(close)) => {
                // the answer, as a browser gives it
                let _ = self.socket.flush();
                Event::End(close.map(|close| close.code.into()))
            }
            Ok(_) => Event::Said,
            Err(_) => Event::End(None),
        }
    }

    /// Reads on until something holds.
    pub fn until(&mut self, holds: impl Fn(&Self) -> bool) {
        let begin = Instant::now();
        while !holds(self) {
            assert!(begin.elapsed() < PATIENCE, "waited in vain; {} {}", self.role, self.status);
            let event = self.next();
            assert!(!matches!(event, Event::End(_)), "{event:?}");
        }
    }

    /// Everything that was sent before is known to the server when this returns; tells whether a frame came meanwhile.
    pub fn sync(&mut self) -> bool {
        self.socket.send(Message::Ping(Vec::new().into())).unwrap();
        let mut frame = false;
        loop {
            match self.next() {
                Event::Pong => return frame,
                Event::Frame => frame = true,
                Event::Said => {}
                Event::End(code) => panic!("ended with {code:?}"),
            }
        }
    }

    /// The code of the end.
    pub fn end(&mut self) -> Option<u16> {
        loop {
            if let Event::End(code) = self.next() {
                return code;
            }
        }
    }

    /// Says something.
    pub fn say(&mut self, message: &Value) {
        self.socket.send(Message::text(message.to_string())).unwrap();
    }

    /// A command with the next sequence number, which is returned.
    pub fn command(&mut self, mut command: Value) -> u32 {
        self.sequence += 1;
        command["sequence"] = self.sequence.into();
        self.say(&command);
        self.sequence
    }

    /// Has drawn a frame. A server that ends the stream may not hear it.
    pub fn ack(&mut self, frame: u32) {
        let _ = self.socket.send(Message::text(json!({"type": "ack", "frame": frame}).to_string()));
    }

    /// The number of the last frame.
    pub fn number(&self) -> u32 {
        self.frame.as_ref().unwrap().number()
    }

    /// Takes hold of a corner where the body is highest, which no fix holds, and pulls it upwards.
    pub fn grab(&mut self, viewer: &Viewer) {
        let hash = self.status["scene"]["topology"].as_str().unwrap().to_owned();
        let topology = viewer.get(&format!("/api/topology/{hash}")).body;
        let number = |at: usize| u32::from_le_bytes(topology[at..at + 4].try_into().unwrap()) as usize;
        let (vertices, triangles) = (number(8), number(12));
        let rest =
            |corner: usize| [0, 4, 8].map(|axis| f32::from_bits(number(24 + 12 * corner + axis) as u32));
        let first_corner = |triangle: &usize| rest(number(24 + 12 * vertices + 12 * triangle));
        let height = |triangle: &usize| first_corner(triangle)[2];
        let highest = (0..triangles).max_by(|a, b| height(a).total_cmp(&height(b))).unwrap();
        let [x, y, z] = first_corner(&highest);
        let target = [x, y, z + 0.1];
        self.command(json!({
            "type": "grab", "topology": hash, "triangle": highest, "weights": [1.0, 0.0, 0.0], "target": target,
        }));
    }
}
