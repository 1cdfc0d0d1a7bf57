//! Connections: so many at a time, each for so long.

use std::net::{IpAddr, SocketAddr, TcpListener, ToSocketAddrs as _};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::http::HeaderValue;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use rustix::net::sockopt::set_socket_send_buffer_size;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Semaphore;

use crate::app::{FORWARDED_SCHEME, router};
use crate::error::ServeError;
use crate::guard::Neighbours;
use crate::limits::{
    CONNECTIONS_MAX, HEAD_BYTES_MAX, HEADER_TIME_MAX, HEADERS_MAX, REQUEST_TIME_MAX,
    SEND_BUFFER_BYTES, THREADS_MAX,
};
use crate::live::{Hub, Lease};
use crate::niceness::yield_to_others;
use crate::operations::Upkeep;
use crate::permission::Permission;
use crate::served_replays::ServedReplays;
use crate::tls::Tls;
use crate::work::{self, Work};

/// What is served, and where.
pub struct Plan {
    /// An address with its port, `127.0.0.1:8080`; port 0 is any that is free.
    pub listen: String,
    pub replays: ServedReplays,
    pub neighbours: Neighbours,
    /// Jobs for workers, if they are served.
    pub work: Option<Work>,
    /// Whoever knows it may begin matches from elsewhere. With one, nobody may without it.
    pub token: Option<String>,
    /// What this process plays. Its server yields to it.
    pub live: Option<Hub>,
}

/// A server that listens and does not answer yet.
pub struct Server {
    listeners: Vec<TcpListener>,
    router: Router,
    yields: bool,
    tls: Option<Tls>,
}

impl Server {
    /// # Errors
    /// The address cannot be listened on.
    pub fn bind(plan: Plan) -> Result<Server, ServeError> {
        let failed = |reason| ServeError::Listen { address: plan.listen.clone(), reason };
        let addresses: Vec<SocketAddr> = plan.listen.to_socket_addrs().map_err(failed)?.collect();
        let mut listeners: Vec<TcpListener> = Vec::new();
        for mut address in addresses {
            // `localhost` is two addresses; a free port must be the same on both.
            if let (0, Some(first)) = (address.port(), listeners.first()) {
                address.set_port(first.local_addr().map_err(failed)?.port());
            }
            match TcpListener::bind(address) {
                Ok(listener) => listeners.push(listener),
                Err(_) if !listeners.is_empty() => {}
                Err(reason) => return Err(failed(reason)),
            }
        }
        for listener in &listeners {
            listener.set_nonblocking(true).map_err(failed)?;
        }
        let yields = plan.live.is_some();
        let is_local = |listener: &TcpListener| {
            listener.local_addr().is_ok_and(|address| address.ip().is_loopback())
        };
        let is_local = listeners.iter().all(is_local);
        let work = plan.work.map(Arc::new);
        let upkeep = Upkeep { store: plan.replays.store().cloned(), work: work.clone() };
        let permission = Permission::new(is_local, plan.token.as_deref(), work.clone());
        let jobs = work.map(|work| work::router(work, &plan.neighbours));
        let pages = router(plan.replays, plan.neighbours, plan.live, upkeep, permission);
        let router = jobs.unwrap_or_default().merge(pages);
        Ok(Server { listeners, router, yields, tls: None })
    }

    /// The same, by connections that nobody else can read.
    #[must_use]
    pub fn with_tls(self, tls: Tls) -> Server {
        Server { tls: Some(tls), ..self }
    }

    pub fn has_tls(&self) -> bool {
        self.tls.is_some()
    }

    /// Where it listens.
    pub fn address(&self) -> Option<SocketAddr> {
        self.listeners.first().and_then(|listener| listener.local_addr().ok())
    }

    /// Where a browser on this machine finds it.
    pub fn url(&self) -> String {
        let scheme = self.scheme();
        self.address().map_or_else(String::new, |address| format!("{scheme}://{address}"))
    }

    /// Where others find it: by its name, if it was given one, else where it listens, which is this machine if it
    /// listens everywhere.
    pub fn reached_at(&self, hosts: &[String]) -> String {
        let Some(address) = self.address() else { return String::new() };
        let (scheme, port) = (self.scheme(), address.port());
        match (hosts.first(), address.ip()) {
            (Some(name), _) => format!("{scheme}://{name}:{port}"),
            (None, ip) if !ip.is_unspecified() => format!("{scheme}://{address}"),
            (None, IpAddr::V4(_)) => format!("{scheme}://127.0.0.1:{port}"),
            (None, IpAddr::V6(_)) => format!("{scheme}://[::1]:{port}"),
        }
    }

