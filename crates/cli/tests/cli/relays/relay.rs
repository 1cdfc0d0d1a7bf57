use std::io::{Read, Write};
use std::process::{Command, Stdio};

fn carry(mut from: impl Read, mut to: impl Write) {
    let mut piece = [0; 65536];
    while let Ok(count @ 1..) = from.read(&mut piece) {
        if to.write_all(&piece[..count]).and_then(|()| to.flush()).is_err() {
            return;
        }
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut bot = Command::new(&words[0])
        .args(&words[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a program");
    let (to, from) = (bot.stdin.take().expect("a pipe"), bot.stdout.take().expect("a pipe"));
    std::thread::spawn(move || carry(from, std::io::stdout()));
    carry(std::io::stdin(), to);
}
