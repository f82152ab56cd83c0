//! The machine of the measurements. No date and no host: the same machine gives the same line.

use std::{env, fs, thread};

/// `Some CPU, 2 cores, linux x86_64`
pub(super) fn line() -> String {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cpu = cpu_of(&cpuinfo);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let cores = if cores == 1 { "1 core".into() } else { format!("{cores} cores") };
    format!("{cpu}, {cores}, {} {}", env::consts::OS, env::consts::ARCH)
}

fn cpu_of(cpuinfo: &str) -> &str {
    let model = cpuinfo.lines().find_map(|line| line.strip_prefix("model name"));
    model.map_or("unknown CPU", |rest| rest.trim_start_matches([' ', '\t', ':']).trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cpu_is_that_of_the_first_core() {
        assert_eq!(cpu_of("processor\t: 0\nmodel name\t: Some CPU\nmodel name\t: other\n"), "Some CPU");
        assert_eq!(cpu_of(""), "unknown CPU");
    }
}
