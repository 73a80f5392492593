//! TCP connections and timers of the runtime.
//!
//! The runtime holds back what an object writes to a socket until what the object has stored is durable, as it does with
//! responses (its output gate). So a note that is stored before a write is safe when the other side sees the octets.

use std::io::Result as IoResult;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use wasm_bindgen_futures::spawn_local;
use worker::{Delay, SecureTransport, Socket};

use crate::base::ports::PortError;

/// Waits for so many milliseconds.
pub async fn sleep(ms: i64) {
    let ms = u64::try_from(ms).unwrap_or(0);
    // A timer of JavaScript holds 31 bits.
    Delay::from(Duration::from_millis(ms.min(0x7FFF_FFFF))).await;
}

/// Connects to a port, and waits until the connection stands.
pub async fn connect(host: &str, port: u16, tls: bool) -> Result<Connection, PortError> {
    let security = match tls {
        true => SecureTransport::On,
        false => SecureTransport::Off,
    };
    let failed = |error: worker::Error| PortError::unavailable("socket", error);
    let socket = Socket::builder()
        .secure_transport(security)
        .connect(host, port)
        .map_err(failed)?;
    let connection = Connection(Some(socket));
    if let Some(socket) = &connection.0 {
        socket.opened().await.map_err(failed)?;
    }
    Ok(connection)
}

/// A TCP connection. It is closed when it is dropped.
#[derive(Debug)]
pub struct Connection(Option<Socket>);

impl Connection {
    fn socket(&mut self) -> IoResult<Pin<&mut Socket>> {
        let socket = self.0.as_mut().map(Pin::new);
        socket.ok_or_else(|| std::io::ErrorKind::NotConnected.into())
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if let Some(mut socket) = self.0.take() {
            spawn_local(async move {
                // A connection that is broken already has nothing to close.
                let _ = socket.close().await;
            });
        }
    }
}

impl AsyncRead for Connection {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<IoResult<()>> {
        self.socket()?.poll_read(context, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, octets: &[u8]) -> Poll<IoResult<usize>> {
        self.socket()?.poll_write(context, octets)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<IoResult<()>> {
        self.socket()?.poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<IoResult<()>> {
        self.socket()?.poll_shutdown(context)
    }
}
