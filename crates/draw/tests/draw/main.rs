//! Pictures of films made by hand, looked at by a program.

mod films;
mod gif;
mod png;
mod svg;
