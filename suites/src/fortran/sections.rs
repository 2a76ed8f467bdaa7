//! Writes programs in Fortran that pass array sections, each program from a seed.
//!
//! A case has an array of up to 15 dimensions and a section of it: forward, backward, with strides,
//! empty. Its elements are sent to this process itself, and compared with those that Fortran has in
//! the section; other elements are received into it, and the array compared with one in which
//! Fortran has assigned them. The calls are of each kind: those that block, those that do not,
//! persistent ones, and those that must have their memory together.

use std::fmt::Write;

/// Cases of a program.
const CASES: usize = 24;

/// Elements of an array.
const ELEMENTS_MAX: usize = 400;

/// Random numbers of a seed (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// A type of elements: its declaration, the `i`th value, the MPI datatype and how many of it an
/// element has, and its zero.
type Kind = (
    &'static str,
    &'static str,
    &'static str,
    usize,
    &'static str,
);

const KINDS: &[Kind] = &[
    ("integer", "i", "MPI_INTEGER", 1, "0"),
    ("integer", "i", "MPI_BYTE", 4, "0"),
    (
        "integer(1)",
        "int(mod(i, 100), 1)",
        "MPI_INTEGER1",
        1,
        "0_1",
    ),
    ("real(8)", "real(i, 8)", "MPI_DOUBLE_PRECISION", 1, "0d0"),
    ("complex", "cmplx(i, -i)", "MPI_COMPLEX", 1, "(0, 0)"),
    ("complex", "cmplx(i, -i)", "MPI_REAL", 2, "(0, 0)"),
    (
        "character(len=3)",
        "achar(65 + mod(i, 26)) // achar(65 + mod(i / 26, 26)) // 'x'",
        "MPI_CHARACTER",
        3,
        "'   '",
    ),
];

/// Returns the program of a seed.
pub fn program(seed: u64) -> String {
    let mut random = Random(seed);
    let mut calls = String::new();
    let mut cases = String::new();
    for number in 1..=CASES {
        let _ = writeln!(calls, "  call case{number}()");
        cases.push_str(&case(number, &mut random));
    }
    format!(
        "! Made from the seed {seed}.\nprogram sections\n  use mpi_f08\n  implicit none\n  \
         call MPI_Init()\n{calls}  call MPI_Finalize()\ncontains\n{cases}\
         \x20 subroutine wrong(number, what)\n    integer, intent(in) :: number\n    \
         character(len=*), intent(in) :: what\n    print *, 'case', number, what\n    \
         call MPI_Abort(MPI_COMM_WORLD, 3)\n  end subroutine\nend program\n"
    )
}

/// The bounds of an array and the subscripts of a section of it.
fn shape(random: &mut Random) -> (Vec<usize>, Vec<String>) {
    let rank = random.pick(&[1, 1, 2, 2, 2, 3, 3, 4, 5, 7, 15]);
    let (mut extents, mut subscripts, mut total) = (Vec::new(), Vec::new(), 1);
    for _ in 0..rank {
        let most = match rank {
            15 => 2,
            rank => 12 / rank + 2,
        };
        let extent = (1 + random.below(most)).min(ELEMENTS_MAX / total).max(1);
        total *= extent;
        let (low, high) = (1 + random.below(extent), 1 + random.below(extent));
        let step = 1 + random.below(3);
        subscripts.push(match random.below(8) {
            0 | 1 => ":".to_string(),
            2 | 3 => format!("{}:{}:{step}", low.min(high), low.max(high)),
            4 | 5 => format!("{}:{}:-{step}", low.max(high), low.min(high)),
            6 => format!("::{step}"),
            // Empty where the first is larger.
            _ => format!("{low}:{high}"),
        });
        extents.push(extent);
    }
    (extents, subscripts)
}

fn case(number: usize, random: &mut Random) -> String {
    let (ty, value, datatype, per, zero) = random.pick(KINDS);
    let (extents, subscripts) = shape(random);
    let total: usize = extents.iter().product();
    let list: Vec<String> = extents.iter().map(usize::to_string).collect();
    let (bounds, section) = (list.join(","), subscripts.join(","));
    let less = random.pick(&[0, 0, 0, 1, 2]);
    let (send, receive) = (call(random, "send"), call(random, "receive"));
    let text = |template: &str| {
        template
            .replace("SECTION", &section)
            .replace("TYPE", datatype)
    };
    format!(
        "  subroutine case{number}()
    {ty} :: a({bounds}), b({bounds}), c({bounds}), flat({total}), want({total})
    integer :: i, n, m, tag
    type(MPI_Request) :: r(2)
    tag = {number}
    a = reshape([({value}, i=1,{total})], [{bounds}])
    n = size(a({section}))
    m = {per} * max(n - {less}, 0)
    want = {zero}
    flat = {zero}
    want(1:n) = reshape(a({section}), [n])
    want(m/{per}+1:) = {zero}
{send}    if (any(flat /= want)) call wrong({number}, 'sent')
    want(1:n) = reshape(a({section}), [n])
    flat = [({value}, i={total},1,-1)]
    want(1:m/{per}) = flat(1:m/{per})
    b = a
    c = a
    c({section}) = reshape(want(1:n), shape(c({section})))
{receive}    if (any(b /= c)) call wrong({number}, 'received')
  end subroutine
",
        send = text(&send),
        receive = text(&receive),
    )
}

/// Calls that move `m` of TYPE from the section of `a` to `flat`, or from `flat` to that of `b`.
fn call(random: &mut Random, way: &str) -> String {
    let (from, to) = match way {
        "send" => ("a(SECTION)", "flat"),
        _ => ("flat", "b(SECTION)"),
    };
    let lines: &[String] = &match random.below(7) {
        0 => vec![format!(
            "call MPI_Sendrecv({from}, m, TYPE, 0, tag, {to}, m, TYPE, 0, tag, &\n      \
             MPI_COMM_SELF, MPI_STATUS_IGNORE)"
        )],
        1 => vec![
            format!("call MPI_Irecv({to}, m, TYPE, 0, tag, MPI_COMM_SELF, r(1))"),
            format!("call MPI_Isend({from}, m, TYPE, 0, tag, MPI_COMM_SELF, r(2))"),
            "call MPI_Waitall(2, r, MPI_STATUSES_IGNORE)".to_string(),
        ],
        2 => vec![format!(
            "call MPI_Allgather({from}, m, TYPE, {to}, m, TYPE, MPI_COMM_SELF)"
        )],
        3 => vec![format!(
            "call MPI_Alltoallv({from}, [m], [0], TYPE, {to}, [m], [0], TYPE, MPI_COMM_SELF)"
        )],
        4 => vec![
            format!("call MPI_Ialltoall({from}, m, TYPE, {to}, m, TYPE, MPI_COMM_SELF, r(1))"),
            "call MPI_Wait(r(1), MPI_STATUS_IGNORE)".to_string(),
        ],
        5 => vec![
            format!(
                "call MPI_Allgather_init({from}, m, TYPE, {to}, m, TYPE, MPI_COMM_SELF, &\n      \
                 MPI_INFO_NULL, r(1))"
            ),
            "call MPI_Start(r(1))".to_string(),
            "call MPI_Wait(r(1), MPI_STATUS_IGNORE)".to_string(),
            "call MPI_Request_free(r(1))".to_string(),
        ],
        _ => vec![format!(
            "call MPI_Alltoall({from}, int(m, MPI_COUNT_KIND), TYPE, {to}, &\n      \
             int(m, MPI_COUNT_KIND), TYPE, MPI_COMM_SELF)"
        )],
    };
    lines.iter().map(|line| format!("    {line}\n")).collect()
}
