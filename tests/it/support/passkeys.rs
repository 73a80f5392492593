//! A device with a passkey, and the pages on which it is used.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use p256::ecdsa::signature::hazmat::PrehashSigner;
use p256::ecdsa::{Signature, SigningKey};
use peyk::auth::webauthn::signed_digest;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::world::DOCS;
use super::{Answer, World};

const DOMAIN: &str = "sms.example";
/// The person was there and was verified; and a new credential follows.
pub const VERIFIED: u8 = 0x05;
const WITH_CREDENTIAL: u8 = 0x40;

/// A device. What it says can be changed, as a thief would.
#[derive(Clone)]
pub struct Device {
    pub key: SigningKey,
    pub credential: Vec<u8>,
    pub user_handle: String,
    pub counter: u32,
    pub origin: String,
    pub domain: String,
    pub flags: u8,
    pub cross_origin: bool,
    pub kind: Option<&'static str>,
}

fn written(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

impl Device {
    /// A device that counts. `number` tells it from others.
    pub fn new(number: u8) -> Self {
        Device {
            key: SigningKey::from_slice(&[number; 32]).unwrap(),
            credential: vec![number; 16],
            user_handle: String::new(),
            counter: 1,
            origin: DOCS.to_owned(),
            domain: DOMAIN.to_owned(),
            flags: VERIFIED,
            cross_origin: false,
            kind: None,
        }
    }

    fn client_data(&self, kind: &str, challenge: &str) -> Vec<u8> {
        let kind = self.kind.unwrap_or(kind);
        let data =
            json!({"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": self.cross_origin});
        data.to_string().into_bytes()
    }

    fn authenticator_data(&self, flags: u8) -> Vec<u8> {
        let counter = self.counter.to_be_bytes();
        [&Sha256::digest(&self.domain)[..], &[flags], &counter].concat()
    }

    /// What a page sends that adds the passkey.
    pub fn make(&self, challenge: &str) -> Value {
        let point = self.key.verifying_key().to_sec1_point(false);
        let length = u16::try_from(self.credential.len()).unwrap().to_be_bytes();
        let cose = [
            &[0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 0x20][..],
            point.x().unwrap(),
            &[0x22, 0x58, 0x20],
            point.y().unwrap(),
        ];
        let data = [
            self.authenticator_data(self.flags | WITH_CREDENTIAL),
            vec![0; 16],
            length.to_vec(),
            self.credential.clone(),
            cose.concat(),
        ];
        json!({
            "title": "Sara's phone",
            "clientDataJSON": written(self.client_data("webauthn.create", challenge)),
            "authenticatorData": written(data.concat()),
        })
    }

    /// What a page sends that signs in with the passkey.
    pub fn sign(&mut self, challenge: &str) -> Value {
        self.counter += 1;
        self.sign_again(challenge)
    }

    /// The same, by a device that has not counted.
    pub fn sign_again(&self, challenge: &str) -> Value {
        let client_data = self.client_data("webauthn.get", challenge);
        let data = self.authenticator_data(self.flags);
        let signature: Signature = self.key.sign_prehash(&signed_digest(&data, &client_data)).unwrap();
        json!({
            "id": written(&self.credential),
            "userHandle": self.user_handle,
            "clientDataJSON": written(client_data),
            "authenticatorData": written(data),
            "signature": written(signature.to_der()),
        })
    }
}

impl World {
    /// A challenge for this browser.
    #[track_caller]
    pub fn challenge(&self, browser: u8) -> String {
        let asked = self
            .request("POST", "/console/passkeys/challenge")
            .browser(browser)
            .send();
        let asked = asked.expect(201);
        assert_eq!(asked.text("/data/rpId"), DOMAIN);
        asked.text("/data/challenge")
    }

    /// Adds the passkey of a device on a page with this session.
    pub fn add_passkey(&self, session: &str, device: &mut Device) -> Answer {
        let own = self.page(session, "/console/session").expect(200);
        if let Some(handle) = own.json.pointer("/data/member/passkeyUser").and_then(Value::as_str) {
            handle.clone_into(&mut device.user_handle);
        }
        let body = device.make(&self.challenge(1));
        let request = self.request("POST", "/console/passkeys").session(session);
        request.browser(1).json(body).send()
    }

    /// Signs in with a passkey.
    pub fn sign_in_by(&self, device: &mut Device) -> Answer {
        let body = device.sign(&self.challenge(1));
        self.send_passkey(1, body)
    }

    /// Sends what a passkey has signed.
    pub fn send_passkey(&self, browser: u8, body: Value) -> Answer {
        let request = self.request("POST", "/console/sign-in/passkey");
        request.browser(browser).json(body).send()
    }

    /// Signs in with the link of a member: `path` is that of the member.
    #[track_caller]
    pub fn entered_by_link(&self, key: &str, path: &str) -> String {
        let made = self.post(key, &format!("{path}/link"), json!({})).expect(201);
        let body = json!({"code": made.text("/data/code")});
        super::console_sessions::cookie(
            &self
                .request("POST", "/console/sign-in/link")
                .json(body)
                .send()
                .expect(204),
        )
    }
}
