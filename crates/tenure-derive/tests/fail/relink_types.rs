//! Fields that do not say where their handles are.

use std::collections::HashMap;
use std::rc::Rc;

use tenure::{Handle, Relink};

struct Plain;

#[derive(Relink)]
struct Goblin {
    plain: Plain,
    shared: Rc<u8>,
    map: HashMap<u8, Handle<Goblin>>,
}

fn main() {}
