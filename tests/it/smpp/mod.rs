//! Carriers that speak SMPP.

mod carrier;
mod direct;
mod erasures;
mod faults;
mod losses;
mod message_ids;
mod part_reports;
mod parts;
mod rates;
mod receipts;
mod rests;
mod same_ids;
mod strays;
mod taken_back;
mod turns;
