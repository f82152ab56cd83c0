//! The machine of the measurements. Without date and host: the same machine gives the same line.

use serde::Serialize;

#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    pub cpu: String,
    pub os: String,
    pub rustc: String,
}

impl Machine {
    pub fn this() -> Self {
        let rustc = env!("VERSUS_RUSTC");
        Machine {
            cpu: cpu_of(&std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default()),
            os: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            // "rustc 1.95.0 (hash date)" without the parentheses.
            rustc: rustc.split(" (").next().unwrap_or(rustc).to_owned(),
        }
    }

    pub fn line(&self) -> String {
        format!("{}, {}, {}", self.cpu, self.os, self.rustc)
    }
}

fn cpu_of(cpuinfo: &str) -> String {
    let model = cpuinfo.lines().find_map(|line| line.strip_prefix("model name"));
    let model = model.map(|rest| rest.trim_start_matches([' ', '\t', ':']).trim());
    model.unwrap_or("unknown CPU").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cpu_is_read_from_the_first_core() {
        assert_eq!(cpu_of("processor\t: 0\nmodel name\t: Some CPU\nmodel name\t: other\n"), "Some CPU");
        assert_eq!(cpu_of(""), "unknown CPU");
    }
}
