//! How the command line names what libraries know by other names.

use quintain_core::Field;

/// The flag by which somebody wished what a field holds: here every field has one of the same name.
pub(crate) fn flag(field: &Field) -> String {
    format!("--{field}")
}
