//! Checks that no collective is slower than others that do as much or more: allreduce than reduce
//! plus broadcast, gather than allgather, and so on. If one is, its algorithm is badly chosen.

use super::figures::COLL_PARTS;
use super::report::Row;

/// How much longer a collective may take than its parts: what two measurements of one thing differ.
const TOLERANCE: f64 = 1.15;

/// The rows of the table, and those that compare a collective with its parts.
pub fn split(rows: Vec<Row>) -> (Vec<Row>, Vec<Row>) {
    rows.into_iter().partition(|row| row.case.key != COLL_PARTS)
}

/// The comparisons of oxmpi with itself, and how many are as they should be; nothing where none was
/// measured.
pub fn table(rows: &[Row]) -> String {
    let mut text = String::new();
    let (mut consistent, mut all) = (0, 0);
    for row in rows {
        let name = &row.point.name;
        let Some((whole, parts)) = name.split_once(':').filter(|(_, parts)| !parts.is_empty())
        else {
            continue;
        };
        let of = |row: &&Row| row.point.bytes;
        let beside = format!("{whole}:");
        let mut same = rows.iter().filter(|other| other.point.name == beside);
        let found = same.find(|other| of(other) == row.point.bytes);
        let (Some(time), Some(limit)) =
            (found.and_then(|row| row.value("oxmpi")), row.value("oxmpi"))
        else {
            continue;
        };
        let ratio = time / limit;
        let is_consistent = ratio <= TOLERANCE;
        all += 1;
        consistent += u32::from(is_consistent);
        let word = if is_consistent { "consistent" } else { "not" };
        let what = format!("{whole} <= {parts}");
        text += &format!(
            "{what:<36} {:>8}    us {time:>9.2} {limit:>9.2} {ratio:>8.2}  {word}\n",
            row.point.bytes
        );
    }
    match all {
        0 => text,
        _ => format!("\n{text}\nconsistent: {consistent} of {all}\n"),
    }
}
