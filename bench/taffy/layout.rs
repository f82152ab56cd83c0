//! taffy builds a tree and lays it out. Prints the milliseconds of each task: see
//! `bench/src/facade/layout.rs`.

use std::time::Instant;

use taffy::prelude::*;

/// Children of one box.
const CHILDREN: usize = 10;
/// The fastest of this many runs counts.
const TIMES: usize = 5;

fn leaf_style(n: usize) -> Style {
    let size = Size { width: length(10.0 + (n % 7) as f32), height: length(5.0 + (n % 3) as f32) };
    Style { size, margin: Rect::length(1.0), ..Default::default() }
}

fn box_style(depth: usize) -> Style {
    let flex_direction = if depth % 2 == 0 { FlexDirection::Row } else { FlexDirection::Column };
    Style { display: Display::Flex, flex_direction, flex_wrap: FlexWrap::Wrap, ..Default::default() }
}

fn tree(leaves: usize) -> (TaffyTree<()>, NodeId, Vec<NodeId>) {
    let mut tree: TaffyTree<()> = TaffyTree::new();
    let all: Vec<NodeId> = (0..leaves).map(|n| tree.new_leaf(leaf_style(n)).unwrap()).collect();
    let (mut level, mut depth) = (all.clone(), 0);
    while level.len() > 1 {
        level = level.chunks(CHILDREN).map(|of| tree.new_with_children(box_style(depth), of).unwrap()).collect();
        depth += 1;
    }
    (tree, level[0], all)
}

/// Milliseconds.
fn timed<R>(what: impl FnOnce() -> R) -> (f64, R) {
    let start = Instant::now();
    let result = what();
    (start.elapsed().as_secs_f64() * 1e3, result)
}

fn main() {
    let leaves: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(20_000);
    let space = Size { width: AvailableSpace::Definite(1_920.0), height: AvailableSpace::MaxContent };
    let mut best = [f64::INFINITY; 3];
    for _ in 0..TIMES {
        let (building, (mut tree, root, all)) = timed(|| tree(leaves));
        let (first, ()) = timed(|| tree.compute_layout(root, space).unwrap());
        let (again, ()) = timed(|| {
            for n in 0..1_000.min(leaves) {
                tree.set_style(all[n * 7 % leaves], leaf_style(n + 1)).unwrap();
            }
            tree.compute_layout(root, space).unwrap();
        });
        assert!(tree.layout(root).unwrap().size.height > 0.0);
        for (best, time) in best.iter_mut().zip([building, first, again]) {
            *best = best.min(time);
        }
    }
    println!("{} {} {}", best[0], best[1], best[2]);
}
