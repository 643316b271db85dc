//! The report as one page for a browser: nothing is loaded from anywhere, so it can be kept, mailed and opened years later.
//!
//! Verdicts, counts, charts and lists are plain HTML and SVG, readable without scripts. A counterexample is embedded in a short form
//! ([`runs`]), and a script steps through it.

mod evidence;
mod group;
mod runs;

use std::fmt::Write as _;

use machine::chart::chart;
use machine::trace::Trace;
use picture::escaped;
use serde_json::{Value, json};

use super::text::{counted, grouped, grouped_digits, megabytes, seconds};
use super::{Attempt, Report, Reported, SourceText, bug_lines, words};
use crate::verify::{SymmetryUse, Unreached, Verdict};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Lines of source that a page shows; a generated model may have millions.
const MOST_LINES: usize = 20_000;

/// Steps that the chart of a page shows: the last of a longer run.
const MOST_ROWS: usize = 5_000;

/// Reports as one page: a summary first if there are several.
#[must_use]
pub fn to_html(attempts: &[Attempt]) -> String {
    let mut page = Page::default();
    if attempts.len() > 1 {
        summary(attempts, &mut page.body);
    }
    for (number, attempt) in attempts.iter().enumerate() {
        if let Attempt::Verified(report) = attempt {
            page.add(report, number);
        }
    }
    page.finish(&match attempts {
        [Attempt::Verified(report)] => format!("{}: {}", report.model, headline(report)),
        _ => format!("{} models", attempts.len()),
    })
}

/// A run that was executed again as one page.
#[must_use]
pub fn run_to_html(model: &str, sources: &[SourceText], trace: &Trace) -> String {
    let mut page = Page::default();
    let _ = writeln!(
        page.body,
        "<h1>{}</h1>\n<p class=\"i-quiet\">executed by isospin {}</p>\n<section class=\"i-finding\">\n<p>{}: {}</p>",
        escaped(model),
        env!("CARGO_PKG_VERSION"),
        escaped(trace.end.kind.name()),
        escaped(&trace.end.message)
    );
    page.run(trace, sources, &[], "Run", None);
    sequence_chart(trace, &mut page.body);
    page.body.push_str("</section>\n");
    page.finish(&format!("{model}: {}", trace.end.kind.name()))
}

/// A page that is being written.
#[derive(Default)]
struct Page {
    body: String,
    /// The files of all models, by whose numbers lines are known.
    files: Vec<String>,
    /// The runs, as the script reads them.
    runs: Vec<Value>,
}

impl Page {
    fn add(&mut self, report: &Report, number: usize) {
        head(report, number, &mut self.body);
        let before = self.runs.len();
        for reported in &report.findings {
            self.finding(report, reported);
        }
        if self.runs.len() == before {
            let unreached: Vec<&Unreached> = report.findings.iter().flat_map(|each| &each.finding.unreached).collect();
            let lines = self.source_lines(&report.sources, &unreached);
            let _ =
                write!(self.body, "<details><summary>Source</summary><div class=\"i-pane\">{lines}</div></details>");
        }
        resources(report, &mut self.body);
    }

