//! Carriers that speak SMPP.

mod carrier;
mod erasures;
mod faults;
mod losses;
mod message_ids;
mod orphan_receipts;
mod part_reports;
mod parts;
mod pass_through;
mod rates;
mod receipts;
mod rests;
mod same_ids;
mod taken_back;
mod turns;
