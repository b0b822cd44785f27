//! Lists of the moves that may still be best in their positions, so that the others need not be evaluated again.
//!
//! Bounds only become tighter. If the upper bound of a white move is not above the lower bound of another, the other move is at least as good in
//! both bounds. The same holds for Black with the order reversed. So the remaining moves give the same bounds as all moves.

/// A position and its moves in the list, White's before Black's.
#[derive(Clone, Copy)]
struct Head {
    place: u32,
    from: u32,
    white: u8,
    black: u8,
}

/// Positions and the indexes that their moves lead to.
#[derive(Default)]
pub(super) struct Shortlist {
    heads: Vec<Head>,
    targets: Vec<u32>,
}

/// A listed position, with the indexes that White's and Black's moves lead to.
#[derive(Clone, Copy)]
pub(super) struct Listed<'l> {
    pub(super) place: usize,
    pub(super) white: &'l [u32],
    pub(super) black: &'l [u32],
}

impl Listed<'_> {
    /// Bounds of the best positions that White and Black can move to.
    #[inline(always)]
    pub(super) fn reached(self, bounds: impl Fn(usize) -> [u64; 2]) -> [[u64; 2]; 2] {
        let best = |led: &[u32], from: u64, pick: fn(u64, u64) -> u64| {
            led.iter().fold([from; 2], |best, place| {
                let [low, high] = bounds(*place as usize);
                [pick(best[0], low), pick(best[1], high)]
            })
        };
        [best(self.white, 0, u64::max), best(self.black, super::ONE, u64::min)]
    }
}

impl Shortlist {
    /// Memory in use, in words of four bytes.
    pub(super) fn memory(&self) -> usize {
        self.targets.len() + self.heads.len() * (size_of::<Head>() / size_of::<u32>())
    }

    /// Frees unused capacity.
    pub(super) fn shrink(&mut self) {
        self.heads.shrink_to_fit();
        self.targets.shrink_to_fit();
    }

    /// Adds a position with all its moves.
    pub(super) fn push(&mut self, place: usize, white: &[u32], black: &[u32]) {
        let from = self.targets.len() as u32;
        self.targets.extend_from_slice(white);
        self.targets.extend_from_slice(black);
        self.heads.push(Head { place: place as u32, from, white: white.len() as u8, black: black.len() as u8 });
    }

    fn listed(&self, head: Head) -> Listed<'_> {
        let led = &self.targets[head.from as usize..][..usize::from(head.white) + usize::from(head.black)];
        let (white, black) = led.split_at(usize::from(head.white));
        Listed { place: head.place as usize, white, black }
    }

    /// Visits every position, backwards if `back` is set.
    #[inline(always)]
    pub(super) fn each(&self, back: bool, mut tell: impl FnMut(Listed<'_>)) {
        match back {
            false => self.heads.iter().for_each(|head| tell(self.listed(*head))),
            true => self.heads.iter().rev().for_each(|head| tell(self.listed(*head))),
        }
    }

    /// Drops moves that can no longer be best, and positions whose bounds are equal.
    pub(super) fn prune(&mut self, bounds: impl Fn(usize) -> [u64; 2] + Copy) {
        let (mut heads, mut kept) = (0, 0);
        for at in 0..self.heads.len() {
            let head = self.heads[at];
            let [low, high] = bounds(head.place as usize);
            if high == low {
                continue;
            }
            let [most, least] = self.listed(head).reached(bounds);
            let begun = kept;
            let middle = head.from as usize + usize::from(head.white);
            let end = middle + usize::from(head.black);
            // Keeps one of the moves that the others are compared with.
            let mut best = Some(most[0]);
            for from in head.from as usize..middle {
                let [low, high] = bounds(self.targets[from] as usize);
                if high > most[0] || best.take_if(|best| low >= *best).is_some() {
                    self.targets[kept] = self.targets[from];
                    kept += 1;
                }
            }
            let white = (kept - begun) as u8;
            let mut best = Some(least[1]);
            for from in middle..end {
                let [low, high] = bounds(self.targets[from] as usize);
                if low < least[1] || best.take_if(|best| high <= *best).is_some() {
                    self.targets[kept] = self.targets[from];
                    kept += 1;
                }
            }
            let black = (kept - begun) as u8 - white;
            self.heads[heads] = Head { place: head.place, from: begun as u32, white, black };
            heads += 1;
        }
        self.heads.truncate(heads);
        self.targets.truncate(kept);
    }
}
