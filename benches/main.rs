//! All benchmarks in one binary. `cargo bench` runs all of them in turn, `cargo bench -- NAME` runs one, with the arguments after its name.
#![allow(
    clippy::disallowed_methods,
    reason = "benchmarks read the clock and the command line, and create random generators"
)]

mod actions;
mod bare;
mod bidders;
mod clairvoyant;
mod costly;
mod designs;
mod footprint;
mod games;
mod load;
mod pages;
mod perft;
mod postgres;
mod process;
mod readers;
mod richman;
mod richman_bulk;
mod richman_chips;
mod richman_four;
mod richman_http;
mod shared_work;
mod site;
mod soak;
mod spent;
mod store;
mod strength;
mod tactics;
mod worth;

#[path = "../tests/support/expensive.rs"]
mod expensive;

/// A benchmark. It gets the arguments after its name.
type Run = fn(&[String]);

/// All benchmarks by name.
const ALL: [(&str, Run); 22] = [
    ("actions", |_| actions::run()),
    ("bidders", bidders::run),
    ("clairvoyant", clairvoyant::run),
    ("costly", costly::run),
    ("designs", |_| designs::run()),
    ("footprint", |_| footprint::run()),
    ("games", games::run),
    ("pages", |_| pages::run()),
    ("perft", |_| perft::run()),
    ("postgres", |_| postgres::run()),
    ("readers", readers::run),
    ("richman", richman::run),
    ("richman_bulk", |_| richman_bulk::run()),
    ("richman_chips", |_| richman_chips::run()),
    ("richman_four", richman_four::run),
    ("richman_http", |_| richman_http::run()),
    ("shared_work", |_| shared_work::run()),
    ("soak", soak::run),
    ("store", |_| store::run()),
    ("strength", strength::run),
    ("tactics", tactics::run),
    ("worth", worth::run),
];

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match asked.split_first() {
        None => {
            for (name, run) in ALL {
                println!("== {name}");
                run(&[]);
            }
        }
        Some((wanted, rest)) => match ALL.iter().find(|(name, _)| name == wanted) {
            Some((_, run)) => run(rest),
            None => {
                let known: Vec<&str> = ALL.iter().map(|(name, _)| *name).collect();
                eprintln!("Unknown benchmark “{wanted}”. Available: {}.", known.join(", "));
                std::process::exit(2);
            }
        },
    }
}
