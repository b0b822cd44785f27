//! The position code of 64 characters: each board has exactly one code, and no other text is accepted.

use aes_siv::{KeyInit, siv::Aes128Siv, siv::Aes256Siv};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use rand::{Rng, RngExt, SeedableRng, rngs::SmallRng};
use zorkmid_games::{
    board::{Color, Position},
    variants::bookie::{Code, CodeError, board},
};

use super::boards;

fn hex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

#[test]
fn the_cipher_matches_rfc_5297() {
    // Appendix A.1.
    let key: [u8; 32] = hex("fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff").try_into().unwrap();
    let header = hex("101112131415161718191a1b1c1d1e1f2021222324252627");
    let sealed = Aes128Siv::new(&key.into()).encrypt([&header], &hex("112233445566778899aabbccddee")).unwrap();
    assert_eq!(sealed, hex("85632d07c6e8f37f950acd320a2ecc9340c02b9690c4dc04daef7f6afe5c"));
}

/// Boards and codes. The codes come from another implementation of AES-SIV (OpenSSL).
const GOLDEN: [(&str, &str); 3] = [
    (
        "8/1rpB2p1/p2B3p/1Pqpp2P/Pp1R2P1/1qp2PP1/2bPBQ1P/5K1k",
        "td-iLKi7iY0_PV0TLSAyYm8U_96stYLCcsFvTxdxbFlH8n9C3tf0ttsf02JsRczh",
    ),
    (
        "2r2N2/p1b1b1p1/1B4Np/P1P1n1Pp/1PnP1B1N/1p1p1pPp/3PP3/3K2k1",
        "8kvYFrKopJYi6fCIPwdpoBhjC3ldXT83Q9Nd6IoHz1psSAuywtIc3jaT7mcWAZZz",
    ),
    ("4k3/pp6/8/8/8/8/PP5q/Q4K2", "KkVJ7xQymX7rOONcnh1YD6eysLuMwbHWl0tyY436EXtJmD4igPAsYB5aVmRcceeE"),
];

#[test]
fn golden_codes_never_change() {
    for (placement, code) in GOLDEN {
        let position = board().parse_fen(placement).unwrap();
        assert_eq!(Code::seal(&position).unwrap().to_string(), code);
        assert_eq!(code.parse::<Code>().unwrap().open(), position);
    }
}

#[test]
fn a_code_encodes_only_the_pieces() {
    let [(placement, code), ..] = GOLDEN;
    let mut position = board().parse_fen(placement).unwrap();
    position.turn = Color::Black;
    position.halfmove = 7;
    let sealed = Code::seal(&position).unwrap();
    assert_eq!(sealed, code.parse().unwrap());
    assert_eq!(sealed.open().turn, Color::White);
}

