//! Passes the version of the compiler that builds the contenders to the program, for the report.

use std::process::Command;

fn main() {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().ok();
    let version = version.and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
    println!("cargo:rustc-env=VERSUS_RUSTC={}", version.trim());
    println!("cargo:rerun-if-changed=build.rs");
}
