//! Addresses of servers and the passwords in them.

/// An address as it may be shown and logged.
pub fn without_password(word: &str) -> String {
    if is_server(word) { split(word).0 } else { word.to_owned() }
}

/// The address with a password, as [`encoded`] writes it, unless it has one already. A file has none.
pub fn with_password(address: &str, password: &str) -> String {
    if !is_server(address) || split(address).1.is_some() {
        return address.to_owned();
    }
    let link = if address.contains('?') { '&' } else { '?' };
    format!("{address}{link}password={password}")
}

/// An address without its password, and that as it stands there.
pub fn split(address: &str) -> (String, Option<String>) {
    let (rest, query) = match address.split_once('?') {
        Some((rest, query)) => (rest, Some(query)),
        None => (address, None),
    };
    let (scheme, rest) = rest.split_once("://").unwrap_or(("", rest));
    let (mut password, mut clean) = (None, format!("{scheme}://{rest}"));
    if let Some((login, host)) = rest.rsplit_once('@')
        && let Some((user, written)) = login.split_once(':')
    {
        password = Some(encoded_again(written));
        clean = format!("{scheme}://{user}@{host}");
    }
    let mut link = '?';
    for part in query.into_iter().flat_map(|query| query.split('&')) {
        match part.strip_prefix("password=") {
            Some(written) => password = Some(written.to_owned()),
            None => {
                clean.push(link);
                clean.push_str(part);
                link = '&';
            }
        }
    }
    (clean, password)
}

/// A word in which an address with a password stands, without that, and the password.
pub fn split_word(word: &str) -> Option<(String, String)> {
    let start = ["postgres://", "postgresql://"].iter().find_map(|scheme| word.find(scheme))?;
    let (before, address) = word.split_at(start);
    let (address, password) = split(address);
    Some((format!("{before}{address}"), password?))
}

/// A password as it stands in an address.
pub fn encoded(password: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    password.bytes().map(byte).collect()
}

/// The same where some of it is encoded already.
fn encoded_again(written: &str) -> String {
    written.split('%').map(encoded).collect::<Vec<_>>().join("%")
}

/// Whether a store is in a database server, and not in a file.
pub fn is_server(place: &str) -> bool {
    place.starts_with("postgres://") || place.starts_with("postgresql://")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_parted_from_their_passwords() {
        let check = |given: &str, clean: &str, password: Option<&str>| {
            assert_eq!(split(given), (clean.to_owned(), password.map(str::to_owned)), "{given}");
        };
        check(
            "postgres://me:se%3Acret@host:5432/x",
            "postgres://me@host:5432/x",
            Some("se%3Acret"),
        );
        check("postgres://me:a+b@host/x?a=1", "postgres://me@host/x?a=1", Some("a%2Bb"));
        check(
            "postgres://host/x?user=me&password=s&b=2",
            "postgres://host/x?user=me&b=2",
            Some("s"),
        );
        check("postgres://me:@host/x", "postgres://me@host/x", Some(""));
        check("postgres://me@host/x", "postgres://me@host/x", None);
        assert_eq!(without_password("postgres://me:a:b@host/games"), "postgres://me@host/games");
        assert_eq!(without_password("final.db"), "final.db");
    }

    #[test]
    fn a_password_is_written_so_that_no_part_of_it_means_anything_else() {
        assert_eq!(encoded("a&b=ü%"), "a%26b%3D%C3%BC%25");
    }

    #[test]
    fn words_are_cleaned_wherever_an_address_stands_in_them() {
        let found = split_word("--store=postgres://a:b@h/d");
        assert_eq!(found, Some(("--store=postgres://a@h/d".to_owned(), "b".to_owned())));
        for plain in ["q", "--store=postgres://a@h/d", "x:y@z"] {
            assert_eq!(split_word(plain), None, "{plain}");
        }
    }
}
