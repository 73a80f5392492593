//! A world as the platform of the service.

use futures_util::stream;
use peyk::account;
use peyk::base::body::beginning;
use peyk::base::metrics::work::Tally;
use peyk::base::ports::{IncomingResponse, OutgoingRequest, Platform, PortError};

use super::calls::Mishap;
use super::client::Bytes;
use super::conformity;
use super::directory::Directory;
use super::give_way;
use super::objects::ObjectName;
use super::world::World;

impl Platform for World {
    type Db = Directory;
    type Socket = tokio::io::DuplexStream;
    type Body = Bytes;

    fn db(&self) -> &Directory {
        &self.db
    }

    fn now_ms(&self) -> i64 {
        self.now_ms.get()
    }

    fn tally(&self) -> &Tally {
        &self.tally
    }

    fn random(&self, bytes: &mut [u8]) -> Result<(), PortError> {
        for byte in bytes {
            *byte = u8::try_from(self.dice.below(256)).unwrap();
        }
        Ok(())
    }

    fn log(&self, line: &str) {
        self.log.borrow_mut().push(line.to_owned());
        if self.is_apart.get() {
            self.log_apart.borrow_mut().push(line.to_owned());
        }
    }

    fn begin_trace(&self, own_id: &str) {
        self.trace.replace(Some(own_id.to_owned()));
    }

    fn trace(&self) -> Option<String> {
        self.trace.borrow().clone()
    }

    fn log_apart(&self) {
        self.is_apart.set(true);
    }

    fn setting(&self, name: &str) -> Option<String> {
        self.settings.borrow().get(name).cloned()
    }

    async fn key(&self, digest: &str) -> Result<Option<String>, PortError> {
        self.let_others_run().await;
        self.kv_calls.borrow_mut().push(("get", digest.to_owned()));
        self.reach_keys()?;
        Ok(self.keys.borrow().get(digest).cloned())
    }

    async fn count_failure(&self, address: &str) -> bool {
        let mut failures = self.failures.borrow_mut();
        let minute = self.now_ms.get() / 60_000;
        let count = failures.entry((address.to_owned(), minute)).or_insert(0);
        *count += 1;
        *count <= 60
    }

    async fn put_key(&self, digest: &str, record: &str) -> Result<(), PortError> {
        self.let_others_run().await;
        self.kv_calls.borrow_mut().push(("put", digest.to_owned()));
        self.reach_keys()?;
        self.keys.borrow_mut().insert(digest.to_owned(), record.to_owned());
        self.let_others_run().await;
        Ok(())
    }

    async fn delete_key(&self, digest: &str) -> Result<(), PortError> {
        self.let_others_run().await;
        self.kv_calls.borrow_mut().push(("delete", digest.to_owned()));
        self.reach_keys()?;
        self.keys.borrow_mut().remove(digest);
        self.let_others_run().await;
        Ok(())
    }

    async fn sleep(&self, ms: i64) {
        if ms <= 0 {
            self.note_wait_for_nothing();
        }
        self.network.timers.until(self.now_ms.get() + ms).await;
    }

    async fn connect(&self, _host: &str, port: u16, _tls: bool) -> Result<Self::Socket, PortError> {
        self.network.connect(port)
    }

    /// There is no network in native tests, only a receiver or a gateway that a test may set up.
    async fn fetch(&self, request: &OutgoingRequest) -> Result<IncomingResponse, PortError> {
        if request.headers.iter().any(|(name, _)| *name == "webhook-id") {
            conformity::check_event(&request.body);
        }
        if self.outside_hangs.get() {
            self.sleep(request.timeout_ms.into()).await;
            return Err(PortError::unavailable("fetch", "no response in time"));
        }
        let answer = self.receiver.borrow_mut().as_mut().map(|receiver| receiver(request));
        match answer {
            Some(Some(answer)) => {
                if self.receiver_takes_ms.get() > 0 {
                    self.sleep(self.receiver_takes_ms.get()).await;
                }
                let mut response = answer?;
                let pieces = stream::iter([Ok::<_, PortError>(response.body.into_bytes())]);
                response.body = beginning(pieces, request.max_response_bytes).await?;
                Ok(response)
            }
            // Without a clock that goes on, this ends with the process.
            Some(None) => {
                self.sleep(request.timeout_ms.into()).await;
                Err(PortError::unavailable("fetch", "no response in time"))
            }
            None => {
                let answer = self.gateway.fetch(request).await;
                if self.gateway.answer_ms.get() > 0 {
                    self.sleep(self.gateway.answer_ms.get()).await;
                }
                answer
            }
        }
    }

