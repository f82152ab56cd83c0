//! One operation on one container: `probe run POOL OPERATION` does it once, for a tool that counts
//! instructions; `probe time` times all of them, one after the other, in turns.

mod containers;
mod operations;

use std::process::ExitCode;

use containers::{Task, counted, timed};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["list"] => counted().iter().for_each(|task| println!("{}\t{}", task.container, task.operation)),
        ["run", container, operation] => match find(container, operation) {
            Some(task) => println!("{}", (task.run)().count),
            None => return ExitCode::from(2),
        },
        ["time", rounds] => time(rounds.parse().unwrap_or(1)),
        _ => {
            eprintln!("usage: probe list | probe run CONTAINER OPERATION | probe time ROUNDS");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn find(container: &str, operation: &str) -> Option<Task> {
    counted().into_iter().find(|task| task.container == container && task.operation == operation)
}

/// Runs every task once per round and prints one line per task: container, operation, and the
/// nanoseconds per operation of each round.
fn time(rounds: usize) {
    let tasks = timed();
    let mut figures = vec![Vec::new(); tasks.len()];
    for round in 0..rounds {
        for position in 0..tasks.len() {
            let at = if round % 2 == 0 { position } else { tasks.len() - 1 - position };
            let result = (tasks[at].run)();
            figures[at].push(result.nanoseconds / result.count as f64);
        }
    }
    for (task, figures) in tasks.iter().zip(figures) {
        let figures: Vec<String> = figures.iter().map(|figure| format!("{figure:.3}")).collect();
        println!("{}\t{}\t{}", task.container, task.operation, figures.join("\t"));
    }
}
