//! Users and capabilities: who a program is, and that it never becomes more.

use std::io;

use rustix::thread::{CapabilitySet, CapabilitySets};

use crate::fork;
use crate::plan::Plan;

/// Gives up every right of root, for ever and for every program that is loaded later.
pub(crate) fn drop_rights() -> io::Result<()> {
    rustix::thread::set_no_new_privs(true)?;
    rustix::thread::clear_ambient_capability_set()?;
    let none = CapabilitySet::empty();
    let none = CapabilitySets { effective: none, permitted: none, inheritable: none };
    Ok(rustix::thread::set_capabilities(None, none)?)
}

/// Becomes the user of the plan; one that is root already needs one. What nobody may ever become is set before,
/// since it takes rights.
pub(crate) fn change_user(plan: &Plan) -> io::Result<()> {
    // Whoever may not take one away has no rights that it could bound.
    for capability in CapabilitySet::all().iter() {
        let _ = rustix::thread::remove_capability_from_bounding_set(capability);
    }
    match plan.user {
        Some(user) => fork::become_user(user),
        None => Ok(()),
    }
}
