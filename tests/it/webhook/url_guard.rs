//! Which addresses of customers the service calls.

use peyk::base::host::Host;
use peyk::base::url_guard::{self, Loopback, Refused};
use proptest::prelude::*;

fn check(url: &str, loopback: Loopback) -> Result<String, Refused> {
    url_guard::check(url, loopback, &[])
}

/// Addresses that lead into a private network, or that two parsers could read in two ways.
const REFUSED: &[(&str, Refused)] = &[
    // Schemes.
    ("http://shop.example/hook", Refused::NotHttps),
    ("ftp://shop.example/hook", Refused::NotHttps),
    ("file:///etc/passwd", Refused::NotHttps),
    ("//shop.example/hook", Refused::NotHttps),
    ("https:/shop.example", Refused::NotHttps),
    ("https:shop.example", Refused::NotHttps),
    ("javascript:alert(1)", Refused::NotHttps),
    ("", Refused::NotHttps),
    (" https://shop.example", Refused::NotHttps),
    // Loopback, in all its forms.
    ("https://localhost/", Refused::NotPublic),
    ("https://LOCALHOST/", Refused::NotPublic),
    ("https://localhost./", Refused::Host),
    ("https://api.localhost/", Refused::NotPublic),
    ("https://127.0.0.1/", Refused::NotPublic),
    ("https://127.0.0.1:8443/", Refused::NotPublic),
    ("https://127.255.255.254/", Refused::NotPublic),
    ("https://127.1/", Refused::Host),
    ("https://127.0.1/", Refused::Host),
    ("https://2130706433/", Refused::Host),
    ("https://017700000001/", Refused::Host),
    ("https://0x7f000001/", Refused::Host),
    ("https://0x7f.1/", Refused::Host),
    ("https://0x7f.0x0.0x0.0x1/", Refused::Host),
    ("https://0177.0.0.1/", Refused::Host),
    ("https://127.0.0.01/", Refused::Host),
    ("https://127.0.0.1./", Refused::Host),
    ("https://127.0.0.0x1/", Refused::Host),
    ("https://1.2.3.4.5/", Refused::Host),
    ("https://256.1.1.1/", Refused::Host),
    ("https://4294967295/", Refused::Host),
    // This network, private, shared, link-local, metadata, documentation, benchmarking, multicast, reserved, broadcast.
    ("https://0.0.0.0/", Refused::NotPublic),
    ("https://0.1.2.3/", Refused::NotPublic),
    ("https://10.0.0.1/", Refused::NotPublic),
    ("https://10.255.255.255/", Refused::NotPublic),
    ("https://172.16.0.1/", Refused::NotPublic),
    ("https://172.31.255.255/", Refused::NotPublic),
    ("https://192.168.1.1/", Refused::NotPublic),
    ("https://100.64.0.1/", Refused::NotPublic),
    ("https://100.127.255.255/", Refused::NotPublic),
    ("https://169.254.169.254/latest/meta-data/", Refused::NotPublic),
    ("https://192.0.0.192/", Refused::NotPublic),
    ("https://192.0.2.1/", Refused::NotPublic),
    ("https://192.88.99.1/", Refused::NotPublic),
    ("https://198.18.0.1/", Refused::NotPublic),
    ("https://198.19.255.255/", Refused::NotPublic),
    ("https://198.51.100.7/", Refused::NotPublic),
    ("https://203.0.113.7/", Refused::NotPublic),
    ("https://224.0.0.1/", Refused::NotPublic),
    ("https://239.255.255.255/", Refused::NotPublic),
    ("https://240.0.0.1/", Refused::NotPublic),
    ("https://255.255.255.255/", Refused::NotPublic),
    // IPv6: unspecified, loopback, mapped, compatible, NAT64, 6to4, Teredo, unique local, link-local, site-local, zone.
    ("https://[::]/", Refused::NotPublic),
    ("https://[::1]/", Refused::NotPublic),
    ("https://[0:0:0:0:0:0:0:1]/", Refused::NotPublic),
    ("https://[::ffff:127.0.0.1]/", Refused::NotPublic),
    ("https://[::ffff:7f00:1]/", Refused::NotPublic),
    ("https://[::ffff:8.8.8.8]/", Refused::NotPublic),
    ("https://[::127.0.0.1]/", Refused::NotPublic),
    ("https://[64:ff9b::7f00:1]/", Refused::NotPublic),
    ("https://[64:ff9b::169.254.169.254]/", Refused::NotPublic),
    ("https://[64:ff9b:1::1]/", Refused::NotPublic),
    ("https://[2002:7f00:1::]/", Refused::NotPublic),
    ("https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/", Refused::NotPublic),
    ("https://[2001:db8::1]/", Refused::NotPublic),
    ("https://[3fff::1]/", Refused::NotPublic),
    ("https://[fc00::1]/", Refused::NotPublic),
    ("https://[fd00:ec2::254]/", Refused::NotPublic),
    ("https://[fe80::1]/", Refused::NotPublic),
    ("https://[fec0::1]/", Refused::NotPublic),
    ("https://[ff02::1]/", Refused::NotPublic),
    ("https://[100::1]/", Refused::NotPublic),
    ("https://[fe80::1%25eth0]/", Refused::Host),
    ("https://[fe80::1%eth0]/", Refused::Host),
    ("https://[::1/", Refused::Port),
    ("https://::1/", Refused::Port),
    ("https://[127.0.0.1]/", Refused::Host),
    ("https://[shop.example]/", Refused::Host),
    ("https://[2a00::1]x/", Refused::Host),
    // Names of local networks and of clouds.
    ("https://intranet/", Refused::NotPublic),
    ("https://printer.local/", Refused::NotPublic),
    ("https://metadata.google.internal/", Refused::NotPublic),
    ("https://metadata.google.internal./", Refused::Host),
    ("https://router.home.arpa/", Refused::NotPublic),
    ("https://nas.lan/", Refused::NotPublic),
    ("https://db.corp/", Refused::NotPublic),
    ("https://box.localdomain/", Refused::NotPublic),
    ("https://1.0.0.127.in-addr.arpa/", Refused::NotPublic),
    ("https://abc.onion/", Refused::NotPublic),
    // Names that are none, or not plain.
    ("https://", Refused::Host),
    ("https:///hook", Refused::Host),
    ("https://./", Refused::Host),
    ("https://shop.example./hook", Refused::Host),
    ("https://shop..example/", Refused::Host),
    ("https://.shop.example/", Refused::Host),
    ("https://-shop.example/", Refused::Host),
    ("https://shop-.example/", Refused::Host),
    ("https://shop_1.example/", Refused::Host),
    ("https://%6c%6f%63%61%6c%68%6f%73%74/", Refused::Host),
    ("https://shop.ex%61mple/", Refused::Host),
    ("https://فروشگاه.example/", Refused::Host),
    ("https://ⓛocalhost/", Refused::Host),
    ("https://127。0。0。1/", Refused::Host),
    ("https://１２７.0.0.1/", Refused::Host),
    ("https://shop.example /", Refused::Host),
    ("https://shop\t.example/", Refused::Host),
    ("https://shop.example\n/", Refused::Host),
    ("https://shop.example\0/", Refused::Host),
    ("https://*.example/", Refused::Host),
    // Credentials.
    ("https://user@shop.example/", Refused::Credentials),
    ("https://user:pass@shop.example/", Refused::Credentials),
    ("https://shop.example@127.0.0.1/", Refused::Credentials),
    ("https://@shop.example/", Refused::Credentials),
    // Ports.
    ("https://shop.example:0/", Refused::Port),
    ("https://shop.example:22/", Refused::Port),
    ("https://shop.example:25/", Refused::Port),
    ("https://shop.example:80/", Refused::Port),
    ("https://shop.example:1023/", Refused::Port),
    ("https://shop.example:65536/", Refused::Port),
    ("https://shop.example:/", Refused::Port),
    ("https://shop.example:0443/", Refused::Port),
    ("https://shop.example:+443/", Refused::Port),
    ("https://shop.example:443:443/", Refused::Port),
    // Path and query.
    ("https://shop.example/#here", Refused::Fragment),
    ("https://shop.example#@127.0.0.1/", Refused::Fragment),
    ("https://shop.example\\@127.0.0.1/", Refused::Character),
    ("https://shop.example/a b", Refused::Character),
    ("https://shop.example/%zz", Refused::Character),
    ("https://shop.example/%4", Refused::Character),
    ("https://shop.example/سلام", Refused::Character),
    ("https://shop.example/a\r\nX: y", Refused::Character),
];

