//! What every other folder may use: the ports, the settings, times and windows of time, ids, decimal numbers, CSV, JSON of our own, networks, and a cache. Nothing here knows accounts, carriers or HTTP routes.

pub mod beginning;
pub mod body;
pub mod cache;
pub mod config;
pub mod csv;
pub mod decimal;
pub mod door;
pub mod host;
pub mod id;
pub mod language;
pub mod log;
pub mod metrics;
pub mod named;
pub mod near;
pub mod network;
pub mod own_json;
pub mod ports;
pub mod record;
pub mod redact;
pub mod time;
pub mod truncate;
pub mod url_guard;
pub mod utf16;
pub mod window;
