//! Cores in which α and β differ, as the page shows them.

use crate::{
    board::Size,
    richman::{self, Core, Pair, Waiting, rules},
    web::values::{
        address::path,
        gallery::{Picture, picture},
    },
};

/// A core as the page shows it.
pub(super) struct ShownCore {
    /// Where the page links to: the material, for the first of its cores.
    pub(super) anchor: Option<String>,
    pub(super) title: String,
    pub(super) link: String,
    pub(super) picture: Picture,
    pub(super) alpha: String,
    pub(super) beta: String,
    /// Who waits how, and what any other move changes.
    pub(super) words: [String; 3],
    pub(super) play: Option<Undecided>,
}

/// A game of bidding chess that begins where Black's share of the chips lies between α and β.
pub(super) struct Undecided {
    pub(super) fen: String,
    pub(super) chips: [i64; 2],
}

impl Undecided {
    /// The least total of chips of which a share lies between the thresholds, if a game may have so many.
    fn new(placement: &str, core: &Core) -> Option<Undecided> {
        let between = |total: i64| {
            let black = (core.alpha * i128::from(total)).div_euclid(1 << 63) + 1;
            let fits = black << 63 < core.beta * i128::from(total);
            let black = i64::try_from(black).ok().filter(|_| fits)?;
            Some([total - black, black])
        };
        let chips = [200, 2000, 20_000, 200_000].into_iter().find_map(between)?;
        Some(Undecided { fen: format!("{placement} w - - 0 1"), chips })
    }

    /// The position as it stands in an address.
    pub(super) fn escaped(&self) -> String {
        self.fen.replace(' ', "%20")
    }
}

/// A multiple of 2⁻⁶³ with so many decimals as the page shows.
fn share(bound: i128) -> String {
    format!("{:.6}", bound as f64 / (1_u64 << 63) as f64)
}

/// Names in a row, of which some are left out where there are many.
fn named(names: &[String]) -> String {
    const MOST: usize = 4;
    match names {
        [one] => one.clone(),
        [first @ .., last] if names.len() <= MOST => format!("{} or {last}", first.join(", ")),
        many => format!("{} or {} more", many[..MOST.min(many.len())].join(", "), many.len().saturating_sub(MOST)),
    }
}

/// What a side can do in a core, in a sentence.
fn waits(name: &str, waiting: &Waiting, [alpha, beta]: [&str; 2]) -> String {
    let kept = format!("{name} waits with {}", named(&waiting.kept));
    match waiting.others {
        None => format!("{kept}, and has no other move."),
        Some(others) => {
            let [low, high] = others.map(share);
            let most = if name == "White" { "at most" } else { "at least" };
            let changes = match (low == alpha, high == beta) {
                (false, false) => format!("α is {most} {low} and β {most} {high}"),
                (true, false) => format!("β is {most} {high}"),
                (false, true) => format!("α is {most} {low}"),
                (true, true) => "one of the two is worse by less than is shown here".to_owned(),
            };
            format!("{kept}; after any other move {changes}.")
        }
    }
}

impl ShownCore {
    /// Of a material's core, by its number.
    pub(super) fn new(pair: Pair, number: usize, core: &Core) -> Option<ShownCore> {
        let board = rules(Size::ORTHODOX);
        let fen = board.placement_fen(&core.position);
        let question = richman::read(&fen).ok()?;
        let (alpha, beta) = (share(core.alpha), share(core.beta));
        let [white, black] = &core.waits;
        let many = match core.positions {
            1 => "These moves lead to the same position again, up to symmetry".to_owned(),
            many => format!("By such moves {many} positions, up to symmetry, lead only to each other"),
        };
        let why = format!(
            "{many}, with the same α and β. So the move is worth nothing here and nobody pays for it, while any other one makes α or β worse for whoever makes it: both rather wait."
        );
        Some(ShownCore {
            anchor: (number == 0).then(|| pair.to_string()),
            title: if core.pair == pair { pair.to_string() } else { format!("{pair}, after promotion {}", core.pair) },
            link: path(&fen, &[]),
            picture: picture(&question),
            words: [waits("White", white, [&alpha, &beta]), waits("Black", black, [&alpha, &beta]), why],
            alpha,
            beta,
            play: Undecided::new(&fen, core),
        })
    }
}
