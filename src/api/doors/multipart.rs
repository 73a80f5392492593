//! Forms as `multipart/form-data` (RFC 7578), as PHP's cURL writes an array of fields.

/// A boundary has at most this many bytes (RFC 2046, 5.1.1).
const MAX_BOUNDARY: usize = 70;

/// The fields of a form, each a name and its value. Files are left out. `None`: it is no such form, or its end is missing.
pub fn fields(content_type: &str, body: &[u8]) -> Option<Vec<(String, String)>> {
    let delimiter = format!("--{}", boundary(content_type)?);
    let delimiter = delimiter.as_bytes();
    let (_, mut rest) = cut(body, delimiter)?;
    let mut fields = Vec::new();
    let next = [b"\r\n", delimiter].concat();
    while !rest.starts_with(b"--") {
        let (part, behind) = cut(rest, &next)?;
        fields.extend(field(part));
        rest = behind;
    }
    Some(fields)
}

fn boundary(content_type: &str) -> Option<&str> {
    let boundary = parameter(content_type, "boundary")?;
    (1..=MAX_BOUNDARY).contains(&boundary.len()).then_some(boundary)
}

/// What stands before a pattern, and what stands behind it.
fn cut<'a>(bytes: &'a [u8], pattern: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let at = bytes.windows(pattern.len()).position(|window| window == pattern)?;
    Some((bytes.get(..at)?, bytes.get(at.saturating_add(pattern.len())..)?))
}

/// The field of a part: what stands between two delimiters. `None`: it is a file, or has no name.
fn field(part: &[u8]) -> Option<(String, String)> {
    let (head, value) = cut(part, b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(head);
    let disposition = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.trim().eq_ignore_ascii_case("content-disposition").then_some(value)
    });
    let disposition = disposition.filter(|disposition| parameter(disposition, "filename").is_none())?;
    let name = parameter(disposition, "name")?.to_ascii_lowercase();
    Some((name, String::from_utf8_lossy(value).into_owned()))
}

/// A parameter of a header, such as `name` in `form-data; name="text"`.
fn parameter<'a>(header: &'a str, name: &str) -> Option<&'a str> {
    header.split(';').skip(1).find_map(|part| {
        let (known, value) = part.split_once('=')?;
        known
            .trim()
            .eq_ignore_ascii_case(name)
            .then(|| value.trim().trim_matches('"'))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TYPE: &str = "multipart/form-data; boundary=\"-x\"";

    fn written(fields: &[(&str, &str)]) -> String {
        let parts = fields
            .iter()
            .map(|(name, value)| format!("---x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"));
        format!("{}---x--\r\n", parts.collect::<String>())
    }

    #[test]
    fn fields_are_read_and_files_are_left_out() {
        let file = "---x\r\ncontent-disposition: form-data; name=\"f\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\nx\r\n";
        let body = format!(
            "{file}{}",
            written(&[("Receptor", "0912"), ("message", "سلام\r\n--x\r\n"), ("empty", "")])
        );
        let wanted = [("receptor", "0912"), ("message", "سلام\r\n--x\r\n"), ("empty", "")];
        let wanted = wanted.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(fields(TYPE, body.as_bytes()).unwrap(), wanted);
        assert_eq!(fields(TYPE, written(&[]).as_bytes()), Some(Vec::new()));
    }

    #[test]
    fn what_is_cut_off_or_has_no_boundary_is_no_form() {
        let body = written(&[("a", "b")]);
        let cut_off = body.strip_suffix("---x--\r\n").unwrap();
        for (content_type, body) in [
            (TYPE, cut_off),
            (TYPE, ""),
            (TYPE, "a=b"),
            ("multipart/form-data", body.as_str()),
            ("multipart/form-data; boundary=", body.as_str()),
        ] {
            assert_eq!(fields(content_type, body.as_bytes()), None, "{content_type} {body}");
        }
    }

    proptest! {
        #[test]
        fn any_values_are_read_as_they_were_written(values in proptest::collection::vec("[^\r]{0,20}", 0..5)) {
            let pairs: Vec<(&str, &str)> = values.iter().map(|value| ("a", value.as_str())).collect();
            let found = fields(TYPE, written(&pairs).as_bytes()).unwrap();
            prop_assert_eq!(found.into_iter().map(|(_, value)| value).collect::<Vec<_>>(), values);
        }

        #[test]
        fn no_body_breaks_it(body in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = fields(TYPE, &[b"---x\r\n".as_slice(), &body].concat());
        }
    }
}