    fn finding(&mut self, report: &Report, reported: &Reported) {
        let body = &mut self.body;
        let finding = &reported.finding;
        let word = verdict_word(&finding.verdict);
        let explanation = match (&finding.verdict, &finding.counterexample) {
            (Verdict::Unknown(cause), _) => format!("{}: {}", words::reason(cause), words::advice(cause)),
            (Verdict::Violated, Some(trace)) => {
                let place = match (&trace.end.file, trace.end.line) {
                    (Some(file), Some(line)) => format!(" ({file}:{line})"),
                    _ => String::new(),
                };
                format!("{}{place}", trace.end.message)
            }
            (Verdict::Holds, _) if finding.complete => "in every run".to_string(),
            _ => String::new(),
        };
        let _ = writeln!(
            body,
            "<section class=\"i-finding\" data-verdict=\"{word}\">\n<div class=\"i-verdict i-{word}\"><h2>{}</h2><strong>{word}</strong>\
             <span>{}</span></div>",
            escaped(finding.property.name()),
            escaped(&explanation)
        );
        figures(reported, body);
        for line in bug_lines(reported) {
            let _ = writeln!(body, "<p class=\"i-note\">{}</p>", escaped(&line));
        }
        for notice in &finding.notices {
            let _ = writeln!(body, "<p class=\"i-note\">{}</p>", escaped(&words::notice(notice)));
        }
        if let Some(tree) = &finding.evidence {
            evidence::list(tree, &report.model, body);
        }
        if let Some(trace) = &finding.counterexample {
            let unreached: Vec<&Unreached> = finding.unreached.iter().collect();
            self.run(trace, &report.sources, &unreached, "Counterexample", reported.trace_file.as_deref());
            if !finding.starved.is_empty() {
                let starved = escaped(&finding.starved.join(", "));
                let _ = writeln!(
                    self.body,
                    "<p class=\"i-note\">Starved on the cycle: <span class=\"i-code\">{starved}</span>. With \
                     <span class=\"i-code\">--fairness weak</span> such runs do not count.</p>"
                );
            }
            sequence_chart(trace, &mut self.body);
        }
        if let Some(usage) = &finding.symmetry {
            symmetry(usage, &mut self.body);
        }
        unreached(&finding.unreached, &mut self.body);
        self.body.push_str("</section>\n");
    }

    /// The panes of a run; the script fills them.
    fn run(
        &mut self,
        trace: &Trace,
        sources: &[SourceText],
        unreached: &[&Unreached],
        title: &str,
        file: Option<&str>,
    ) {
        let lines = self.source_lines(sources, unreached);
        let index = self.runs.len();
        self.runs.push(runs::compact(trace));
        let file = file.map_or_else(String::new, |file| {
            format!("<p class=\"i-quiet\">This run is in <span class=\"i-code\">{}</span>.</p>", escaped(file))
        });
        let _ = writeln!(
            self.body,
            "<h3>{title}</h3>\n<div class=\"i-run\" data-run=\"{index}\">\n<div class=\"i-bar\">\
             <button data-go=\"first\" title=\"to the initial state\">first</button><button data-go=\"back\" title=\"one step back\">back</button>\
             <button data-go=\"forward\" title=\"one step on\">forward</button><button data-go=\"last\" title=\"to the end\">last</button>\
             <input class=\"i-slider\" type=\"range\" min=\"0\" max=\"0\" aria-label=\"step\"><span class=\"i-place\" aria-live=\"polite\"></span>\
             <span class=\"i-quiet i-keys\"><kbd>\u{2190}</kbd> <kbd>\u{2192}</kbd> step, <kbd>Home</kbd> <kbd>End</kbd></span></div>\n\
             <div class=\"i-panes\">\n<div class=\"i-pane i-list\" tabindex=\"0\" aria-label=\"steps\"><header>Steps: process, line, statement</header>\
             <ol class=\"i-steps\"></ol></div>\n<div class=\"i-pane i-source\" tabindex=\"0\" aria-label=\"source\"><header>Source</header>\
             <div class=\"i-lines\">{lines}</div></div>\n\
             <div class=\"i-pane\" tabindex=\"0\" aria-label=\"state\"><header>State</header><div class=\"i-state\" aria-live=\"off\"></div></div>\n\
             </div>\n{file}\n<noscript><p class=\"i-note\">Stepping needs a browser with scripts. The chart below tells the same run.</p></noscript>\n</div>"
        );
    }

    /// The texts with numbered lines, those of unreached statements marked.
    fn source_lines(&mut self, sources: &[SourceText], unreached: &[&Unreached]) -> String {
        let mut text = String::new();
        let mut shown = 0;
        for source in sources {
            let index = self.file(&source.file);
            if sources.len() > 1 {
                let _ = write!(text, "<h3 class=\"i-code\">{}</h3>", escaped(&source.file));
            }
            text.push_str("<div class=\"i-text\">");
            for (number, line) in (1_u32..).zip(source.text.lines()).take(MOST_LINES.saturating_sub(shown)) {
                let missed = unreached.iter().any(|each| each.line == number && each.file == source.file);
                let class = if missed { "i-l i-unreached" } else { "i-l" };
                let title = if missed { " title=\"never executed\"" } else { "" };
                let _ = write!(
                    text,
                    "<span class=\"{class}\" data-line=\"{index}:{number}\"{title}><span class=\"i-p\"></span>\
                     <span class=\"i-n\">{number}</span>{}</span>",
                    escaped(&shortened(line))
                );
                shown += 1;
            }
            text.push_str("</div>");
        }
        text
    }

