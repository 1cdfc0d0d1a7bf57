//! Do the test's errors stay within the risks that it promises? A thousand tests each of bots that
//! are equal and of bots that differ by `elo1`, over pairs of games of many kinds.

use quintain_core::SplitMix64;
use quintain_tournament::{Decision, PairedResults, Pentanomial, Sprt, estimate, expected_score};

const TESTS: u64 = 1_000;

/// What each outcome of a pair is likely to be between equal bots.
type Shape = [f64; 5];

/// Two independent games without draws.
const PLAIN: Shape = [0.25, 0.0, 0.5, 0.0, 0.25];
/// Two independent games of which six in ten are drawn.
const DRAWS: Shape = [0.04, 0.24, 0.44, 0.24, 0.04];
/// The seed decides: who wins one of its games wins the other as well.
const CORRELATED: Shape = [0.45, 0.0, 0.1, 0.0, 0.45];
/// The seat decides nine games in ten.
const SEAT_BIASED: Shape = [0.09, 0.0, 0.82, 0.0, 0.09];
/// The seat decides 97 games in a hundred.
const SEAT_DECIDES: Shape = [0.029, 0.0, 0.942, 0.0, 0.029];
/// What is won is won narrowly, what is lost is lost twice.
const SKEWED: Shape = [0.2, 0.0, 0.4, 0.4, 0.0];

/// The shape with its mean moved to that of the difference, by weights that grow evenly.
fn tilted(shape: &Shape, elo: f64) -> Shape {
    let mean = |shape: &Shape| (0..5).map(|i| shape[i] * i as f64 / 4.0).sum::<f64>();
    let tilt = |by: f64| {
        let weights: Shape = std::array::from_fn(|i| shape[i] * (by * i as f64).exp());
        let total: f64 = weights.iter().sum();
        weights.map(|weight| weight / total)
    };
    let (mut low, mut high) = (-20.0, 20.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        let below = mean(&tilt(middle)) < expected_score(elo);
        *(if below { &mut low } else { &mut high }) = middle;
    }
    tilt(low)
}

fn draw(shape: &Shape, random: &mut SplitMix64) -> usize {
    let mut left = (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    for (outcome, share) in shape.iter().enumerate() {
        left -= share;
        if left < 0.0 {
            return outcome;
        }
    }
    shape.iter().rposition(|&share| share > 0.0).expect("some outcome is possible")
}

/// How many of the tests accept `elo1`.
fn accepted_upper(sprt: &Sprt, shape: &Shape, seed: u64) -> u64 {
    let run = |number: u64| {
        let mut random = SplitMix64::new(seed * TESTS + number);
        let mut pairs = Pentanomial::default();
        loop {
            pairs.0[draw(shape, &mut random)] += 1;
            match sprt.decision(&pairs) {
                Decision::Undecided => assert!(pairs.pairs() < 1_000_000, "it ends"),
                decided => return decided == Decision::AcceptedUpper,
            }
        }
    };
    (0..TESTS).filter(|&number| run(number)).count() as u64
}

/// The count that `TESTS` tries of this risk exceed once in a hundred times.
fn count_max(risk: f64) -> u64 {
    let mean = TESTS as f64 * risk;
    (mean + 2.33 * (mean * (1.0 - risk)).sqrt()).ceil() as u64
}

fn check(sprt: &str, shape: &Shape) {
    let sprt: Sprt = sprt.parse().expect("a test");
    let false_passes = accepted_upper(&sprt, &tilted(shape, sprt.elo0()), 1);
    let false_fails = TESTS - accepted_upper(&sprt, &tilted(shape, sprt.elo1()), 2);
    let report = format!("{sprt} on {shape:?}: {false_passes} passes, {false_fails} fails");
    assert!(false_passes <= count_max(sprt.alpha()), "{report}");
    assert!(false_fails <= count_max(sprt.beta()), "{report}");
    println!("{report}");
}

#[test]
fn the_default_test() {
    check("0,10", &PLAIN);
    check("0,10", &SEAT_BIASED);
}

#[test]
fn games_without_draws() {
    check("0,30", &PLAIN);
    check("0,100", &PLAIN);
}

#[test]
fn games_with_draws() {
    check("0,30", &DRAWS);
    check("0,60", &DRAWS);
}

#[test]
fn pairs_whose_seed_decides_both_games() {
    check("0,30", &CORRELATED);
}

#[test]
fn games_that_the_seat_decides() {
    check("0,30", &SEAT_BIASED);
    check("0,20", &SEAT_DECIDES);
}

#[test]
fn pairs_of_a_lopsided_shape() {
    check("0,30", &SKEWED);
    check("-10,20", &SKEWED);
}

#[test]
fn risks_that_differ() {
    check("0,40,0.01,0.1", &PLAIN);
    check("-30,10,0.1,0.02", &DRAWS);
}

/// Equal bots may also be mistaken in the other direction: by the interval at the moment at which
/// the test gives up on the new version.
#[test]
fn equal_bots_seldom_make_the_old_one_look_stronger() {
    let sprt: Sprt = "0,30".parse().expect("a test");
    let mut mistaken = 0;
    for number in 0..TESTS {
        let mut random = SplitMix64::new(3 * TESTS + number);
        let mut results = PairedResults::default();
        while sprt.decision(&results.pairs) == Decision::Undecided {
            results.pairs.0[draw(&DRAWS, &mut random)] += 1;
        }
        mistaken += u64::from(estimate(&results).high < 0.0);
    }
    assert!(mistaken <= count_max(0.05), "{mistaken}");
}
