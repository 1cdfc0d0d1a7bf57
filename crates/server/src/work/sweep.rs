//! Forgets orders that nobody asks about any more, and files that no order needs.

use std::collections::BTreeSet;
use std::sync::PoisonError;
use std::time::Instant;

use quintain_arena::work::Order;
use quintain_store::StoreError;

use super::Work;
use super::limits::SWEEP_PAUSE;

/// Does so once in a while, when an order is placed. What fails is tried again the next time.
pub(super) fn sweep(work: &Work) {
    {
        let mut swept = work.swept.lock().unwrap_or_else(PoisonError::into_inner);
        if swept.is_some_and(|swept| swept.elapsed() < SWEEP_PAUSE) {
            return;
        }
        *swept = Some(Instant::now());
    }
    let _ = sweep_now(work);
}

fn sweep_now(work: &Work) -> Result<(), StoreError> {
    for order in work.board.sweep()? {
        work.blobs.forget_order(order);
    }
    let orders = work.board.orders()?;
    let needed: BTreeSet<String> = orders
        .iter()
        .filter_map(|(_, body)| serde_json::from_str::<Order>(body).ok())
        .flat_map(|order| order.archives().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    work.blobs.keep_replays_of(&orders.iter().map(|(order, _)| *order).collect());
    work.blobs.trim_bots(&needed);
    Ok(())
}
