//! What was measured, as a table.

use std::fmt::Write as _;

use super::{DEFAULT, MANNERS, Measured, NONE};
use crate::bench_engine::measure::Run;

/// The first two lines of the table.
pub fn heading() -> String {
    let manners: String = MANNERS.iter().map(|manner| format!(" {} states | s |", manner.name)).collect();
    let count = 2 * MANNERS.len() + 6;
    let rule = " ---: |".repeat(count);
    format!(
        "| model |{manners} SPIN states | s | SPIN reduced | s | default ÷ better | SPIN reduced ÷ default |\n| --- |{rule}"
    )
}

/// One line of it.
pub fn line(measured: &Measured) -> String {
    let cells = |run: &Run| format!(" {} | {:.2} |", grouped(run.states), run.times.user);
    let ours: String = measured.ours.iter().map(cells).collect();
    let spin = measured.spin.as_ref().map_or(" - | - | - | - |".to_string(), |(a, b)| cells(a) + &cells(b));
    let against = against_spin(measured).map_or("-".to_string(), |ratio| format!("{ratio:.2}"));
    format!("| {} |{ours}{spin} {:.2} | {against} |", measured.name, measured.excess())
}

/// SPIN's user time with its reductions over ours by default.
fn against_spin(measured: &Measured) -> Option<f64> {
    let (_, reduced) = measured.spin.as_ref()?;
    Some(reduced.times.user / measured.ours[DEFAULT].times.user.max(0.01))
}

/// Means, and the models where the default takes too long.
pub fn summary(all: &[Measured], most: f64) -> String {
    let mean = |values: Vec<f64>| {
        let count = values.len().max(1) as f64;
        (values.iter().map(|value| value.max(1e-3).ln()).sum::<f64>() / count).exp()
    };
    let mut text = format!("\n{} models\n", all.len());
    let excess = mean(all.iter().map(Measured::excess).collect());
    let fewer = mean(all.iter().map(|each| each.ours[NONE].states as f64 / each.ours[DEFAULT].states as f64).collect());
    let _ =
        writeln!(text, "user time of the default over the better of none and all: {excess:.2} in the geometric mean");
    let _ = writeln!(text, "states without reductions over those of the default: {fewer:.2}");
    let against: Vec<f64> = all.iter().filter_map(against_spin).collect();
    if !against.is_empty() {
        let least = against.iter().copied().fold(f64::INFINITY, f64::min);
        let _ = writeln!(text, "SPIN's reduced search over the default: {:.2}, least {least:.2}", mean(against));
    }
    for each in all.iter().filter(|each| each.excess() > most) {
        let _ = writeln!(text, "slower than {most} times the better: {} ({:.2})", each.name, each.excess());
    }
    for each in all {
        if let Some((_, reduced)) = each.spin.as_ref().filter(|(_, run)| run.states < each.ours[DEFAULT].states) {
            let _ = writeln!(text, "more states than SPIN's {}: {}", grouped(reduced.states), each.name);
        }
    }
    text
}

/// The page of the documentation.
pub fn page(all: &[Measured], runs: u32, most: f64) -> String {
    let lines: String = all.iter().map(|each| line(each) + "\n").collect();
    format!(
        "# Reductions\n\nWritten by `cargo xtask bench reductions --save`: the least user seconds of {runs} runs each, one worker. *all* insists on partial \
         order, merging and dead variables; *default* switches off what does not pay; *symmetry* is the default with symmetry.\n\n{}\n{lines}{}",
        heading(),
        summary(all, most)
    )
}

/// `1,234,567`
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn digits_stand_in_groups_of_three() {
        assert_eq!([0, 12, 123, 1234, 1_234_567].map(grouped), ["0", "12", "123", "1,234", "1,234,567"]);
    }
}
