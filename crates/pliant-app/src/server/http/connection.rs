//! One TCP connection: it has its place as long as it lives, is cut off when nobody reads, and ends so that the last answer arrives.

use std::future::poll_fn;
use std::io::{Error, ErrorKind, IoSlice, Result};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::runtime::Handle;
use tokio::time::{Sleep, sleep, timeout};

use super::answer::protection_lines;
use super::places::Place;

/// How long a peer may refuse to take data.
const STALL: Duration = Duration::from_secs(10);

/// How long what a peer still sends is read and thrown away. A socket that is closed with unread data resets the
/// connection, and the peer may then lose the answer that said why.
const LINGER: Duration = Duration::from_secs(1);

/// A stream with its place among the connections.
pub struct Connection {
    // taken when it ends
    stream: Option<TcpStream>,
    place: Option<Place>,
    stall: Option<Pin<Box<Sleep>>>,
    /// An answer that is written in place of another, and how much of it is out.
    instead: Option<(Vec<u8>, usize)>,
}

impl Connection {
    /// Takes over a stream.
    pub fn new(stream: TcpStream, place: Place) -> Self {
        Self { stream: Some(stream), place: Some(place), stall: None, instead: None }
    }

    fn stream(&mut self) -> Result<Pin<&mut TcpStream>> {
        self.stream.as_mut().map(Pin::new).ok_or(Error::from(ErrorKind::NotConnected))
    }

    /// Nothing could be written: wait, but not for ever.
    fn stalled(&mut self, context: &mut Context<'_>) -> Poll<Result<usize>> {
        let stall = self.stall.get_or_insert_with(|| Box::pin(sleep(STALL)));
        ready!(stall.as_mut().poll(context));
        Poll::Ready(Err(Error::from(ErrorKind::TimedOut)))
    }

    fn written(&mut self, result: Poll<Result<usize>>, context: &mut Context<'_>) -> Poll<Result<usize>> {
        if result.is_pending() {
            return self.stalled(context);
        }
        self.stall = None;
        result
    }

    /// Writes a bare answer of hyper with the headers that every answer has; none if `data` is not one.
    fn protected(&mut self, data: &[u8], cx: &mut Context<'_>) -> Option<Poll<Result<usize>>> {
        if self.instead.is_none() {
            self.instead = Some((with_protection(data)?, 0));
        }
        let (answer, mut out) = self.instead.take()?;
        while out < answer.len() {
            let wrote = match self.stream() {
                Ok(stream) => stream.poll_write(cx, &answer[out..]),
                Err(error) => return Some(Poll::Ready(Err(error))),
            };
            match self.written(wrote, cx) {
                Poll::Ready(Ok(bytes)) => out += bytes,
                Poll::Ready(Err(error)) => return Some(Poll::Ready(Err(error))),
                Poll::Pending => {
                    self.instead = Some((answer, out));
                    return Some(Poll::Pending);
                }
            }
        }
        Some(Poll::Ready(Ok(data.len())))
    }
}

/// The head of an answer that hyper gives by itself to what it cannot read, with our headers; none if `data` is something else.
fn with_protection(data: &[u8]) -> Option<Vec<u8>> {
    let head = data.strip_suffix(b"\r\n\r\n").filter(|head| head.starts_with(b"HTTP/1.1 4"))?;
    let text = std::str::from_utf8(head).ok()?;
    let bare = text.contains("content-length: 0") && !text.contains("content-security-policy");
    bare.then(|| format!("{text}\r\n{}\r\n", protection_lines()).into_bytes())
}

impl AsyncRead for Connection {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<Result<()>> {
        self.stream()?.poll_read(cx, into)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, data: &[u8]) -> Poll<Result<usize>> {
        if let Some(result) = self.protected(data, cx) {
            return result;
        }
        let result = self.stream()?.poll_write(cx, data);
        self.written(result, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        data: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        let first = data.iter().find(|part| !part.is_empty());
        if let Some(result) = first.and_then(|part| self.protected(part, cx)) {
            return result;
        }
        let result = self.stream()?.poll_write_vectored(cx, data);
        self.written(result, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.as_ref().is_some_and(AsyncWrite::is_write_vectored)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        self.stream()?.poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        self.stream()?.poll_shutdown(cx)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let (Some(stream), Some(place), Ok(runtime)) =
            (self.stream.take(), self.place.take(), Handle::try_current())
        else {
            return;
        };
        if place.standing().must_leave() {
            // at once: its place is taken
            return;
        }
        runtime.spawn(async move {
            // a peer that goes on is cut off all the same
            tokio::select! {
                _ = timeout(LINGER, drain(stream)) => {}
                () = place.standing().crowded_out() => {}
            }
        });
    }
}

/// Says that nothing more comes, and reads until the peer says so too.
async fn drain(mut stream: TcpStream) -> Result<()> {
    poll_fn(|cx| Pin::new(&mut stream).poll_shutdown(cx)).await?;
    let mut waste = [0; 4096];
    loop {
        stream.readable().await?;
        match stream.try_read(&mut waste) {
            Ok(0) => return Ok(()),
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
}