#[test]
fn single_bit_errors_are_refused() {
    for position in &boards()[..100] {
        let code = Code::seal(position).unwrap().to_string();
        let bytes = URL_SAFE_NO_PAD.decode(&code).unwrap();
        for bit in 0..8 * bytes.len() {
            let mut wrong = bytes.clone();
            wrong[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(URL_SAFE_NO_PAD.encode(wrong).parse::<Code>(), Err(CodeError::Tag));
        }
        for bit in (0..8 * code.len()).filter(|bit| bit % 8 < 7) {
            let mut wrong = code.clone().into_bytes();
            wrong[bit / 8] ^= 1 << (bit % 8);
            assert!(std::str::from_utf8(&wrong).unwrap().parse::<Code>().is_err());
        }
    }
}

#[test]
fn single_character_errors_are_refused() {
    for position in &boards()[..5] {
        let code = Code::seal(position).unwrap().to_string();
        for at in 0..64 {
            for wrong in (' '..='~').chain(['é', '–', '\n', '\0', '𝔸']) {
                let mut text: Vec<char> = code.chars().collect();
                if text[at] == wrong {
                    continue;
                }
                text[at] = wrong;
                let refused = text.iter().collect::<String>().parse::<Code>().unwrap_err();
                if wrong.is_ascii_alphanumeric() || "-_".contains(wrong) {
                    assert_eq!(refused, CodeError::Tag);
                } else {
                    assert_eq!(refused, CodeError::Alphabet { at, found: wrong });
                }
            }
        }
    }
}

#[test]
fn random_codes_are_refused() {
    let mut rng = SmallRng::seed_from_u64(6);
    for _ in 0..1_000_000 {
        let mut bytes = [0; 48];
        rng.fill_bytes(&mut bytes);
        assert_eq!(URL_SAFE_NO_PAD.encode(bytes).parse::<Code>(), Err(CodeError::Tag));
    }
    for _ in 0..10_000 {
        let length = rng.random_range(0..130);
        let text: String = (0..length).map(|_| rng.random_range(0..0x250u32)).filter_map(char::from_u32).collect();
        assert!(text.parse::<Code>().is_err(), "{text:?}");
    }
}

#[test]
fn codes_of_other_lengths_are_refused() {
    let code = GOLDEN[0].1;
    for length in 0..64 {
        assert_eq!(code[..length].parse::<Code>(), Err(CodeError::Length { found: length }));
    }
    for more in ["=", "A", "==", ".", "é"] {
        let found = 64 + more.chars().count();
        assert_eq!(format!("{code}{more}").parse::<Code>(), Err(CodeError::Length { found }));
    }
}

/// Encrypts any 32 bytes with the public key.
fn forge(squares: &[u8]) -> String {
    let key: [u8; 64] = std::array::from_fn(|index| index as u8);
    URL_SAFE_NO_PAD.encode(Aes256Siv::new(&key.into()).encrypt([b"bookie/v1"], squares).unwrap())
}

#[test]
fn forged_codes_must_hold_a_dealable_board() {
    let nibbles = |position: &Position| -> Vec<u8> {
        let squares: Vec<u8> = (0..64)
            .map(|index| zorkmid_games::board::Square::new(index % 8, 7 - index / 8))
            .map(|square| position.piece(square).map_or(0, |p| p.kind + 1 + 6 * p.color.index() as u8))
            .collect();
        squares.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()
    };
    let good = board().parse_fen(GOLDEN[0].0).unwrap();
    assert_eq!(forge(&nibbles(&good)), GOLDEN[0].1);
    let mut unknown = nibbles(&good);
    unknown[31] |= 13;
    let why = "13 is not the number of a piece".to_owned();
    assert_eq!(forge(&unknown).parse::<Code>(), Err(CodeError::Board { why }));
    assert!(matches!(forge(&[0; 32]).parse::<Code>(), Err(CodeError::Board { .. })));
    for placement in
        ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "4k3/pp6/8/8/1q6/8/PP6/Q3K3", "4k3/pp6/8/8/8/8/1PP4q/Q4KK1"]
    {
        let position = board().parse_fen(placement).unwrap();
        assert!(matches!(forge(&nibbles(&position)).parse::<Code>(), Err(CodeError::Board { .. })), "{placement}");
        assert!(matches!(Code::seal(&position), Err(CodeError::Board { .. })), "{placement}");
    }
    assert!(matches!(forge(&[0; 31]).parse::<Code>(), Err(CodeError::Length { found: 63 })));
}

#[test]
fn refusals_explain_what_to_do() {
    let code = GOLDEN[0].1;
    let refusal = |text: &str| text.parse::<Code>().unwrap_err().to_string();
    assert_eq!(
        refusal(&code[..60]),
        "a position’s code has exactly 64 characters, but this text has 60; copy the whole link again"
    );
    assert_eq!(
        refusal(&format!("{}+{}", &code[..9], &code[10..])),
        "character 10 is “+”, but a code has only the letters A–Z and a–z, digits, - and _; copy the link again"
    );
    assert!(refusal(&format!("{}\n{}", &code[..9], &code[10..])).starts_with("character 10 is U+000A, but"));
    assert_eq!(
        refusal(&"A".repeat(64)),
        "no position has this code: at least one of its 64 characters is wrong; copy the link again, or request a new position"
    );
    assert_eq!(
        refusal(&forge(&[0; 32])),
        "this is not a position of Bookie Chess: white’s pieces are worth 0; the range is 12 to 53; request a new position"
    );
}
