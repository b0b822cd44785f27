//! All measurements, in one crate that is linked once. `cargo bench` runs them one after the other, `cargo bench -- NAME` one of them;
//! what follows the name is for it alone.
#![allow(clippy::disallowed_methods, reason = "measurements read the clock and their own options, and make generators")]

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
mod site;
mod soak;
mod spent;
mod store;
mod strength;
mod tactics;
mod worth;

#[path = "../tests/support/expensive.rs"]
mod expensive;

/// A measurement; it gets what was written after its name.
type Run = fn(&[String]);

/// The measurements by name.
const ALL: [(&str, Run); 21] = [
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
                eprintln!("There is no measurement “{wanted}”; there are {}.", known.join(", "));
                std::process::exit(2);
            }
        },
    }
}
