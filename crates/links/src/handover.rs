//! A secret that this program tells the one that takes its place (`exec`), without anybody who looks at
//! processes finding it in a list of words or variables.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::{IntoRawFd as _, OwnedFd};

/// The most that fits into a pipe nobody reads yet.
const SECRET_BYTES_MAX: usize = 4096;

/// Puts a secret where the next program in this process finds it. Returns the number to give to
/// [`take_over`] there.
///
/// # Errors
/// The secret is longer than anybody's, or there are too many open files.
pub fn hand_over(secret: &str) -> io::Result<i32> {
    if secret.len() > SECRET_BYTES_MAX {
        let message = format!("expected a secret of at most {SECRET_BYTES_MAX} bytes");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    // Open in the next program, unlike everything else.
    let (reader, writer): (OwnedFd, OwnedFd) = rustix::pipe::pipe()?;
    File::from(writer).write_all(secret.as_bytes())?;
    Ok(reader.into_raw_fd())
}

/// Takes the secret that the program before this one put there. Nobody can take it again.
///
/// # Errors
/// There is no pipe of this number.
pub fn take_over(number: i32) -> io::Result<String> {
    let path = format!("/proc/self/fd/{number}");
    if !std::fs::read_link(&path)?.to_string_lossy().starts_with("pipe:") {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "expected a pipe"));
    }
    let mut secret = String::new();
    File::open(&path)?.take(SECRET_BYTES_MAX as u64).read_to_string(&mut secret)?;
    nix::unistd::close(number)?;
    Ok(secret)
}
