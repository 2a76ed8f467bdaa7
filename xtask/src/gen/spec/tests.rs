//! Tests of valid rows, and of each way in which a row can be malformed.

use super::*;

const KINDS: &str = "\
# comment
kind	type	large	meaning	error
BUFFER	void	-	memory	-
COMMUNICATOR	MPI_Comm	-	a communicator	-
DATATYPE	MPI_Datatype	-	a datatype	-
POLYCOUNT	int	MPI_Count	a count	-
RANK	int	-	a rank	-
STRING	char	-	text	-
";
const CONSTANTS: &str = "name	value	type	group\nMPI_MAX_NAME	64	int	limit\n";
const TYPES: &str = "kind	name	definition\n";

/// Reads a table of functions with these rows.
fn read(rows: &str) -> Result<Spec, String> {
    let functions = format!("# comment\nname\tand so on\n{rows}\n");
    Spec::parse(
        ("functions.tsv", functions),
        ("extensions.tsv", "name\n".to_string()),
        ("kinds.tsv", KINDS.to_string()),
        ("constants.tsv", CONSTANTS.to_string()),
        ("types.tsv", TYPES.to_string()),
    )
}

fn complaint(rows: &str) -> String {
    read(rows).err().unwrap_or_default()
}

#[test]
fn a_row_says_of_each_parameter_what_it_is() {
    let row = "MPI_X	int	const void* buf; int[] ranks; int n; MPI_Datatype type; char* name\t\
               in; out; in; in; out	BUFFER; RANK; POLYCOUNT; DATATYPE; STRING\t\
               n*type; size(n); -; -; MPI_MAX_NAME	misc	-";
    let spec = read(row).unwrap();
    let [buf, ranks, n, ..] = &spec.functions[0].params[..] else {
        panic!("parameters are missing");
    };
    let param = |name: &str| Factor::Param(name.to_string());
    assert_eq!(buf.length, Length::Product(vec![param("n"), param("type")]));
    assert_eq!(buf.direction, Direction::In);
    assert_eq!((ranks.base(), ranks.is_pointer()), ("int", true));
    let of = Factor::Of {
        fact: "size".to_string(),
        param: "n".to_string(),
    };
    assert_eq!(ranks.length, Length::Product(vec![of]));
    assert_eq!(n.kind, "POLYCOUNT");
    assert_eq!((n.base(), n.is_pointer()), ("int", false));
}

#[test]
fn the_error_of_a_malformed_row_has_its_line() {
    for (row, expected) in [
        ("MPI_X	int	void	-", "4 columns, not 8"),
        ("X	int	void	-	-	-	misc	-", "`X` lacks the prefix MPI_"),
        (
            "MPI_X	int	int	in	RANK	-	misc	-",
            "parameter `int` is not a type and a name",
        ),
        (
            "MPI_X	int	int a; int b	in	RANK; RANK	-; -	misc	-",
            "1 directions for 2 parameters",
        ),
        (
            "MPI_X	int	int a	in	RANK; RANK	-	misc	-",
            "2 kinds for 1 parameters",
        ),
        (
            "MPI_X	int	int a	to	RANK	-	misc	-",
            "direction `to`; it is in, out or inout",
        ),
        (
            "MPI_X	int	int a	in	COLOUR	-	misc	-",
            "no kind is called `COLOUR`",
        ),
        (
            "MPI_X	int	int* a	out	COMMUNICATOR	-	misc	-",
            "parameter `a`: `int*` is of type int; kind COMMUNICATOR is of type MPI_Comm",
        ),
        (
            "MPI_X	int	int a	out	RANK	-	misc	-",
            "parameter `a`: `int` is constant, so its direction is in",
        ),
        (
            "MPI_X	int	MPI_Comm* a	in	COMMUNICATOR	-	misc	-",
            "`MPI_Comm*` is not constant, but its direction is in",
        ),
        (
            "MPI_X	int	const int[] a	in	RANK	-	misc	-",
            "`const int[]` needs a length",
        ),
        (
            "MPI_X	int	int a	in	RANK	a	misc	-",
            "parameter `a`: `int` has no length",
        ),
        (
            "MPI_X	int	const int[] a	in	RANK	n	misc	-",
            "its length names `n`, which is no parameter",
        ),
        (
            "MPI_X	int	const int[] a; int n	in; in	RANK; RANK	lots(n); -	misc	-",
            "length `lots(n)`: no fact is called `lots`",
        ),
        (
            "MPI_X	int	char* a	out	STRING	MPI_MAX_NAMES	misc	-",
            "its length names `MPI_MAX_NAMES`, which is no constant",
        ),
    ] {
        let error = complaint(row);
        assert!(error.starts_with("spec/functions.tsv:3: "), "{error}");
        assert!(error.ends_with(expected), "{error}");
    }
}

#[test]
fn a_large_count_form_differs_in_its_counts_alone() {
    let small = "MPI_X	int	int n	in	POLYCOUNT	-	misc	-";
    let large = "MPI_X_c	int	MPI_Count n	in	POLYCOUNT	-	misc	-";
    assert!(read(&format!("{small}\n{large}")).is_ok());
    let rank = "MPI_X_c	int	int n	in	RANK	-	misc	-";
    let error = complaint(&format!("{small}\n{rank}"));
    assert_eq!(error, "MPI_X and MPI_X_c describe `n` differently");
    let error = complaint(&format!("{small}\nMPI_X_c	int	void	-	-	-	misc	-"));
    assert_eq!(error, "MPI_X_c lacks `n`");
}
