//! Other builds than `cargo build --release`: unoptimised, with link-time optimisation, and what
//! building costs.

mod compile;
mod debug;
mod profiles;
mod program;

use std::path::Path;
use std::process::Command;

pub use profiles::side_by_side;

use crate::part::Part;

pub const DEBUG: Part =
    Part { title: "Unoptimised builds", file: "debug", subjects: &[("debug", |cli| debug::sheet(cli.rounds()))] };

pub const COMPILE: Part =
    Part { title: "Building", file: "build", subjects: &[("build", |cli| compile::sheet(cli.rounds(), cli.quick))] };

/// The folder of this package.
const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// `cargo`, as it called this program, with a target folder below that of this package.
fn cargo(command: &str, manifest: &Path, target: &str) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args([command, "--quiet", "--manifest-path"]).arg(manifest);
    cargo.arg("--target-dir").arg(Path::new(HERE).join("target").join(target));
    cargo
}
