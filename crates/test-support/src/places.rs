//! The addresses of values: in some containers a value must stay at its address.

use crate::name::Name;
use crate::subject::Subject;

/// The address of every value, by handle. Empty for containers that may move their values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places(Vec<(Name, usize)>);

impl Places {
    /// The current addresses of these live values, which are sorted by index.
    pub(crate) fn of(subject: &dyn Subject, live: &[Name]) -> Self {
        Self(live.iter().filter_map(|&name| Some((name, subject.address(name)?))).collect())
    }

    /// Records the current addresses. No value may have moved, and no two values may have the same
    /// address.
    pub(crate) fn follow(&mut self, now: Self) -> Result<(), String> {
        for &(name, place) in &now.0 {
            if self.get(name).is_some_and(|before| before != place) {
                return Err(format!("the value of {name} has moved"));
            }
        }
        let mut places: Vec<usize> = now.0.iter().map(|(_, place)| *place).collect();
        places.sort_unstable();
        if places.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err("two values have the same address".into());
        }
        *self = now;
        Ok(())
    }

    fn get(&self, name: Name) -> Option<usize> {
        let found = self.0.binary_search_by_key(&name.index(), |(name, _)| name.index()).ok()?;
        Some(self.0[found]).filter(|(before, _)| *before == name).map(|(_, place)| place)
    }
}