    async fn call(&self, class: &'static str, name: &str, call: String) -> Result<String, PortError> {
        self.let_others_run().await;
        let answer = self.make_call(class, name, call).await;
        self.let_others_run().await;
        answer
    }

    async fn call_all(
        &self,
        class: &'static str,
        name: &str,
        calls: Vec<String>,
    ) -> Result<Vec<Result<String, PortError>>, PortError> {
        self.let_others_run().await;
        let answers = self.make_calls(class, name, calls).await;
        self.let_others_run().await;
        answers
    }
}

/// A loop that waits for nothing more often than this at one moment would not come to an end.
const MOST_WAITS_FOR_NOTHING: u32 = 100_000;

impl World {
    fn note_wait_for_nothing(&self) {
        let now_ms = self.now_ms.get();
        let (count, last_ms) = self.waits_for_nothing.get();
        let count = if last_ms == now_ms { count + 1 } else { 1 };
        assert!(
            count < MOST_WAITS_FOR_NOTHING,
            "something waits for nothing again and again"
        );
        self.waits_for_nothing.set((count, now_ms));
    }

    /// Waits once, if each call to a port does.
    async fn let_others_run(&self) {
        if self.yields.get() {
            give_way().await;
        }
    }

    async fn make_call(&self, class: &'static str, name: &str, call: String) -> Result<String, PortError> {
        if call.contains(r#""request":"SendMessage""#) || call.contains(r#""request":"EstimateMessage""#) {
            let interruption = self.before_asking.borrow_mut().pop_front();
            interruption.into_iter().for_each(|happen| happen(self));
        }
        let call = self.with_members(call);
        let name = (class, name.to_owned());
        let effect = async || match self.calls_travel.get() && class == account::request::CLASS {
            true => self.travel(name.clone(), call.clone()).await,
            false => self.take_effect(&name, &call).await,
        };
        self.with_mishap(&name, std::slice::from_ref(&call), effect).await
    }

    /// A send with the members that a test gives to messages.
    fn with_members(&self, call: String) -> String {
        let members = self.sends_with.borrow();
        let Some(members) = members
            .as_object()
            .filter(|_| call.contains(r#""request":"SendMessage""#))
        else {
            return call;
        };
        let mut call: serde_json::Value = serde_json::from_str(&call).unwrap();
        call["body"].as_object_mut().unwrap().extend(members.clone());
        call.to_string()
    }

    async fn make_calls(
        &self,
        class: &'static str,
        name: &str,
        calls: Vec<String>,
    ) -> Result<Vec<Result<String, PortError>>, PortError> {
        let name = (class, name.to_owned());
        let effect = async || self.take_effects(&name, &calls).await;
        self.with_mishap(&name, &calls, effect).await
    }

    /// Lets calls that travel together have their effect, unless something goes wrong.
    async fn with_mishap<T>(
        &self,
        name: &ObjectName,
        calls: &[String],
        effect: impl AsyncFn() -> Result<T, PortError>,
    ) -> Result<T, PortError> {
        self.calls.set(self.calls.get() + 1);
        if self.outside_hangs.get() {
            return std::future::pending().await;
        }
        let failed = |when: &str| {
            let words = format!("crashed {when}: {}", self.db.outage_words.borrow());
            Err(PortError::unavailable(name.0, words))
        };
        let mishap = self.mishap(&calls[0]);
        let asks_for = |request: &str| calls[0].contains(&format!(r#""request":"{request}""#));
        match mishap {
            None if self.accounts_take_ms.get() > 0 && (asks_for("Deliver") || asks_for("Receive")) => {
                let answer = effect().await;
                self.sleep(self.accounts_take_ms.get()).await;
                return answer;
            }
            None => return effect().await,
            Some(Mishap::FailsAfter | Mishap::IsKilledAfter) => drop(effect().await),
            Some(Mishap::ComesLate | Mishap::IsKilledAndComesLate) => {
                let late = calls.iter().map(|call| (name.clone(), call.clone()));
                self.late.borrow_mut().extend(late);
            }
            Some(Mishap::FailsBefore | Mishap::IsKilledBefore) => {}
        }
        match mishap {
            Some(Mishap::FailsBefore) => failed("before"),
            Some(Mishap::FailsAfter | Mishap::ComesLate) | None => failed("after"),
            Some(Mishap::IsKilledBefore | Mishap::IsKilledAfter | Mishap::IsKilledAndComesLate) => {
                std::future::pending().await
            }
        }
    }
}
