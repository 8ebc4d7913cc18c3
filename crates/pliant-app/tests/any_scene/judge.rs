//! Whether what a run says can be believed.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::draw::Scene;
use super::support::{pliant, summary};

/// A run may take so much of a processor's time; where that is not told, of all time.
const LIMIT: Duration = Duration::from_secs(60);
/// How near two methods must come, as a part of the largest displacement.
const NEAR: f64 = 0.01;

/// See the [module](self).
#[derive(Debug)]
pub enum Verdict {
    /// Bad input, with a reason.
    Refused,
    /// It ran and failed, with a reason.
    Failed,
    /// Done, and a second method found the same.
    Confirmed,
    /// Done, and no second method came to an end.
    Unconfirmed,
    /// What must not be.
    Wrong(String),
}

/// Runs a scene, and where it is done the same by a second method.
pub fn judge(scene: &Scene) -> Verdict {
    let first = match end(&scene.text()) {
        Ok(first) => first,
        Err(why) => return Verdict::Wrong(why),
    };
    let first = match first {
        End::Done(first) => first,
        End::Refused => return Verdict::Refused,
        End::Failed => return Verdict::Failed,
        End::None => return Verdict::Wrong(format!("no end after {LIMIT:?}")),
    };
    for second in scene.seconds() {
        match end(&second.text()) {
            // a step of first order that was halved is another step
            Ok(End::Done(second_end))
                if second.method.is_first_order() && second_end.halvings != first.halvings => {}
            Ok(End::Done(second_end)) => {
                // places are rounded, and errors of automatic steps are a part of the body
                let automatic = if scene.method.is_automatic() { NEAR * scene.size } else { 0.0 };
                let slack = automatic + 50.0 * f64::EPSILON * scene.far;
                return match first.differs(&second_end, slack) {
                    None => Verdict::Confirmed,
                    Some(why) => Verdict::Wrong(format!("{why} by {:?}", second.method)),
                };
            }
            Ok(_) => {}
            Err(why) => return Verdict::Wrong(format!("by {:?}: {why}", second.method)),
        }
    }
    Verdict::Unconfirmed
}

enum End {
    Refused,
    Failed,
    /// Too long to wait for.
    None,
    Done(Ends),
}

/// Where a run ended.
struct Ends {
    probes: Vec<[f64; 3]>,
    /// The largest displacement in the end, m.
    largest: f64,
    /// Steps of implicit methods that had to be halved.
    halvings: u64,
}

impl Ends {
    /// Why two ends are not the same.
    fn differs(&self, other: &Self, slack: f64) -> Option<String> {
        let scale = self.largest.max(other.largest);
        let pairs = self.probes.iter().zip(&other.probes);
        let apart = pairs.map(|(a, b)| (0..3).map(|c| (a[c] - b[c]).powi(2)).sum::<f64>().sqrt());
        let most = apart.fold(0.0, f64::max);
        (most > NEAR * scale + slack).then(|| {
            format!(
                "{most:.3e} m apart, largest displacement {scale:.3e} m: {:?} and {:?}",
                self.probes, other.probes
            )
        })
    }
}

/// How a scene ends; an error where that is no way to end.
fn end(text: &str) -> Result<End, String> {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("scene.toml"), folder.path().join("out"));
    std::fs::write(&file, text).unwrap();
    let errors = std::fs::File::create(folder.path().join("errors")).unwrap();
    let mut child = pliant()
        .args(["run", file.to_str().unwrap(), "-o", out.to_str().unwrap(), "--threads", "1", "--quiet"])
        .stdout(Stdio::null())
        .stderr(errors)
        .spawn()
        .unwrap();
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if processor_time(child.id()).unwrap_or_else(|| start.elapsed()) > LIMIT {
            child.kill().unwrap();
            child.wait().unwrap();
            return Ok(End::None);
        }
        std::thread::sleep(Duration::from_millis(3));
    };
    let errors = std::fs::read_to_string(folder.path().join("errors")).unwrap();
    match status.code() {
        Some(0) => done(&out).map(End::Done).map_err(|why| format!("{why}\n{errors}")),
        Some(code @ (1 | 2)) if errors.trim().is_empty() => Err(format!("exit {code} without a reason")),
        Some(1) => Ok(End::Failed),
        Some(2) => Ok(End::Refused),
        _ => Err(format!("{status}: {errors}")),
    }
}

/// What a process has taken of processors so far, so that a busy machine fails no test; `None` where the system does not tell.
fn processor_time(process: u32) -> Option<Duration> {
    /// Linux counts in hundredths of a second, on all machines that it runs on.
    const TICK: Duration = Duration::from_millis(10);
    let told = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // the name may hold blanks; behind its bracket user and system time are the twelfth and thirteenth
    let (_, fields) = told.rsplit_once(')')?;
    let times = fields.split_whitespace().skip(11).take(2);
    let ticks: u32 = times.map(|time| time.parse::<u32>().ok()).sum::<Option<u32>>()?;
    Some(TICK * ticks)
}

/// What a run that is done has written, all of it numbers.
fn done(out: &Path) -> Result<Ends, String> {
    for table in ["energy.csv", "probes.csv"] {
        let text = std::fs::read_to_string(out.join(table)).map_err(|e| format!("{table}: {e}"))?;
        let odd = text.lines().find(|line| ["nan", "inf"].iter().any(|w| line.to_lowercase().contains(w)));
        if let Some(line) = odd {
            return Err(format!("{table}: {line}"));
        }
    }
    let summary = summary(out);
    if summary["status"] != "done" {
        return Err(format!("exit 0 with status {}", summary["status"]));
    }
    let number = |value: &Value, what: &str| value.as_f64().ok_or(format!("{what} is {value}"));
    let mut probes = Vec::new();
    for name in ["tip", "side"] {
        let place = &summary["probes"][name]["displacement"];
        let mut at = [0.0; 3];
        for (c, at) in at.iter_mut().enumerate() {
            *at = number(&place[c], name)?;
        }
        probes.push(at);
    }
    for account in ["kinetic", "elastic", "gravity", "dissipated", "work", "total"] {
        number(&summary["energy"][account], account)?;
    }
    let largest = number(&summary["bodies"]["b"]["max_displacement"], "max_displacement")?;
    let halvings = summary["solver"]["halvings"].as_u64().unwrap_or(0);
    Ok(Ends { probes, largest, halvings })
}
