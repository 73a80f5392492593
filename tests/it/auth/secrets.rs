//! Secrets of the deployment: what is sealed or tagged with them, what a changed key still reads, and what is refused.

use std::collections::BTreeSet;

use peyk::auth::secret::{Keys, OLD_SETTING, Purpose, SETTING, SecretError, TAG_BYTES};

use crate::support::{World, assert_starts};

/// The base64 texts of 32 times the byte 1, and of 32 times the byte 2.
const FIRST: &str = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=";
const SECOND: &str = "AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=";

fn keyed() -> World {
    let world = World::new();
    world.set(SETTING, Some(FIRST));
    world
}

fn keys(world: &World) -> Keys {
    Keys::of(world, Purpose::CarrierSecrets).unwrap()
}

#[test]
fn what_is_sealed_opens_for_its_owner_only() {
    let world = keyed();
    let keys = keys(&world);
    for text in ["", "p4ss", "رمز عبور 🙂", &"x".repeat(10_000)] {
        let sealed = keys.seal(&world, "mci", text).unwrap();
        assert_starts(&sealed, "v1.");
        assert!(text.is_empty() || !sealed.contains(text), "{sealed}");
        assert_eq!(keys.open("mci", &sealed).as_deref(), Ok(text));
        for stranger in ["", "mci2", "MCI", "mtn"] {
            assert_eq!(keys.open(stranger, &sealed), Err(SecretError::Unreadable), "{stranger}");
        }
    }
}

/// The text was sealed by another implementation, Node.js.
#[test]
fn what_is_sealed_is_a_format_that_stands_in_the_directory() {
    let sealed = "v1.AAECAwQFBgcICQoLCHAE8oeW707w8s8nA5ogXogvNIomleqIUq6VdVKpUDz-eIE";
    let wanted = Ok(r#"{"password":"p4ss"}"#);
    assert_eq!(keys(&keyed()).open("mci", sealed).as_deref(), wanted);
}

#[test]
fn one_text_is_sealed_differently_each_time() {
    let world = keyed();
    let seal = |_| keys(&world).seal(&world, "mci", "same").unwrap();
    let sealed: BTreeSet<String> = (0..500).map(seal).collect();
    assert_eq!(sealed.len(), 500);
}

#[test]
fn a_sealed_text_that_was_changed_anywhere_does_not_open() {
    let world = keyed();
    let keys = keys(&world);
    let sealed = keys.seal(&world, "mci", "p4ss").unwrap();
    for place in 0..sealed.len() {
        for other in ["A", "B", "-", ".", "="] {
            let mut changed = sealed.clone();
            changed.replace_range(place..=place, other);
            // The last character of base64 has bits that mean nothing; it must be written the one right way.
            assert!(changed == sealed || keys.open("mci", &changed).is_err(), "{changed}");
        }
        assert!(keys.open("mci", &sealed[..place]).is_err());
    }
    for bad in ["", "v1.", "v2.AAAA", "v1.AAAA", "v1.!!!!", "سلام"] {
        assert_eq!(keys.open("mci", bad), Err(SecretError::Unreadable), "{bad}");
    }
}

#[test]
fn a_key_of_one_purpose_is_no_good_for_another() {
    let world = keyed();
    let sealed = keys(&world).seal(&world, "mci", "p4ss").unwrap();
    let tag = keys(&world).tag(&[b"mci"]);
    for other in [Purpose::ReportAddress, Purpose::InboundAddress] {
        let other = Keys::of(&world, other).unwrap();
        assert_eq!(other.open("mci", &sealed), Err(SecretError::Unreadable));
        assert!(!other.is_tag(&[b"mci"], &tag));
    }
}

#[test]
fn a_tag_holds_for_its_text_only_and_only_as_a_whole() {
    let world = keyed();
    let keys = keys(&world);
    let tag = keys.tag(&[b"shop", b".", b"7"]);
    assert!(keys.is_tag(&[b"shop.7"], &tag));
    assert!(!keys.is_tag(&[b"shop.8"], &tag));
    for length in 0..TAG_BYTES {
        assert!(!keys.is_tag(&[b"shop.7"], &tag[..length]), "{length} bytes of it");
    }
    for place in 0..TAG_BYTES {
        for bit in 0..8 {
            let mut forged = tag;
            forged[place] ^= 1 << bit;
            assert!(!keys.is_tag(&[b"shop.7"], &forged));
        }
    }
    assert!(!keys.is_tag(&[b"shop.7"], &[tag.as_slice(), &[0]].concat()));
}

#[test]
fn after_a_change_of_the_key_what_the_old_one_made_is_still_read_and_new_things_take_the_new_one() {
    let world = keyed();
    let old_sealed = keys(&world).seal(&world, "mci", "p4ss").unwrap();
    let old_tag = keys(&world).tag(&[b"x"]);
    world.set(SETTING, Some(SECOND));
    world.set(OLD_SETTING, Some(FIRST));
    let both = keys(&world);
    assert_eq!(both.open("mci", &old_sealed).as_deref(), Ok("p4ss"));
    assert!(both.is_tag(&[b"x"], &old_tag));
    let new_sealed = both.seal(&world, "mci", "p4ss").unwrap();
    let new_tag = both.tag(&[b"x"]);
    world.set(OLD_SETTING, None);
    let new = keys(&world);
    assert_eq!(new.open("mci", &new_sealed).as_deref(), Ok("p4ss"));
    assert!(new.is_tag(&[b"x"], &new_tag) && !new.is_tag(&[b"x"], &old_tag));
    assert_eq!(new.open("mci", &old_sealed), Err(SecretError::Unreadable));
}

#[test]
fn a_secret_that_is_missing_or_malformed_is_named_without_its_value() {
    let world = World::new();
    world.set(SETTING, None);
    let of = |world: &World| Keys::of(world, Purpose::CarrierSecrets).map(drop);
    assert_eq!(of(&world), Err(SecretError::Missing));
    world.set(SETTING, Some("  "));
    assert_eq!(of(&world), Err(SecretError::Missing));
    for bad in "swordfish AQEB AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB %%%%".split(' ') {
        world.set(SETTING, Some(bad));
        assert_eq!(of(&world), Err(SecretError::Malformed(SETTING)), "{bad}");
        let words = of(&world).unwrap_err().to_string();
        assert!(words.contains(SETTING) && !words.contains(bad), "{words}");
    }
    // A line end stays behind when the secret comes from a file.
    world.set(SETTING, Some(&format!("{FIRST}\n")));
    assert_eq!(of(&world), Ok(()));
    world.set(OLD_SETTING, Some("x"));
    assert_eq!(of(&world), Err(SecretError::Malformed(OLD_SETTING)));
    world.set(OLD_SETTING, None);
    assert_eq!(format!("{:?}", keys(&world)), "Keys(…)");
}
