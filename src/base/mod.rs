//! What every other folder may use: the ports, the settings, times and windows of time, ids, CSV, JSON of our own, networks, and a cache. Nothing here knows accounts, carriers or HTTP routes.

pub mod body;
pub mod cache;
pub mod config;
pub mod csv;
pub mod did_you_mean;
pub mod host;
pub mod id;
pub mod language;
pub mod log;
pub mod metrics;
pub mod named;
pub mod network;
pub mod own_json;
pub mod ports;
pub mod record;
pub mod redact;
pub mod time;
pub mod truncate;
pub mod url_guard;
pub mod window;
