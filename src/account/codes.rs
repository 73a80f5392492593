//! The codes: made of a random seed with the secret of the service. Who has the storage alone can neither tell a code nor confirm
//! a guess.
//!
//! HMAC-SHA-256 is a pseudo-random function, so the code is as random as the seed. Its first 128 bits modulo a power of ten
//! favour no code by more than 10^10 / 2^128.

use crate::auth::secret::{MasterKey, Purpose, SecretError, TAG_BYTES};
use crate::base::ports::PortError;

/// Bytes of a seed.
pub const SEED_BYTES: usize = 16;

/// Of which verification a code is.
#[derive(Debug, Clone, Copy)]
pub struct Of<'a> {
    /// The seed, hex.
    pub seed: &'a str,
    /// How many digits the code has.
    pub length: u32,
    /// Whose number is verified.
    pub msisdn: u64,
    /// Whether it is of a test key: then the code is the last digits of the number.
    pub test: bool,
}

/// The code to send.
pub fn make(master_key: &MasterKey, of: Of<'_>) -> Result<String, PortError> {
    let codes = all(master_key, of)?;
    codes.into_iter().next().ok_or_else(|| SecretError::Missing.into())
}

/// Whether a code is right. The time that it takes tells nothing about the right one.
pub fn is_right(master_key: &MasterKey, of: Of<'_>, code: &str) -> Result<bool, PortError> {
    let codes = all(master_key, of)?;
    Ok(codes.iter().fold(false, |found, right| found | is_same(right, code)))
}

/// The code by the secret as it is, and by the one before: a change of the secret does not end a verification.
fn all(master_key: &MasterKey, of: Of<'_>) -> Result<Vec<String>, PortError> {
    if of.test {
        return Ok(vec![digits(of.msisdn.into(), of.length)]);
    }
    let keys = master_key.keys(Purpose::VerifyCode)?;
    let tags = keys.tags(&[of.seed.as_bytes()]);
    Ok(tags.into_iter().map(|tag| digits(number(tag), of.length)).collect())
}

fn number(tag: [u8; TAG_BYTES]) -> u128 {
    u128::from_be_bytes(tag)
}

/// The last digits of a number, so many.
fn digits(number: u128, length: u32) -> String {
    let width = usize::try_from(length).unwrap_or_default();
    let last = number % 10_u128.saturating_pow(length);
    format!("{last:0width$}")
}

fn is_same(right: &str, code: &str) -> bool {
    let differing = right.bytes().zip(code.bytes()).fold(0, |bits, (a, b)| bits | (a ^ b));
    right.len() == code.len() && std::hint::black_box(differing) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_its_digits_and_a_test_key_knows_it() {
        assert_eq!(digits(7, 6), "000007");
        assert_eq!(digits(1_234_567, 4), "4567");
        let of = Of {
            seed: "",
            length: 6,
            msisdn: 989_121_234_567,
            test: true,
        };
        let none = MasterKey::default();
        assert_eq!(make(&none, of).unwrap(), "234567");
        assert!(is_right(&none, of, "234567").unwrap());
        for wrong in ["234568", "23456", "2345678", ""] {
            assert!(!is_right(&none, of, wrong).unwrap(), "{wrong}");
        }
    }

    #[test]
    fn without_a_secret_there_is_no_live_code() {
        let of = Of {
            seed: "00",
            length: 6,
            msisdn: 989_121_234_567,
            test: false,
        };
        assert!(make(&MasterKey::default(), of).is_err());
        assert!(is_right(&MasterKey::default(), of, "000000").is_err());
    }
}