    /// The number of a file.
    fn file(&mut self, name: &str) -> usize {
        if let Some(index) = self.files.iter().position(|known| known == name) {
            return index;
        }
        self.files.push(name.to_string());
        self.files.len() - 1
    }

    fn finish(self, title: &str) -> String {
        let data = json!({ "files": self.files, "runs": self.runs });
        document(&self.body, &data, title)
    }
}

fn document(body: &str, data: &Value, title: &str) -> String {
    // Inside a script element only this could end it early.
    let data = data.to_string().replace("</", "<\\/").replace("<!--", "<\\u0021--");
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n<style>{STYLE}</style>\n\
         </head>\n<body>\n<main>\n{body}</main>\n<script type=\"application/json\" id=\"i-data\">{data}</script>\n\
         <script>{SCRIPT}</script>\n</body>\n</html>\n",
        escaped(title)
    )
}

/// One row for each property of each model, with a link to what is said below.
fn summary(attempts: &[Attempt], body: &mut String) {
    let _ = writeln!(
        body,
        "<h1>{} models</h1>\n<div class=\"i-scroll\"><table class=\"i-table i-summary\">\
         <tr><th>model</th><th>property</th><th>verdict</th><th>states</th></tr>",
        attempts.len()
    );
    for (number, attempt) in attempts.iter().enumerate() {
        match attempt {
            Attempt::Verified(report) => {
                for Reported { finding, .. } in &report.findings {
                    let word = verdict_word(&finding.verdict);
                    let _ = writeln!(
                        body,
                        "<tr data-verdict=\"{word}\"><td><a href=\"#model-{number}\">{}</a></td><td>{}</td><td>{word}</td><td>{}</td></tr>",
                        escaped(&report.model),
                        escaped(finding.property.name()),
                        grouped(finding.counts.states)
                    );
                }
            }
            Attempt::Refused { model } => without_report(model, "refused", body),
            Attempt::Skipped { model } => without_report(model, "skipped", body),
        }
    }
    body.push_str("</table></div>\n");
}

fn without_report(model: &str, word: &str, body: &mut String) {
    let model = escaped(model);
    let _ = writeln!(body, "<tr data-verdict=\"{word}\"><td>{model}</td><td></td><td>{word}</td><td></td></tr>");
}

fn headline(report: &Report) -> String {
    let each: Vec<String> = report
        .findings
        .iter()
        .map(|reported| format!("{} {}", reported.finding.property, verdict_word(&reported.finding.verdict)))
        .collect();
    each.join(", ")
}

fn verdict_word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Violated => "violated",
        Verdict::Unknown(_) => "unknown",
    }
}

fn head(report: &Report, number: usize, body: &mut String) {
    let options = report.source_options.join(" ");
    let _ = writeln!(
        body,
        "<h1 id=\"model-{number}\">{}</h1>\n<p class=\"i-quiet\">verified by isospin {} in {}{}</p>",
        escaped(&report.model),
        env!("CARGO_PKG_VERSION"),
        seconds(report.resources.time.as_secs_f64()),
        if options.is_empty() {
            String::new()
        } else {
            format!(", with <span class=\"i-code\">{}</span>", escaped(&options))
        }
    );
}

fn sequence_chart(trace: &Trace, body: &mut String) {
    let length = trace.steps.len();
    let open = if length <= 2000 { " open" } else { "" };
    let left_out = match length > MOST_ROWS {
        true => {
            let shown = format!("the last {} of {} steps", grouped(MOST_ROWS as u64), grouped(length as u64));
            let all = "<span class=\"i-code\">isospin replay --msc chart.svg MODEL TRACE</span> draws all of them";
            format!("<p class=\"i-quiet\">Here are {shown}; {all}.</p>")
        }
        false => String::new(),
    };
    let mut chart = chart(trace);
    chart.keep_last(MOST_ROWS);
    let _ = writeln!(
        body,
        "<details{open}><summary>Message sequence chart</summary>{left_out}<div class=\"i-chart\" tabindex=\"0\">{}</div></details>",
        chart.svg()
    );
}

