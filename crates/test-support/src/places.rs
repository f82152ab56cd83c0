//! Where values lie: in some containers they must stay there for as long as they live.

use crate::name::Name;
use crate::subject::Subject;

/// The address of every value, by handle. Empty for containers that may move their values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places(Vec<(Name, usize)>);

impl Places {
    /// Where these live values, which come by index, are now.
    pub(crate) fn of(subject: &dyn Subject, live: &[Name]) -> Self {
        Self(live.iter().filter_map(|&name| Some((name, subject.address(name)?))).collect())
    }

    /// Takes over where values are now. What was there before must not have moved, and no two
    /// values share a place.
    pub(crate) fn follow(&mut self, now: Self) -> Result<(), String> {
        for &(name, place) in &now.0 {
            if self.get(name).is_some_and(|before| before != place) {
                return Err(format!("the value of {name} has moved"));
            }
        }
        let mut places: Vec<usize> = now.0.iter().map(|(_, place)| *place).collect();
        places.sort_unstable();
        if places.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err("two values lie at one address".into());
        }
        *self = now;
        Ok(())
    }

    fn get(&self, name: Name) -> Option<usize> {
        let found = self.0.binary_search_by_key(&name.index(), |(name, _)| name.index()).ok()?;
        Some(self.0[found]).filter(|(before, _)| *before == name).map(|(_, place)| place)
    }
}
