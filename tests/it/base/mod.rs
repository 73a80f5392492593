//! What every folder of the service may use.

mod windows;
