//! The rows of the tables: 64 bytes in ten columns.

use tenure::Table;

use crate::plan::Plan;

/// Defines the same struct for two derives. Each generates a type `…Ref`, so they are in different
/// modules.
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
            /// Returns the bodies of a plan, with ids and energies in random order. A random
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

/// The rows as columns of `soa_derive`.
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

/// Returns a table of the bodies of a plan.
pub fn table(plan: &Plan) -> Table<Body> {
    let mut table = Table::with_capacity(plan.count);
    table.extend(Body::shuffled(plan));
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_64_bytes() {
        assert_eq!((size_of::<Body>(), size_of::<soa::Body>()), (64, 64));
    }

    #[test]
    fn a_quarter_is_not_alive() {
        let plan = Plan::new(1_000);
        assert_eq!(Body::shuffled(&plan).filter(|body| body.alive == 0).count(), 250);
        assert_eq!(table(&plan).len(), 1_000);
    }
}
