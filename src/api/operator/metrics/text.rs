//! The text format of Prometheus, version 0.0.4. The crates that write it keep the numbers themselves; here they are read from
//! stores at each request, so what is left is this page.

use std::fmt::{Display, Write};

use crate::base::metrics::histogram::Histogram;

/// The media type.
pub const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// What a metric does.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// It goes up and down.
    Gauge,
    /// It only goes up, or begins again at 0.
    Counter,
    /// It counts durations by how long they were.
    Histogram,
}

impl Kind {
    fn as_str(self) -> &'static str {
        match self {
            Kind::Gauge => "gauge",
            Kind::Counter => "counter",
            Kind::Histogram => "histogram",
        }
    }
}

/// Labels with their values.
pub type Labels<'a> = &'a [(&'a str, &'a str)];

/// A text that grows.
#[derive(Debug, Default)]
pub struct Text(String);

impl Text {
    /// Begins a metric, whose samples follow.
    pub fn metric<'a>(&'a mut self, name: &'a str, kind: Kind, help: &str) -> Metric<'a> {
        self.line(format_args!("# HELP {name} {help}"));
        self.line(format_args!("# TYPE {name} {}", kind.as_str()));
        Metric { text: self, name }
    }

    /// The whole text.
    pub fn end(self) -> String {
        self.0
    }

    fn sample(&mut self, name: &str, labels: Labels<'_>, bound: Option<&str>, value: impl Display) {
        let bound = bound.map(|bound| ("le", bound));
        let labels: Vec<String> = labels
            .iter()
            .copied()
            .chain(bound)
            .map(|(name, value)| format!("{name}=\"{}\"", escaped(value)))
            .collect();
        match labels.as_slice() {
            [] => self.line(format_args!("{name} {value}")),
            labels => self.line(format_args!("{name}{{{}}} {value}", labels.join(","))),
        }
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing into a text can't fail.
        let _ = writeln!(self.0, "{line}");
    }
}

/// A metric that was begun.
#[derive(Debug)]
pub struct Metric<'a> {
    text: &'a mut Text,
    name: &'a str,
}

impl Metric<'_> {
    /// Adds a sample.
    pub fn add(&mut self, labels: Labels<'_>, value: impl Display) {
        self.text.sample(self.name, labels, None, value);
    }

    /// Adds the samples of a histogram, in seconds. It counts in `unit_ms`.
    pub fn add_durations(&mut self, labels: Labels<'_>, durations: &Histogram, unit_ms: u64) {
        let [bucket, sum, count] = ["bucket", "sum", "count"].map(|of| format!("{}_{of}", self.name));
        for (bound_ms, within) in durations.within() {
            let bound = seconds(u64::from(bound_ms).saturating_mul(unit_ms));
            self.text.sample(&bucket, labels, Some(&bound), within);
        }
        self.text.sample(&bucket, labels, Some("+Inf"), durations.count());
        self.text
            .sample(&sum, labels, None, seconds(durations.sum_ms.saturating_mul(unit_ms)));
        self.text.sample(&count, labels, None, durations.count());
    }
}

/// Milliseconds as seconds.
pub fn seconds(ms: u64) -> String {
    match ms % 1_000 {
        0 => format!("{}", ms / 1_000),
        rest => format!("{}.{rest:03}", ms / 1_000).trim_end_matches('0').to_owned(),
    }
}

/// The value of a label. Carriers have names that operators choose.
fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_have_the_form_that_prometheus_reads() {
        let mut text = Text::default();
        text.metric("a", Kind::Gauge, "A gauge.").add(&[], -3);
        let mut counter = text.metric("c_total", Kind::Counter, "A counter.");
        counter.add(&[("x", "1\\2\"3\n4"), ("y", "")], 7);
        let expected = "# HELP a A gauge.\n# TYPE a gauge\na -3\n# HELP c_total A counter.\n# TYPE c_total counter\n\
             c_total{x=\"1\\\\2\\\"3\\n4\",y=\"\"} 7\n";
        assert_eq!(text.end(), expected);
    }

    #[test]
    fn a_histogram_has_cumulative_buckets_in_seconds() {
        let (mut durations, mut text) = (Histogram::default(), Text::default());
        for ms in [5, 40, 20_000] {
            durations.note(ms);
        }
        text.metric("h", Kind::Histogram, "")
            .add_durations(&[("x", "y")], &durations, 1);
        text.metric("tenths", Kind::Histogram, "")
            .add_durations(&[], &durations, 100);
        let text = text.end();
        for line in [
            "h_bucket{x=\"y\",le=\"0.005\"} 1\n",
            "h_bucket{x=\"y\",le=\"0.05\"} 2\n",
            "h_bucket{x=\"y\",le=\"10\"} 2\n",
            "h_bucket{x=\"y\",le=\"+Inf\"} 3\n",
            "h_sum{x=\"y\"} 20.045\nh_count{x=\"y\"} 3\n",
            "tenths_bucket{le=\"0.5\"} 1\n",
            "tenths_bucket{le=\"1000\"} 2\n",
            "tenths_sum 2004.5\n",
        ] {
            assert!(text.contains(line), "{line}{text}");
        }
    }
}
