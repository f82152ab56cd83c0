//! The containers compared.

use maud::{Markup, html};

use super::table;
use crate::paint::grouped;
use crate::report::figures::figure;
use crate::report::measure::speed::{Speed, WORK};

pub(super) fn section(speed: &Speed) -> Markup {
    let header: Vec<&str> = [""].into_iter().chain(WORK).collect();
    html! {
        p { (grouped(speed.count as u64)) " values of 8 bytes; nanoseconds per value, the median of several rounds. A " code { "Vec" }
            " has no handles: it is the lower bound." }
        (table(&header, &html! {
            @for (name, figures) in &speed.rows {
                tr { th { (name) } @for &time in figures { td { (time.map_or("–".into(), figure)) } } }
            }
        }))
    }
}
