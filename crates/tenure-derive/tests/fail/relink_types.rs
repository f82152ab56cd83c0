//! Fields whose types do not implement `Relink`.

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
