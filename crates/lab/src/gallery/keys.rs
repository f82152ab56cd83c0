//! Which key does what.

use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// What somebody at the keyboard can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// Stop the battle, or go on.
    Pause,
    /// One frame.
    Step,
    /// More births and deaths.
    MoreChurn,
    /// Fewer births and deaths.
    LessChurn,
    /// The next thing that can be wrong with a handle.
    Corrupt,
    /// From the beginning.
    Restart,
    /// Show or hide the page of help.
    Help,
    /// Leave.
    Quit,
}

/// The keys as the last line shows them, the most useful first.
pub(crate) const KEYS: [(&str, &str); 7] = [
    ("q", "quit"),
    ("space", "pause"),
    ("s", "step"),
    ("+ −", "churn"),
    ("c", "corrupt a handle"),
    ("r", "restart"),
    ("?", "help"),
];

/// What an event asks for, if anything.
pub(crate) fn action(event: &Event) -> Option<Action> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => of_key(*key),
        _ => None,
    }
}

fn of_key(key: KeyEvent) -> Option<Action> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return matches!(key.code, KeyCode::Char('c' | 'd')).then_some(Action::Quit);
    }
    Some(match key.code {
        KeyCode::Char('q') | KeyCode::Esc => Action::Quit,
        KeyCode::Char(' ' | 'p') => Action::Pause,
        KeyCode::Char('s' | '.') | KeyCode::Right => Action::Step,
        KeyCode::Char('+' | '=') | KeyCode::Up => Action::MoreChurn,
        KeyCode::Char('-' | '_') | KeyCode::Down => Action::LessChurn,
        KeyCode::Char('c') => Action::Corrupt,
        KeyCode::Char('r') => Action::Restart,
        KeyCode::Char('?' | 'h') => Action::Help,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(code: KeyCode, modifiers: KeyModifiers) -> Option<Action> {
        action(&Event::Key(KeyEvent::new(code, modifiers)))
    }

    #[test]
    fn every_key_of_the_last_line_works() {
        for (keys, word) in KEYS {
            for key in keys.replace("space", "\u{a0}").replace('−', "-").split(' ') {
                let code = KeyCode::Char(key.replace('\u{a0}', " ").chars().next().unwrap());
                assert!(press(code, KeyModifiers::NONE).is_some(), "{key} {word}");
            }
        }
    }

    #[test]
    fn control_c_leaves_and_c_corrupts() {
        assert_eq!(press(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Action::Quit));
        assert_eq!(press(KeyCode::Char('c'), KeyModifiers::NONE), Some(Action::Corrupt));
        assert_eq!(press(KeyCode::Char('x'), KeyModifiers::NONE), None);
        assert_eq!(action(&Event::Resize(80, 24)), None);
    }
}
