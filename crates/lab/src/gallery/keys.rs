//! The keys and their actions.

use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// An action of the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// Pause or resume the battle.
    Pause,
    /// One frame.
    Step,
    /// More spawns and removals.
    MoreChurn,
    /// Fewer spawns and removals.
    LessChurn,
    /// The next kind of invalid handle.
    Corrupt,
    /// Restart.
    Restart,
    /// Show or hide the page of help.
    Help,
    /// Quit.
    Quit,
}

/// The keys in the last line, the most useful first.
pub(crate) const KEYS: [(&str, &str); 7] = [
    ("q", "quit"),
    ("space", "pause"),
    ("s", "step"),
    ("+ −", "churn"),
    ("c", "corrupt a handle"),
    ("r", "restart"),
    ("?", "help"),
];

/// The action of an event, if any.
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
    fn control_c_quits_and_c_corrupts() {
        assert_eq!(press(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Action::Quit));
        assert_eq!(press(KeyCode::Char('c'), KeyModifiers::NONE), Some(Action::Corrupt));
        assert_eq!(press(KeyCode::Char('x'), KeyModifiers::NONE), None);
        assert_eq!(action(&Event::Resize(80, 24)), None);
    }
}
