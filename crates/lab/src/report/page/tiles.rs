//! The page in three figures.

use maud::{Markup, html};
use tenure::Handle;

use crate::paint::grouped;
use crate::report::figures::nanoseconds;
use crate::report::measure::Measured;
use crate::report::measure::growth::Line;

pub(super) fn tiles(measured: &Measured) -> Markup {
    let battle = &measured.battle;
    let (index, handle) = (battle.by_index.referee().total(), battle.by_handle.referee().total());
    let looked_up = grouped(handle.look_ups);
    html! {
        div.tiles {
            (tile(&grouped(handle.misled), &format!("of {looked_up} lookups by handle resolved to another creature; by index {} did", grouped(index.misled))))
            @if let Some((figure, words)) = slowest(measured) { (tile(&figure, &words)) }
            (tile(&format!("{} bytes", size_of::<Option<Handle<()>>>()), "for a handle, and no more for an Option of one"))
        }
    }
}

fn tile(figure: &str, words: &str) -> Markup {
    html! { div.tile { strong { (figure) } span { (words) } } }
}

/// The result for the last kind of value, which no allocator can remap.
fn slowest(measured: &Measured) -> Option<(String, String)> {
    let growth = measured.growth.last()?;
    let worst = |name: &str| growth.lines.iter().find(|line| line.name == name).map(Line::worst).map(nanoseconds);
    let words = format!(
        "was the slowest insertion of a StablePool that grew to {} values ({}); of a Vec, {}",
        grouped(growth.count as u64),
        growth.values,
        worst("Vec")?
    );
    Some((worst("StablePool")?, words))
}
