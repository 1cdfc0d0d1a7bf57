//! What was made once and may be wanted again. Whoever wants what is being made waits for it; at most a
//! few are made at the same time; what was not wanted for longest goes first.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OnceCell, Semaphore};

use crate::error::Refusal;
use crate::limits::{CACHE_BYTES_MAX, MAKERS_MAX};

/// Something that was made.
pub(crate) trait Weighed: Send + Sync + 'static {
    /// About what it takes in memory.
    fn bytes(&self) -> usize;
}

type Made<V> = Result<Arc<V>, Refusal>;

pub(crate) struct Cache<K, V> {
    entries: Mutex<Entries<K, V>>,
    makers: Arc<Semaphore>,
}

struct Entries<K, V> {
    by_key: HashMap<K, Entry<V>>,
    bytes: usize,
    clock: u64,
}

struct Entry<V> {
    cell: Arc<OnceCell<Made<V>>>,
    bytes: usize,
    used: u64,
}

/// What a refusal takes: its key and a sentence.
const REFUSAL_BYTES: usize = 1024;

impl<K: Clone + Eq + Hash + Send + 'static, V: Weighed> Cache<K, V> {
    pub(crate) fn new() -> Arc<Self> {
        let entries = Entries { by_key: HashMap::new(), bytes: 0, clock: 0 };
        let makers = Arc::new(Semaphore::new(MAKERS_MAX));
        Arc::new(Cache { entries: Mutex::new(entries), makers })
    }

    /// What is kept of `key`, or what `make` makes of it on a thread that may wait. It is made to its end
    /// even if whoever wanted it has gone.
    pub(crate) async fn get(
        self: &Arc<Self>,
        key: K,
        make: impl FnOnce() -> Result<V, Refusal> + Send + 'static,
    ) -> Made<V> {
        let (cell, cache) = (self.cell(&key), Arc::clone(self));
        if let Some(made) = cell.get() {
            return made.clone();
        }
        let making = tokio::spawn(async move {
            let made = cell.get_or_init(|| cache.make(make)).await.clone();
            cache.weigh(&key, &made);
            made
        });
        making.await.unwrap_or(Err(Refusal::TooSlow))
    }

    async fn make(&self, make: impl FnOnce() -> Result<V, Refusal> + Send + 'static) -> Made<V> {
        let permit = Arc::clone(&self.makers).acquire_owned().await;
        let made = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            make()
        });
        let broken = || Refusal::Unplayable("This match cannot be shown.".to_owned());
        made.await.unwrap_or_else(|_| Err(broken())).map(Arc::new)
    }

    fn cell(&self, key: &K) -> Arc<OnceCell<Made<V>>> {
        let mut entries = self.lock();
        entries.clock += 1;
        let used = entries.clock;
        let new = || Entry { cell: Arc::default(), bytes: 0, used };
        let entry = entries.by_key.entry(key.clone()).or_insert_with(new);
        entry.used = used;
        Arc::clone(&entry.cell)
    }

    fn weigh(&self, key: &K, made: &Made<V>) {
        let bytes = made.as_ref().map_or(REFUSAL_BYTES, |made| made.bytes() + REFUSAL_BYTES);
        let mut entries = self.lock();
        if let Some(entry) = entries.by_key.get_mut(key).filter(|entry| entry.bytes == 0) {
            entry.bytes = bytes;
            entries.bytes += bytes;
        }
        entries.shrink();
    }

    fn lock(&self) -> MutexGuard<'_, Entries<K, V>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Clone + Eq + Hash, V> Entries<K, V> {
    fn shrink(&mut self) {
        while self.bytes > CACHE_BYTES_MAX {
            // What is being made has no weight yet.
            let made = self.by_key.iter().filter(|(_, entry)| entry.bytes > 0);
            let Some((oldest, _)) = made.min_by_key(|(_, entry)| entry.used) else { return };
            let oldest = oldest.clone();
            if let Some(entry) = self.by_key.remove(&oldest) {
                self.bytes -= entry.bytes;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    struct Block(usize);

    impl Weighed for Block {
        fn bytes(&self) -> usize {
            self.0
        }
    }

    fn run(test: impl Future<Output = ()>) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build();
        runtime.expect("threads").block_on(test);
    }

    #[test]
    fn what_many_want_is_made_once() {
        run(async {
            let (cache, count) = (Cache::<u32, Block>::new(), Arc::new(AtomicUsize::new(0)));
            let wanted = (0..20).map(|_| {
                let (cache, count) = (Arc::clone(&cache), Arc::clone(&count));
                tokio::spawn(async move {
                    let make = move || {
                        std::thread::sleep(std::time::Duration::from_millis(20));
                        count.fetch_add(1, Ordering::SeqCst);
                        Ok(Block(10))
                    };
                    cache.get(1, make).await.map(|block| block.0)
                })
            });
            for block in wanted.collect::<Vec<_>>() {
                assert_eq!(block.await.expect("no panic"), Ok(10));
            }
            assert_eq!(count.load(Ordering::SeqCst), 1);
        });
    }

    #[test]
    fn no_more_is_kept_than_there_is_room_for() {
        run(async {
            let cache = Cache::<usize, Block>::new();
            for key in 0..50 {
                let made = cache.get(key, || Ok(Block(CACHE_BYTES_MAX / 4))).await;
                assert!(made.is_ok());
            }
            let entries = cache.lock();
            assert!(entries.bytes <= CACHE_BYTES_MAX, "{}", entries.bytes);
            assert_eq!(entries.by_key.len(), 3);
            assert!(entries.by_key.contains_key(&49), "the latest stays");
        });
    }
}
