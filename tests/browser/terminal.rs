//! A text browser for one test: lynx or w3m in a tmux pane, which ends with the test. Links and buttons are found on the screen, as a reader
//! finds them: lynx numbers them, w3m colours them.

use std::{
    path::PathBuf,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use super::{PATIENCE, tools};

/// The programs, in the order of attempts.
pub(super) const BROWSERS: [Reader; 2] = [Reader::Lynx, Reader::W3m];
/// Columns and rows of the screen, large enough that no page scrolls.
const SIZE: [&str; 2] = ["400", "600"];

/// A text browser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reader {
    Lynx,
    W3m,
}

impl Reader {
    fn command(self, address: &str) -> String {
        match self {
            Reader::Lynx => format!("lynx -accept_all_cookies -number_fields -nopause '{address}'"),
            Reader::W3m => format!(
                "w3m -o vi_prec_num=1 -o use_mouse=0 -o use_cookie=1 -o accept_cookie=1 -o confirm_qq=0 -o color=1 '{address}'"
            ),
        }
    }

    /// Whether a status row shows that a page has loaded.
    fn ready(self, row: &str) -> bool {
        match self {
            Reader::Lynx => ["(NORMAL LINK)", "(Form", "(Text"].iter().any(|start| row.starts_with(start)),
            Reader::W3m => row.starts_with("Viewing <"),
        }
    }

    /// Whether a row belongs to the program and not to the page.
    fn own(self, row: &str) -> bool {
        match self {
            Reader::Lynx => ["(", "  Arrow keys", " H)elp"].iter().any(|start| row.starts_with(start)),
            Reader::W3m => row.starts_with("Viewing <"),
        }
    }
}

/// A terminal that shows a page.
pub(super) struct Terminal {
    reader: Reader,
    /// Holds the tmux socket and the browser's cookies.
    folder: tempfile::TempDir,
}

/// Rows of a screen, with a flag for each character that has the colour of links and buttons.
struct Shown(Vec<Vec<(char, bool)>>);

impl Shown {
    /// Parses tmux's capture with colours.
    fn read(captured: &str) -> Shown {
        let mut pressable = false;
        let row = |row: &str| {
            let mut characters = Vec::new();
            let mut rest = row.chars();
            while let Some(character) = rest.next() {
                if character != '\u{1b}' {
                    characters.push((character, pressable));
                    continue;
                }
                let codes: String = rest.by_ref().skip(1).take_while(|character| *character != 'm').collect();
                for code in codes.split(';') {
                    match code {
                        "" | "0" | "39" => pressable = false,
                        "31" | "34" => pressable = true,
                        _ => {}
                    }
                }
            }
            characters
        };
        Shown(captured.lines().map(row).collect())
    }

    fn rows(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|row| row.iter().map(|(character, _)| character).collect())
    }

    /// Row and column of a label in the colour of links and buttons.
    fn coloured(&self, label: &str) -> Option<(usize, usize)> {
        let label: Vec<char> = label.chars().collect();
        self.0.iter().enumerate().find_map(|(y, row)| {
            let begins = |x: &usize| {
                let text = row[*x..].iter().map(|(character, _)| *character);
                let ends = row.get(x + label.len()).is_none_or(|(next, _)| !next.is_alphanumeric());
                row[*x].1 && ends && text.take(label.len()).eq(label.iter().copied())
            };
            Some((y, (0..row.len()).find(begins)?))
        })
    }
}

impl Terminal {
    /// Opens a page; `None` if the programs are not installed.
    pub(super) async fn open(reader: Reader, address: &str) -> Option<Terminal> {
        let version = |program: &str, option| {
            Command::new(program).arg(option).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
        };
        if !(version("tmux", "-V") && version("lynx", "-version") && version("w3m", "-version")) {
            return tools::missing("tmux, lynx or w3m is not installed");
        }
        let terminal = Terminal { reader, folder: tempfile::tempdir().unwrap() };
        let command = format!("HOME={} TERM=screen {}", terminal.folder.path().display(), reader.command(address));
        let [width, height] = SIZE;
        terminal.tmux(&["-f", "/dev/null", "new-session", "-d", "-x", width, "-y", height, &command]);
        terminal.until("a page", |shown| shown.rows().any(|row| reader.ready(&row)).then_some(())).await;
        Some(terminal)
    }

    fn tmux(&self, arguments: &[&str]) -> String {
        let socket: PathBuf = self.folder.path().join("tmux");
        let done =
            Command::new("tmux").arg("-S").arg(socket).args(arguments).env("LC_ALL", "C.UTF-8").output().unwrap();
        String::from_utf8(done.stdout).unwrap()
    }

    fn keys(&self, keys: &str) {
        self.tmux(&["send-keys", "-l", keys]);
    }

    fn key(&self, key: &str) {
        self.tmux(&["send-keys", key]);
    }

    fn shown(&self) -> Shown {
        Shown::read(&self.tmux(&["capture-pane", "-e", "-p"]))
    }

    /// Text of the page.
    pub(super) fn text(&self) -> String {
        let rows =
            self.shown().rows().filter(|row| !row.trim().is_empty() && !self.reader.own(row)).collect::<Vec<_>>();
        rows.join("\n")
    }

