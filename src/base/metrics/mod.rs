//! What is counted for those who watch the service: counters, histograms, and the work that an isolate counts.

pub mod counters;
pub mod histogram;
pub mod untold;
pub mod work;
