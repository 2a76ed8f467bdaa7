//! Which of its calls each rank of a traced job keeps.

use trace::layout::Keep;

/// The variable by which a job's programs are traced: how many records each rank keeps, and which.
pub const VARIABLE: &str = "OXMPI_TRACE_RECORDS";
/// How many records each rank keeps, unless the user has given a number: 8 MiB of them.
pub(crate) const RECORDS_DEFAULT: u32 = 256 * 1024;
/// The most that the user may give: 2 GiB of them.
pub(crate) const RECORDS_MAX: u32 = 64 * 1024 * 1024;

/// Which records each rank of a job keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordSettings {
    /// The most records that a rank keeps.
    pub records: u32,
    /// Which of them it keeps when it makes more.
    pub keep: Keep,
}

impl RecordSettings {
    /// The value of [`VARIABLE`].
    pub(crate) fn value(&self) -> String {
        let keep = match self.keep {
            Keep::Newest => "newest",
            Keep::Slowest => "slowest",
        };
        format!("{},{keep}", self.records)
    }

    /// The reverse of [`RecordSettings::value`].
    pub(crate) fn parse(value: &str) -> Option<RecordSettings> {
        let (records, keep) = value.split_once(',')?;
        let keep = match keep {
            "newest" => Keep::Newest,
            "slowest" => Keep::Slowest,
            _ => return None,
        };
        let records = records.parse().ok()?;
        (1..=RECORDS_MAX)
            .contains(&records)
            .then_some(RecordSettings { records, keep })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wanted_goes_through_a_variable() {
        let wanted = RecordSettings {
            records: 7,
            keep: Keep::Slowest,
        };
        assert_eq!(RecordSettings::parse(&wanted.value()), Some(wanted));
        for wrong in [
            "",
            "7",
            "7,oldest",
            "0,newest",
            "-1,newest",
            "4294967295,newest",
        ] {
            assert_eq!(RecordSettings::parse(wrong), None, "{wrong}");
        }
    }
}