    /// Title of the page.
    pub(super) fn title(&self) -> String {
        let rows: Vec<String> = self.shown().rows().collect();
        match self.reader {
            Reader::Lynx => rows[0].trim_matches(['#', '←', ' ']).to_owned(),
            Reader::W3m => rows
                .iter()
                .find_map(|row| row.strip_prefix("Viewing <")?.split_once('>'))
                .map_or(String::new(), |(title, _)| title.to_owned()),
        }
    }

    async fn until<T>(&self, what: &str, seen: impl Fn(&Shown) -> Option<T>) -> T {
        let began = Instant::now();
        loop {
            if let Some(seen) = seen(&self.shown()) {
                return seen;
            }
            assert!(began.elapsed() < PATIENCE, "{:?}: still no {what} on\n{}", self.reader, self.text());
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
    }

    /// Waits until the page contains a text.
    pub(super) async fn says(&self, words: &str) {
        self.until(words, |shown| shown.rows().any(|row| row.contains(words)).then_some(())).await;
    }

    /// Activates a link or a button, and waits for the next page.
    pub(super) async fn press(&self, label: &str) {
        match self.reader {
            Reader::Lynx => {
                let number = self.until(label, |shown| shown.rows().find_map(|row| numbered(&row, label))).await;
                self.choose(&number).await;
            }
            Reader::W3m => {
                let place = self.until(label, |shown| shown.coloured(label)).await;
                self.go(place).await;
            }
        }
        let before = self.text();
        self.key("Enter");
        let ready = |shown: &Shown| shown.rows().any(|row| self.reader.ready(&row));
        // A page that is still being drawn has rows of both pages.
        let last = std::cell::RefCell::new(String::new());
        let fresh = |shown: &Shown| {
            let text = self.text();
            let rests = last.replace(text.clone()) == text;
            (rests && ready(shown) && text != before).then_some(())
        };
        self.until(&format!("page after {label}"), fresh).await;
    }

    /// Types a text in the field after a label.
    pub(super) async fn write(&self, label: &str, text: &str) {
        match self.reader {
            Reader::Lynx => {
                let number = |row: String| {
                    let (_, field) = row.split_once(label)?;
                    Some(field.split_once('[')?.1.split_once(']')?.0.to_owned())
                };
                let number = self.until(label, |shown| shown.rows().find_map(number)).await;
                self.choose(&number).await;
                self.keys(text);
                self.says(&format!("[{number}]{text}")).await;
                // Moves on to the next button, so that later keys do not reach the field.
                let button = |shown: &Shown| shown.rows().any(|row| row.contains("(Form submit button)")).then_some(());
                let began = Instant::now();
                while button(&self.shown()).is_none() {
                    assert!(
                        began.elapsed() < PATIENCE,
                        "{:?}: no button behind {label} on\n{}",
                        self.reader,
                        self.text()
                    );
                    self.key("Tab");
                    tokio::time::sleep(Duration::from_millis(200)).await;
                }
            }
            Reader::W3m => {
                let place = |(y, row): (usize, String)| {
                    let field = row.find(label)? + row[row.find(label)?..].find('[')?;
                    Some((y, row[..=field].chars().count()))
                };
                let place = self.until(label, |shown| shown.rows().enumerate().find_map(place)).await;
                self.go(place).await;
                self.key("Enter");
                self.says("TEXT:").await;
                self.keys(text);
                self.says(&format!("TEXT:{text}")).await;
                self.key("Enter");
                self.says(&format!("[{text}")).await;
            }
        }
    }

    /// Goes to the link or button with a number in lynx.
    async fn choose(&self, number: &str) {
        self.key("0");
        self.says("number:").await;
        self.keys(&format!("{number}g"));
        self.says(&format!("number: {number}g")).await;
        self.key("Enter");
        self.until("link", |shown| shown.rows().all(|row| !row.contains("number:")).then_some(())).await;
    }

    /// Moves w3m's cursor to a place on the screen.
    async fn go(&self, (y, x): (usize, usize)) {
        self.keys(&format!("{}G", y + 1));
        self.cursor(|place| place.ends_with(&format!(" {y}"))).await;
        self.keys("0");
        self.cursor(|place| place == format!("0 {y}")).await;
        if x > 0 {
            self.keys(&format!("{x}l"));
            self.cursor(|place| place == format!("{x} {y}")).await;
        }
    }

    async fn cursor(&self, there: impl Fn(&str) -> bool) {
        let place = || self.tmux(&["display-message", "-p", "#{cursor_x} #{cursor_y}"]);
        self.until("cursor", |_| there(place().trim()).then_some(())).await;
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

/// Number that lynx gives to a link, as in `[7]API`, or to a button, as in `([7]BUTTON) Send`.
fn numbered(row: &str, label: &str) -> Option<String> {
    row.match_indices('[').find_map(|(at, _)| {
        let (number, rest) = row[at + 1..].split_once(']')?;
        let words = match row[..at].ends_with('(') {
            true => rest.split_once(')')?.1.trim_start(),
            false => rest,
        };
        let after = words.strip_prefix(label)?;
        let whole = !after.starts_with(char::is_alphanumeric) && number.parse::<usize>().is_ok();
        whole.then(|| number.to_owned())
    })
}
