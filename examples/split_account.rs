//! Runs the simulation of an account that is split over sub-objects, and prints what it costs and what it is good for:
//! `cargo run --release --example split_account`. `docs/hot-account.md` explains it.
#![allow(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "a simulation: it ends where it finds a fault"
)]

#[path = "split_account/simulation.rs"]
mod simulation;

use simulation::protocol::Design;
use simulation::{Outcome, Scenario, run};

/// How many seeds each line of the tables is made of.
const SEEDS: u64 = 200;

fn calm(seed: u64, shards: usize, money: i64) -> Scenario {
    Scenario {
        seed,
        design: Design::sound(),
        shards,
        money,
        credits: Vec::new(),
        sends: 4_000,
        cost: 1,
        losses: 0,
        outages: 0,
        releases: 0,
        revokes: false,
    }
}

fn main() {
    println!("4,000 sends that cost 1 each, in 4 seconds; nothing goes wrong\n");
    println!("| sub-objects | money | accepted | refused | calls of the account's object | collects |");
    println!("|---|---|---|---|---|---|");
    for shards in [1, 4, 16, 64] {
        for money in [1_000_000, 4_000, 1_480] {
            print(shards, money, run(&calm(1, shards, money)));
        }
    }
    println!("\n{SEEDS} runs with losses, repeats, delays, deaths, cuts, credits, released money and a revocation\n");
    println!("| design | runs that broke a promise | the first |");
    println!("|---|---|---|");
    for (name, design) in designs() {
        let runs = (0..SEEDS).map(|seed| run(&Scenario { design, ..rough(seed) }));
        let faults: Vec<String> = runs.filter_map(Result::err).collect();
        println!(
            "| {name} | {} | {} |",
            faults.len(),
            faults.first().map_or("", String::as_str)
        );
    }
}

fn print(shards: usize, money: i64, outcome: Result<Outcome, String>) {
    match outcome {
        Ok(Outcome {
            accepted,
            refused,
            statements,
            collects,
            ..
        }) => {
            println!("| {shards} | {money} | {accepted} | {refused} | {statements} | {collects} |");
        }
        Err(fault) => println!("| {shards} | {money} | broken: {fault} | | | |"),
    }
}

/// A run in which everything goes wrong that can. In every other one money is short; in the others the key is revoked.
fn rough(seed: u64) -> Scenario {
    let is_short = seed.is_multiple_of(2);
    Scenario {
        credits: vec![5, 1, 20],
        cost: 3,
        sends: 300,
        losses: 10,
        outages: 12,
        releases: 2,
        revokes: !is_short,
        ..calm(seed, 4, if is_short { 80 } else { 5_000 })
    }
}

fn designs() -> [(&'static str, Design); 6] {
    let sound = Design::sound();
    [
        ("as designed", sound),
        (
            "refuses without a recall",
            Design {
                recalls: false,
                ..sound
            },
        ),
        ("refuses after one collect", Design { collects: 1, ..sound }),
        (
            "leases without an end",
            Design {
                leases_end: false,
                ..sound
            },
        ),
        ("amounts as differences", Design { totals: false, ..sound }),
        ("sends go anywhere", Design { by_key: false, ..sound }),
    ]
}