    fn scheme(&self) -> &'static str {
        if self.has_tls() { "https" } else { "http" }
    }

    /// Answers until the process ends.
    ///
    /// # Errors
    /// The system gives no threads or sockets.
    pub fn run(self) -> Result<(), ServeError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(THREADS_MAX)
            .on_thread_start(move || {
                if self.yields {
                    yield_to_others()
                }
            })
            .enable_all()
            .build()
            .map_err(ServeError::Threads)?;
        runtime.block_on(async move {
            let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
            let mut accepting = Vec::new();
            for listener in self.listeners {
                let listener =
                    tokio::net::TcpListener::from_std(listener).map_err(ServeError::Threads)?;
                let (router, tls) = (self.router.clone(), self.tls.clone());
                accepting.push(tokio::spawn(accept(listener, router, tls, places.clone())));
            }
            for task in accepting {
                let _ = task.await;
            }
            Ok(())
        })
    }
}

async fn accept(
    listener: tokio::net::TcpListener,
    router: Router,
    tls: Option<Tls>,
    places: Arc<Semaphore>,
) {
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        let Ok((stream, _)) = listener.accept().await else {
            // Out of files, or a client that has gone: others may do better in a moment.
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            continue;
        };
        let (router, tls) = (router.clone(), tls.clone());
        tokio::spawn(async move {
            let _place = place;
            // A connection without it only takes more memory.
            let _ = set_socket_send_buffer_size(&stream, SEND_BUFFER_BYTES);
            match tls {
                None => serve(stream, router, None, Lease::new(), REQUEST_TIME_MAX).await,
                Some(tls) => {
                    if let Some(stream) = tls.greet(stream).await {
                        let scheme = Some(HeaderValue::from_static("https"));
                        serve(stream, router, scheme, Lease::new(), REQUEST_TIME_MAX).await;
                    }
                }
            }
        });
    }
}

/// Answers one client until its time is up. `scheme` is how it must have called, if that is known. When less time
/// is left than a request may take, the one that is being answered is the last: whoever asks on is told to connect
/// anew, so that none is cut off in its middle.
async fn serve(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    router: Router,
    scheme: Option<HeaderValue>,
    lease: Lease,
    last_request: Duration,
) {
    let known = lease.clone();
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(known.clone());
        if let Some(scheme) = &scheme {
            request.headers_mut().insert(FORWARDED_SCHEME, scheme.clone());
        }
        TowerToHyperService::new(router.clone()).call(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIME_MAX)
        .max_buf_size(HEAD_BYTES_MAX)
        .max_headers(HEADERS_MAX)
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = std::pin::pin!(connection);
    // The lease may have become longer when it is up.
    while Instant::now() + last_request < lease.until() {
        let until = lease.until() - last_request;
        if tokio::time::timeout_at(until.into(), connection.as_mut()).await.is_ok() {
            return;
        }
    }
    connection.as_mut().graceful_shutdown();
    while Instant::now() < lease.until() {
        let served = tokio::time::timeout_at(lease.until().into(), connection.as_mut()).await;
        if served.is_ok() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;

    use axum::routing::get;

    use super::*;

    #[test]
    fn a_request_at_the_end_of_a_connection_is_answered_as_its_last() {
        let slowly = || async {
            tokio::time::sleep(Duration::from_millis(300)).await;
            "an answer"
        };
        let router = Router::new().route("/", get(slowly));
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let mut client =
            TcpStream::connect(listener.local_addr().expect("it has one")).expect("it listens");
        let (stream, _) = listener.accept().expect("somebody came");
        stream.set_nonblocking(true).expect("it is ours");
        client.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("it listens");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a runtime").block_on(async {
            let stream = tokio::net::TcpStream::from_std(stream).expect("a stream");
            let life = Duration::from_secs(60);
            let last_request = life - Duration::from_millis(100);
            serve(stream, router, None, Lease::lasting(life), last_request).await;
        });
        let mut answer = String::new();
        client.read_to_string(&mut answer).expect("it ends");
        assert!(answer.contains("\r\nconnection: close\r\n"), "{answer}");
        assert!(answer.ends_with("an answer"), "{answer}");
    }
}
