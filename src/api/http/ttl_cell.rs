//! One value in the memory of the isolate that costs much to read, and is told again for a while.

use std::cell::RefCell;

/// A value, and when it was read.
#[derive(Debug)]
pub struct TtlCell<T>(RefCell<Option<(i64, T)>>);

impl<T> Default for TtlCell<T> {
    fn default() -> Self {
        TtlCell(RefCell::default())
    }
}

impl<T: Clone> TtlCell<T> {
    /// The value, if it was read less than `for_ms` before `now_ms`, and else what `read` reads. An error of `read` is not kept.
    pub async fn or_read<E>(&self, now_ms: i64, for_ms: i64, read: impl Future<Output = Result<T, E>>) -> Result<T, E> {
        if let Some(value) = self.younger(now_ms, for_ms) {
            return Ok(value);
        }
        let value = read.await?;
        self.0.replace(Some((now_ms, value.clone())));
        Ok(value)
    }

    fn younger(&self, now_ms: i64, for_ms: i64) -> Option<T> {
        let kept = self.0.borrow();
        let (read_ms, value) = kept.as_ref()?;
        let is_young = (0..for_ms).contains(&now_ms.saturating_sub(*read_ms));
        is_young.then(|| value.clone())
    }
}