#[test]
fn addresses_that_do_not_lead_to_the_public_internet_or_are_not_plain_are_refused() {
    assert!(REFUSED.len() >= 40);
    for (url, why) in REFUSED {
        assert_eq!(check(url, Loopback::Refused), Err(*why), "{url:?}");
    }
    let long = format!("https://shop.example/{}", "a".repeat(2_048));
    assert_eq!(check(&long, Loopback::Refused), Err(Refused::TooLong));
    let label = "a".repeat(64);
    let wanted = Err(Refused::Host);
    assert_eq!(check(&format!("https://{label}.example/"), Loopback::Refused), wanted);
    let name = format!("{}example", "abcdefghi.".repeat(25));
    let wanted = Err(Refused::Host);
    assert_eq!(check(&format!("https://{name}/"), Loopback::Refused), wanted);
}

#[test]
fn public_addresses_are_taken_in_their_canonical_form() {
    for (url, canonical) in [
        ("https://shop.example/hook", "https://shop.example/hook"),
        ("HTTPS://Shop.Example/Hook", "https://shop.example/Hook"),
        ("https://shop.example", "https://shop.example/"),
        ("https://shop.example?a=1", "https://shop.example/?a=1"),
        ("https://shop.example:443/", "https://shop.example/"),
        ("https://shop.example:8443/", "https://shop.example:8443/"),
        ("https://shop.example:1024/", "https://shop.example:1024/"),
        (
            "https://xn--mgb.example/%D8%B3?x=a/b&y=c:d@e",
            "https://xn--mgb.example/%D8%B3?x=a/b&y=c:d@e",
        ),
        ("https://8.8.8.8/", "https://8.8.8.8/"),
        ("https://172.15.0.1/", "https://172.15.0.1/"),
        ("https://172.32.0.1/", "https://172.32.0.1/"),
        ("https://100.128.0.1/", "https://100.128.0.1/"),
        (
            "https://[2606:4700:0:0::1111]:8443/x",
            "https://[2606:4700::1111]:8443/x",
        ),
        ("https://[2001:200::1]/", "https://[2001:200::1]/"),
        ("https://localhost.shop.example/", "https://localhost.shop.example/"),
        ("https://internal.shop.example/", "https://internal.shop.example/"),
        ("https://10.shop.example/", "https://10.shop.example/"),
    ] {
        assert_eq!(check(url, Loopback::Refused).as_deref(), Ok(canonical), "{url}");
        assert_eq!(check(canonical, Loopback::Refused).as_deref(), Ok(canonical), "{url}");
    }
}

