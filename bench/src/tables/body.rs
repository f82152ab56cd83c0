//! The rows: 64 bytes in ten columns.

use tenure::Table;

use crate::plan::Plan;

/// The same struct for two derives, each of which makes a `…Ref` of it.
macro_rules! body {
    ($name:ident, $derive:path $(, #[$attribute:meta])?) => {
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize, $derive)]
        $(#[$attribute])?
        pub struct $name {
            pub id: u64,
            pub position: [f32; 3],
            pub velocity: [f32; 3],
            pub energy: f32,
            pub mass: f32,
            pub target: u64,
            pub alive: u32,
            pub kind: u32,
            pub team: u32,
            pub colour: [u8; 4],
        }

        impl $name {
            /// So many bodies whose ids, and with them their energy, are in random order; a random
            /// quarter is not alive.
            pub fn shuffled(plan: &Plan) -> impl Iterator<Item = Self> {
                let alive = plan.alive(plan.count - plan.count / 4);
                plan.shuffle.iter().zip(alive).map(|(&number, alive)| $name {
                    id: u64::from(number),
                    position: [number as f32; 3],
                    velocity: [1.0; 3],
                    energy: number as f32,
                    mass: 1.0,
                    target: u64::from(number),
                    alive: u32::from(alive),
                    kind: number % 8,
                    team: number % 2,
                    colour: [number as u8; 4],
                })
            }
        }
    };
}

body!(Body, tenure::Row, #[row(derive(serde::Serialize), snapshot)]);

/// The columns of `soa_derive`.
pub mod soa {
    use soa_derive::StructOfArray;

    use super::Plan;

    body!(Body, StructOfArray, #[soa_derive(Clone)]);

    impl BodyVec {
        pub fn shuffled(plan: &Plan) -> Self {
            let mut bodies = BodyVec::with_capacity(plan.count);
            Body::shuffled(plan).for_each(|body| bodies.push(body));
            bodies
        }
    }
}

/// A table of them.
pub fn table(plan: &Plan) -> Table<Body> {
    let mut table = Table::with_capacity(plan.count);
    table.extend(Body::shuffled(plan));
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_a_line_of_the_cache() {
        assert_eq!((size_of::<Body>(), size_of::<soa::Body>()), (64, 64));
    }

    #[test]
    fn a_quarter_is_dead() {
        let plan = Plan::new(1_000);
        assert_eq!(Body::shuffled(&plan).filter(|body| body.alive == 0).count(), 250);
        assert_eq!(table(&plan).len(), 1_000);
    }
}
