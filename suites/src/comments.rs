//! Distinguishes a change of comments from one of code.
//!
//! A comment changes no program, so that no test can detect it. Documentation is a comment, too,
//! unless it has code that `cargo test` runs.

use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Whether two versions of the file at `path` differ in comments alone. Of a language that is not
/// known, and of a text that cannot be read, nothing counts as a comment.
pub fn differ_alone(path: &str, before: &str, after: &str) -> bool {
    let code = match Path::new(path).extension().and_then(|end| end.to_str()) {
        Some("rs") => of_rust,
        Some("toml") => of_toml,
        _ => return false,
    };
    if [before, after].into_iter().any(has_code_to_run) {
        return false;
    }
    let before = code(before);
    before.is_some() && before == code(after)
}

/// Whether documentation has code between fences that `cargo test` may run: none that is said to be
/// of another kind.
fn has_code_to_run(text: &str) -> bool {
    let lines = text.lines().map(str::trim_start);
    let documented = lines.filter_map(|line| line.strip_prefix("///").or(line.strip_prefix("//!")));
    let fences = documented.filter_map(|line| line.trim().strip_prefix("```"));
    let mut openings = fences.step_by(2);
    openings.any(|kind| !["text", "sh", "c", "ignore"].contains(&kind))
}

/// Returns the tokens of a program as text.
fn of_rust(text: &str) -> Option<String> {
    let tokens: TokenStream = text.parse().ok()?;
    Some(without_documentation(tokens).to_string())
}

/// Leaves out the attributes `#[doc = ...]`, which comments of documentation are to the parser.
fn without_documentation(tokens: TokenStream) -> TokenStream {
    let mut kept: Vec<TokenTree> = Vec::new();
    for token in tokens {
        if let TokenTree::Group(group) = &token {
            let is_bracket = group.delimiter() == Delimiter::Bracket;
            if is_bracket && is_documentation(group.stream()) && begins_attribute(&mut kept) {
                continue;
            }
            let inside = without_documentation(group.stream());
            kept.push(proc_macro2::Group::new(group.delimiter(), inside).into());
            continue;
        }
        kept.push(token);
    }
    kept.into_iter().collect()
}

/// Removes what an attribute begins with from the end of the tokens, where it is there.
fn begins_attribute(tokens: &mut Vec<TokenTree>) -> bool {
    let begin = match tokens.as_slice() {
        [.., mark, inner] if is_mark(mark, '#') && is_mark(inner, '!') => 2,
        [.., mark] if is_mark(mark, '#') => 1,
        _ => return false,
    };
    tokens.truncate(tokens.len() - begin);
    true
}

fn is_documentation(inside: TokenStream) -> bool {
    let mut tokens = inside.into_iter();
    let is_doc = matches!(tokens.next(), Some(TokenTree::Ident(name)) if name == "doc");
    is_doc && tokens.next().is_some_and(|token| is_mark(&token, '='))
}

fn is_mark(token: &TokenTree, mark: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == mark)
}

/// Returns the lines of a table that are not comments as a whole.
fn of_toml(text: &str) -> Option<String> {
    let lines = text.lines().map(str::trim);
    let kept = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    Some(kept.collect::<Vec<&str>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_documentation_change_no_code() {
        let before = "//! A.\nfn f() -> u8 { 1 } // one\n";
        for after in [
            "//! B.\n//! More.\n/// F.\nfn f() -> u8 {\n    /* the number */ 1\n}",
            "fn f() -> u8 { 1 }",
        ] {
            assert!(differ_alone("src/a.rs", before, after), "{after}");
        }
        for after in [
            "fn f() -> u8 { 2 }",
            "#[inline]\nfn f() -> u8 { 1 }",
            "fn f() -> u8 { 1 } fn",
            "fn f() -> u8 { 1 ",
        ] {
            assert!(!differ_alone("src/a.rs", before, after), "{after}");
        }
        let (before, after) = ("const A: u8 = a![doc = 1];", "const A: u8 = a![doc = 2];");
        assert!(!differ_alone("a.rs", before, after));
        assert!(!differ_alone(
            "a.rs",
            "const A: &str = \"//\";",
            "const A: &str = \"\";"
        ));
    }

    #[test]
    fn tables_have_comments_of_whole_lines() {
        let before = "[package]\nname = \"a\"\n";
        assert!(differ_alone(
            "Cargo.toml",
            before,
            "# A.\n[package]\n\nname = \"a\"\n"
        ));
        assert!(!differ_alone(
            "Cargo.toml",
            before,
            "[package]\n# name = \"a\"\n"
        ));
    }

    #[test]
    fn documentation_with_code_that_is_run_is_code() {
        let plain = |fence: &str, sum: u8| {
            format!(
                "/// Adds.\n/// ```{fence}\n/// assert_eq!(1 + 1, {sum});\n/// ```\nfn f() {{}}"
            )
        };
        assert!(!differ_alone("a.rs", &plain("", 2), &plain("", 3)));
        assert!(!differ_alone("a.rs", &plain("rust", 2), &plain("text", 2)));
        assert!(differ_alone("a.rs", &plain("text", 2), &plain("text", 3)));
    }

    #[test]
    fn other_files_have_no_comments() {
        assert!(!differ_alone("a.c", "/* a */ int x;", "int x;"));
    }
}
