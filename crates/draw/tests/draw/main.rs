//! Pictures of films made by hand, looked at by a program.

mod agree;
mod films;
mod gallery;
mod gif;
mod hostile;
mod png;
mod svg;