#[test]
fn the_setting_for_development_allows_this_machine_and_nothing_else() {
    for (url, canonical) in [
        ("http://localhost:3000/hook", "http://localhost:3000/hook"),
        ("http://127.0.0.1/", "http://127.0.0.1/"),
        ("http://[::1]:80/", "http://[::1]/"),
        ("https://127.0.0.2:99/", "https://127.0.0.2:99/"),
    ] {
        assert_eq!(check(url, Loopback::Allowed).as_deref(), Ok(canonical), "{url}");
        assert!(check(url, Loopback::Refused).is_err(), "{url}");
    }
    let local = |url: &str| check(url, Loopback::Allowed).is_ok();
    for (url, why) in REFUSED {
        let is_this_machine = [
            "localhost/",
            "LOCALHOST/",
            "127.0.0.1",
            "127.255",
            "[::1]",
            "[0:0:0:0:0:0:0:1]",
        ]
        .iter()
        .any(|host| url.starts_with(&format!("https://{host}")));
        assert_eq!(local(url), is_this_machine && *why == Refused::NotPublic, "{url:?}");
    }
}

proptest! {
    #[test]
    fn any_text_is_answered_and_what_is_taken_stays_as_it_is(url in "(https://)?[ -~]{0,40}", loopback: bool) {
        let loopback = Loopback::from(loopback);
        if let Ok(canonical) = check(&url, loopback) {
            let again = check(&canonical, loopback);
            prop_assert_eq!(again.as_deref(), Ok(canonical.as_str()));
        }
    }

    #[test]
    fn no_written_form_of_an_address_is_taken_but_the_usual_one(bits: u32) {
        for host in [format!("{bits}"), format!("0x{bits:x}"), format!("0{bits:o}")] {
            prop_assert_eq!(check(&format!("https://{host}/"), Loopback::Refused), Err(Refused::Host));
        }
        let mapped = format!("https://[::ffff:{}]/", std::net::Ipv4Addr::from(bits));
        prop_assert_eq!(check(&mapped, Loopback::Refused), Err(Refused::NotPublic));
    }
}

#[test]
fn no_address_leads_back_to_the_service() {
    let own = ["sms.example", "127.0.0.1", "[2606:4700::1]"].map(|host| Host::parse(host).unwrap());
    let check = |url: &str| url_guard::check(url, Loopback::Allowed, &own);
    for back in [
        "https://sms.example/",
        "https://SMS.example/sms/send",
        "https://sms.example:8443/carrier/mci/dlr",
        "https://[2606:4700:0:0::1]/",
    ] {
        assert_eq!(check(back), Err(Refused::OwnHost), "{back}");
    }
    for other in [
        "https://shop.sms.example/",
        "https://sms.example.org/",
        "http://127.0.0.1:3000/",
    ] {
        assert!(check(other).is_ok(), "{other}");
    }
}
