//! Connections: so many at a time, each for so long.

use std::net::{SocketAddr, TcpListener, ToSocketAddrs as _};
use std::sync::Arc;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::sync::Semaphore;

use crate::app::router;
use crate::error::ServeError;
use crate::guard::Neighbours;
use crate::limits::{
    CONNECTION_TIME_MAX, CONNECTIONS_MAX, HEAD_BYTES_MAX, HEADER_TIME_MAX, HEADERS_MAX, THREADS_MAX,
};
use crate::shelf::Shelf;

/// What is served, and where.
pub struct Plan {
    /// An address with its port, `127.0.0.1:8080`; port 0 is any that is free.
    pub listen: String,
    pub shelf: Shelf,
    pub neighbours: Neighbours,
}

/// A server that listens and does not answer yet.
pub struct Server {
    listeners: Vec<TcpListener>,
    router: Router,
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
        Ok(Server { listeners, router: router(plan.shelf, plan.neighbours) })
    }

    /// Where it listens.
    pub fn address(&self) -> Option<SocketAddr> {
        self.listeners.first().and_then(|listener| listener.local_addr().ok())
    }

    /// Answers until the process ends.
    ///
    /// # Errors
    /// The system gives no threads or sockets.
    pub fn run(self) -> Result<(), ServeError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(THREADS_MAX)
            .enable_all()
            .build()
            .map_err(ServeError::Threads)?;
        runtime.block_on(async move {
            let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
            let mut accepting = Vec::new();
            for listener in self.listeners {
                let listener =
                    tokio::net::TcpListener::from_std(listener).map_err(ServeError::Threads)?;
                accepting.push(tokio::spawn(accept(listener, self.router.clone(), places.clone())));
            }
            for task in accepting {
                let _ = task.await;
            }
            Ok(())
        })
    }
}

async fn accept(listener: tokio::net::TcpListener, router: Router, places: Arc<Semaphore>) {
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        let Ok((stream, _)) = listener.accept().await else {
            // Out of files, or a client that has gone: others may do better in a moment.
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            continue;
        };
        let router = router.clone();
        tokio::spawn(async move {
            let _place = place;
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEADER_TIME_MAX)
                .max_buf_size(HEAD_BYTES_MAX)
                .max_headers(HEADERS_MAX)
                .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
            let _ = tokio::time::timeout(CONNECTION_TIME_MAX, connection).await;
        });
    }
}
