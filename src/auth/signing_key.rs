//! Keys of HMAC-SHA1 that sign and can't be read back. Twilio signs status callbacks with the key that the program calls with,
//! and Peyk never stores a key.
//!
//! HMAC hashes the key twice, each time as the first block of 64 bytes, and needs only the two states of SHA-1 behind these
//! blocks. A [`SigningKey`] has these states, which are no way back to the key: nobody can call the API with them. Whoever has them
//! can sign callbacks, so they are stored sealed.
//!
//! The states are not those that the crate `sha1` serializes, because that format may change: they are the five words as FIPS
//! 180-4 names them. So the padding of the last block is done here.
//!
//! Sources: RFC 2104 (HMAC), FIPS 180-4 (SHA-1).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha1::block_api::compress;
use sha1::{Digest, Sha1};

use super::secret::{Keys, Purpose, SecretError};
use crate::base::ports::{Platform, PortError};

/// Bytes of a block of SHA-1.
const BLOCK_BYTES: usize = 64;
/// Bytes of a signature.
const SIGNATURE_BYTES: usize = 20;
/// What the bytes of the key are mixed with in the inner and in the outer hash.
const PADS: [u8; 2] = [0x36, 0x5c];
/// The state with which SHA-1 begins.
const BEGIN: State = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];

/// The state of SHA-1 behind a whole block.
type State = [u32; 5];

/// A key of HMAC-SHA1.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SigningKey {
    inner: State,
    outer: State,
}

impl std::fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SigningKey(…)")
    }
}

impl SigningKey {
    /// Makes it of the key itself.
    pub fn of(key: &[u8]) -> Self {
        let hashed = (key.len() > BLOCK_BYTES).then(|| Sha1::digest(key));
        let key = hashed.as_ref().map_or(key, |hashed| hashed.as_slice());
        let [inner, outer] = PADS.map(|pad| {
            let mut block = [pad; BLOCK_BYTES];
            for (place, byte) in block.iter_mut().zip(key) {
                *place ^= byte;
            }
            let mut state = BEGIN;
            compress(&mut state, &[block]);
            state
        });
        SigningKey { inner, outer }
    }

    /// Signs a text.
    pub fn sign(&self, text: &str) -> [u8; SIGNATURE_BYTES] {
        bytes_of(hash_on(self.outer, &bytes_of(hash_on(self.inner, text.as_bytes()))))
    }

    /// Seals it for an owner.
    pub fn seal(&self, platform: &impl Platform, owner: &str) -> Result<String, PortError> {
        let states = [bytes_of(self.inner), bytes_of(self.outer)].concat();
        Keys::of(platform, Purpose::CallbackKeys)?.seal(platform, owner, &STANDARD.encode(states))
    }

    /// Opens what was sealed for this owner.
    pub fn open(platform: &impl Platform, owner: &str, sealed: &str) -> Result<Self, SecretError> {
        let text = Keys::of(platform, Purpose::CallbackKeys)?.open(owner, sealed)?;
        let states = STANDARD.decode(text).map_err(|_| SecretError::Unreadable)?;
        let (inner, outer) = states.split_first_chunk().ok_or(SecretError::Unreadable)?;
        Ok(SigningKey {
            inner: state_of(inner),
            outer: state_of(outer.try_into().map_err(|_| SecretError::Unreadable)?),
        })
    }
}

/// Hashes bytes that stand behind one block, and ends.
fn hash_on(mut state: State, bytes: &[u8]) -> State {
    let bits = u64::try_from(BLOCK_BYTES.saturating_add(bytes.len())).map_or(u64::MAX, |bytes| bytes.saturating_mul(8));
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    while padded.len() % BLOCK_BYTES != BLOCK_BYTES - size_of::<u64>() {
        padded.push(0);
    }
    padded.extend(bits.to_be_bytes());
    compress(&mut state, padded.as_chunks().0);
    state
}

fn bytes_of(state: State) -> [u8; SIGNATURE_BYTES] {
    let mut bytes = [0; SIGNATURE_BYTES];
    for (place, byte) in bytes.iter_mut().zip(state.into_iter().flat_map(u32::to_be_bytes)) {
        *place = byte;
    }
    bytes
}

fn state_of(bytes: &[u8; SIGNATURE_BYTES]) -> State {
    let mut state = State::default();
    for (place, word) in state.iter_mut().zip(bytes.as_chunks().0) {
        *place = u32::from_be_bytes(*word);
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;
    use hmac::{Hmac, KeyInit, Mac};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_signs_as_the_key_itself_does(key in prop::collection::vec(any::<u8>(), 0..200), text in "\\PC{0,200}") {
            let mut mac = Hmac::<Sha1>::new_from_slice(&key).unwrap();
            mac.update(text.as_bytes());
            let signature: [u8; SIGNATURE_BYTES] = mac.finalize().into_bytes().into();
            prop_assert_eq!(SigningKey::of(&key).sign(&text), signature);
        }

        #[test]
        fn states_lead_back_to_themselves(key in prop::collection::vec(any::<u8>(), 0..80)) {
            let key = SigningKey::of(&key);
            prop_assert_eq!(state_of(&bytes_of(key.inner)), key.inner);
        }
    }
}