fn figures(reported: &Reported, body: &mut String) {
    let counts = &reported.finding.counts;
    let mut list = vec![
        ("states", grouped(counts.states)),
        ("transitions", grouped(counts.transitions())),
        ("matched", grouped(counts.matched)),
        ("depth", grouped(counts.depth)),
        ("time", seconds(counts.time.as_secs_f64())),
        ("state vector", format!("{} bytes", counts.vector_bytes)),
        ("memory", format!("{:.1} bytes per state", counts.bytes_per_state())),
    ];
    if let Some(represented) = reported.finding.symmetry.as_ref().and_then(|usage| usage.represented.as_ref()) {
        list.insert(1, ("stand for", grouped_digits(&represented.to_string())));
    }
    if let Some(confirmed) = reported.finding.confirmed {
        list.push(("confirmed without reductions", counted(confirmed.states, "state")));
    }
    if reported.finding.violations > 0 {
        list.push(("violations seen", grouped(reported.finding.violations)));
    }
    body.push_str("<dl class=\"i-figures\">");
    for (name, value) in list {
        let _ = write!(body, "<div><dt>{name}</dt><dd>{}</dd></div>", escaped(&value));
    }
    let method = reported
        .finding
        .method
        .as_ref()
        .map(|method| words::method(method, &reported.finding.reductions))
        .unwrap_or_default();
    let _ = writeln!(body, "</dl>\n<p class=\"i-quiet\">{}</p>", escaped(&method));
}

/// A line of a megabyte helps nobody.
fn shortened(line: &str) -> String {
    const MOST: usize = 2_000;
    match line.char_indices().nth(MOST) {
        Some((at, _)) => format!("{} \u{2026} ({} characters more)", &line[..at], line[at..].chars().count()),
        None => line.to_string(),
    }
}

fn symmetry(usage: &SymmetryUse, body: &mut String) {
    let exact = if usage.exact { "one representative for each orbit" } else { "representatives not unique" };
    let stay = if usage.ended_stay { ", of a model whose processes stay at their end" } else { "" };
    let stand_for = usage.represented.as_ref().map_or_else(String::new, |represented| {
        format!(" The stored states stand for {}{stay};", grouped_digits(&represented.to_string()))
    });
    let _ = writeln!(
        body,
        "<h3>Symmetry</h3>\n<p>A group of order {} was found in {}.{stand_for} {exact} ({}).</p>\n{}",
        grouped_digits(&usage.order.to_string()),
        seconds(usage.detection_time.as_secs_f64()),
        usage.strategy_name(),
        group::diagram(&usage.generators)
    );
}

fn unreached(list: &[Unreached], body: &mut String) {
    if list.is_empty() {
        return;
    }
    body.push_str(
        "<h3>Never executed</h3>\n<div class=\"i-scroll\"><table class=\"i-table\">\
         <tr><th>process</th><th>place</th><th>statement</th></tr>\n",
    );
    for each in list {
        let _ = writeln!(
            body,
            "<tr><td class=\"i-code\">{}</td><td class=\"i-code\">{}:{}</td><td class=\"i-code\">{}</td></tr>",
            escaped(&each.process),
            escaped(&each.file),
            each.line,
            escaped(&each.text)
        );
    }
    body.push_str("</table></div>\n");
}

fn resources(report: &Report, body: &mut String) {
    let resources = &report.resources;
    let rows = [
        ("time in all", seconds(resources.time.as_secs_f64())),
        ("of that, reading and preparing", seconds(resources.compile_time.as_secs_f64())),
        ("most memory", megabytes(resources.peak_rss_bytes)),
        ("workers", resources.workers.to_string()),
    ];
    body.push_str("<section class=\"i-finding\"><h3>Resources</h3>\n<table class=\"i-table\">");
    for (name, value) in rows {
        let _ = write!(body, "<tr><th>{name}</th><td>{value}</td></tr>");
    }
    body.push_str("</table></section>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut() {
        let line = "\u{e4}".repeat(1_000_000);
        assert!(shortened(&line).chars().count() < 2_100);
        assert_eq!(shortened("short"), "short");
    }
}
