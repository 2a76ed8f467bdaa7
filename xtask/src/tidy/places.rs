//! Finds code that an invariant of ARCHITECTURE.md restricts: statics, comparisons with the
//! name of a component, and what the environment may direct. Each is allowed only where a [`List`]
//! names it. Calls that block are clippy's business (`clippy.toml`).

use std::collections::HashMap;
use std::path::Path;

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, Item, Lit, Pat, Token};

use super::finding::Finding;
use super::list::List;
use super::tree::{attributes, is_test, Tree};

/// Kinds of places.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// A `static`; constants, too, since a list of all is short.
    Static,
    /// A comparison with a component's or a provider's name.
    Name,
    /// A variable that is read, a library that is loaded or a program that is started.
    Outside,
}

/// One occurrence of what a table lists, and the function around it.
#[derive(PartialEq, Debug)]
struct Occurrence {
    kind: Kind,
    line: usize,
    function: String,
    /// The thing that stands there: the name of the static, the call, or the component's name.
    what: String,
}

/// Functions by which the caller of a program may direct it, by the end of their path.
const OUTSIDE: &[(&str, &str)] = &[
    ("Command", "new"),
    ("env", "home_dir"),
    ("env", "temp_dir"),
    ("env", "var"),
    ("env", "var_os"),
    ("env", "vars"),
    ("env", "vars_os"),
    ("libc", "dlmopen"),
    ("libc", "dlopen"),
    ("libc", "execvp"),
    ("libc", "execvpe"),
    ("libc", "getenv"),
    ("libc", "popen"),
    ("libc", "posix_spawnp"),
    ("libc", "secure_getenv"),
    ("libc", "system"),
];

/// Names of components and of libfabric's providers.
const NAMES: &[&str] = &[
    "am", "cm", "cma", "cxi", "efa", "knem", "lnx", "net", "ob1", "ofi", "ofi_rxd", "ofi_rxm",
    "opx", "psm2", "psm3", "rdma", "self", "shm", "sim", "sm", "smsc", "sockets", "tcp", "udp",
    "vader", "verbs", "xpmem",
];

/// Methods of strings that compare with their argument.
const COMPARING: &[&str] = &[
    "contains",
    "ends_with",
    "eq",
    "starts_with",
    "strip_prefix",
    "strip_suffix",
];

/// The lists, one for each kind.
pub struct Lists {
    statics: List,
    names: List,
    outside: List,
}

impl Lists {
    pub fn read(root: &Path) -> Result<Lists, String> {
        Ok(Lists {
            statics: List::read(root, "statics.tsv", 2)?,
            names: List::read(root, "names.tsv", 3)?,
            outside: List::read(root, "outside.tsv", 3)?,
        })
    }

    /// Checks the library code of a crate.
    pub fn check(&self, tree: &Tree, found: &mut Vec<Finding>) {
        let constants = constants(tree);
        for module in &tree.modules {
            let path = &tree.files[module.file];
            for place in places(&module.items, &constants) {
                let file = path.to_string_lossy();
                if is_free(place.kind, &tree.folder) || self.allows(&file, &place) {
                    continue;
                }
                found.push(Finding {
                    path: path.clone(),
                    line: place.line,
                    what: place.fault(),
                });
            }
        }
    }

    fn allows(&self, file: &str, place: &Occurrence) -> bool {
        let (function, what) = (place.function.as_str(), place.what.as_str());
        match place.kind {
            Kind::Static => self.statics.allows(&[file, what]),
            Kind::Name => self.names.allows(&[file, function, what]),
            Kind::Outside => self.outside.allows(&[file, function, what]),
        }
    }

    pub fn all(&self) -> [&List; 3] {
        [&self.statics, &self.names, &self.outside]
    }
}

/// Whether a rule is not about this crate: launchers and tools are programs of their own, and the
/// project's commands are no part of the library.
fn is_free(kind: Kind, folder: &Path) -> bool {
    let programs = [
        "crates/tools",
        "crates/launch",
        "crates/launch-plan",
        "crates/launch-report",
        "crates/launch-tree",
        "sim",
        "suites",
        "xtask",
    ];
    let programs = programs.map(Path::new);
    kind != Kind::Static
        && programs.contains(&folder)
        && (kind, folder) != (Kind::Name, programs[0])
}

impl Occurrence {
    fn fault(&self) -> String {
        let Occurrence { function, what, .. } = self;
        match self.kind {
            Kind::Static => {
                format!("`static {what}`: process-wide, and not in xtask/src/tidy/statics.tsv")
            }
            Kind::Name => format!(
                "`{function}` compares with the component's name `{what}`: ask for a capability \
                 (xtask/src/tidy/names.tsv has the exceptions)"
            ),
            Kind::Outside => format!(
                "`{function}` calls `{what}`: read variables by the crate `environment`, load and \
                 start nothing in a secure process (xtask/src/tidy/outside.tsv has the exceptions)"
            ),
        }
    }
}

/// Constants of a crate that hold the name of a component, each with the name.
type Constants = HashMap<String, &'static str>;

fn constants(tree: &Tree) -> Constants {
    let items = tree.modules.iter().flat_map(|module| &module.items);
    let named = items.filter_map(|item| match item {
        Item::Const(item) => match &*item.expr {
            Expr::Lit(value) => Some((item.ident.to_string(), name_in(&value.lit)?)),
            _ => None,
        },
        _ => None,
    });
    named.collect()
}

/// The component that a literal names, maybe in a chain of providers.
fn name_in(literal: &Lit) -> Option<&'static str> {
    let Lit::Str(text) = literal else { return None };
    let value = text.value();
    let is_part = |name: &&&str| value.split(';').any(|part| part == **name);
    NAMES.iter().find(is_part).copied()
}

/// The function of [`OUTSIDE`] with this module and name.
fn tabled(module: &str, name: &str) -> Option<(&'static str, &'static str)> {
    let found = OUTSIDE.iter().find(|one| **one == (module, name));
    found.copied()
}

/// Every place in these items.
fn places(items: &[Item], constants: &Constants) -> Vec<Occurrence> {
    let mut finder = Finder {
        constants,
        functions: Vec::new(),
        bare: Vec::new(),
        found: Vec::new(),
    };
    let (uses, others): (Vec<&Item>, Vec<&Item>) =
        items.iter().partition(|item| matches!(item, Item::Use(_)));
    uses.into_iter()
        .chain(others)
        .for_each(|item| finder.visit_item(item));
    finder.found
}

/// Walks through code and writes the places down.
struct Finder<'c> {
    constants: &'c Constants,
    /// The functions around, the innermost last.
    functions: Vec<String>,
    /// Functions of [`OUTSIDE`] that are imported by their bare names.
    bare: Vec<(&'static str, &'static str)>,
    found: Vec<Occurrence>,
}

impl Finder<'_> {
    fn add(&mut self, kind: Kind, line: usize, what: &str) {
        self.found.push(Occurrence {
            kind,
            line,
            function: self.functions.last().cloned().unwrap_or("-".into()),
            what: what.to_string(),
        });
    }

    fn inside(&mut self, name: String, attributes: &[Attribute], visit: impl FnOnce(&mut Self)) {
        if !is_test(attributes) {
            self.functions.push(name);
            visit(self);
            self.functions.pop();
        }
    }

    /// Writes down a path that ends as one of [`OUTSIDE`], or a name that was imported of one.
    fn check_path(&mut self, names: &[String], line: usize) {
        let found = match names {
            [.., module, name] => tabled(module, name),
            [name] => self.bare.iter().copied().find(|one| one.1 == name),
            [] => None,
        };
        if let Some((module, name)) = found {
            self.add(Kind::Outside, line, &format!("{module}::{name}"));
        }
    }

    /// Writes down a component's name that something is compared with.
    fn check_name(&mut self, expr: &Expr) {
        match expr {
            Expr::Lit(literal) => self.check_literal(&literal.lit),
            Expr::Path(path) => self.check_constant(path.path.segments.last().map(|it| &it.ident)),
            Expr::Paren(inner) => self.check_name(&inner.expr),
            Expr::Group(inner) => self.check_name(&inner.expr),
            Expr::Reference(inner) => self.check_name(&inner.expr),
            Expr::Call(call) if call.args.len() == 1 => self.check_name(&call.args[0]),
            _ => {}
        }
    }

    fn check_literal(&mut self, literal: &Lit) {
        let line = literal.span().start().line;
        name_in(literal).inspect(|name| self.add(Kind::Name, line, name));
    }

    fn check_constant(&mut self, ident: Option<&Ident>) {
        let Some(ident) = ident else { return };
        let name = self.constants.get(&ident.to_string());
        name.inspect(|name| self.add(Kind::Name, ident.span().start().line, name));
    }

    /// Walks through the arguments of `matches!`.
    fn check_match(&mut self, tokens: &TokenStream) {
        let parts = |input: ParseStream| {
            let value: Expr = input.parse()?;
            input.parse::<Token![,]>()?;
            let pattern = Pat::parse_multi_with_leading_vert(input)?;
            let _guard: TokenStream = input.parse()?;
            Ok((value, pattern))
        };
        if let Ok((value, pattern)) = parts.parse2(tokens.clone()) {
            self.visit_expr(&value);
            self.visit_pat(&pattern);
        }
    }

    /// Walks through the arguments of a macro: as expressions, or as statements; of what is neither
    /// only statics and paths are found.
    fn check_tokens(&mut self, tokens: &TokenStream) {
        let list = |input: ParseStream| Punctuated::<Expr, Token![,]>::parse_terminated(input);
        if let Ok(exprs) = list.parse2(tokens.clone()) {
            exprs.iter().for_each(|expr| self.visit_expr(expr));
        } else if let Ok(statements) = syn::Block::parse_within.parse2(tokens.clone()) {
            statements.iter().for_each(|one| self.visit_stmt(one));
        } else {
            for (names, line) in paths(tokens) {
                self.check_path(&names, line);
            }
            self.check_statics(tokens.clone());
        }
    }

    /// Finds `static NAME:` among tokens.
    fn check_statics(&mut self, tokens: TokenStream) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        for (at, tree) in trees.iter().enumerate() {
            let follows =
                |text: &str, at: usize| trees.get(at).is_some_and(|tree| tree.to_string() == text);
            match tree {
                TokenTree::Group(group) => self.check_statics(group.stream()),
                // A lifetime is a quote and an identifier.
                TokenTree::Ident(word)
                    if *word == "static" && !(at > 0 && follows("'", at - 1)) =>
                {
                    let at = if follows("mut", at + 1) {
                        at + 2
                    } else {
                        at + 1
                    };
                    if let (Some(name), true) = (trees.get(at), follows(":", at + 1)) {
                        self.add(Kind::Static, word.span().start().line, &name.to_string());
                    }
                }
                _ => {}
            }
        }
    }
}

impl<'a> Visit<'a> for Finder<'_> {
    fn visit_item(&mut self, item: &'a Item) {
        if !is_test(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'a syn::ItemFn) {
        let name = item.sig.ident.to_string();
        self.inside(name, &item.attrs, |finder| {
            visit::visit_item_fn(finder, item)
        });
    }

    fn visit_impl_item_fn(&mut self, item: &'a syn::ImplItemFn) {
        let name = item.sig.ident.to_string();
        self.inside(name, &item.attrs, |finder| {
            visit::visit_impl_item_fn(finder, item)
        });
    }

    fn visit_trait_item_fn(&mut self, item: &'a syn::TraitItemFn) {
        let name = item.sig.ident.to_string();
        self.inside(name, &item.attrs, |finder| {
            visit::visit_trait_item_fn(finder, item)
        });
    }

    fn visit_item_static(&mut self, item: &'a syn::ItemStatic) {
        let line = item.static_token.span.start().line;
        self.add(Kind::Static, line, &item.ident.to_string());
        visit::visit_item_static(self, item);
    }

    fn visit_foreign_item_static(&mut self, item: &'a syn::ForeignItemStatic) {
        let line = item.static_token.span.start().line;
        self.add(Kind::Static, line, &item.ident.to_string());
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let names: Vec<String> = path
            .segments
            .iter()
            .map(|one| one.ident.to_string())
            .collect();
        if let Some(first) = path.segments.first() {
            self.check_path(&names, first.ident.span().start().line);
        }
        visit::visit_path(self, path);
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        for path in leaves(&item.tree) {
            if let [.., module, name] = &path[..] {
                self.bare.extend(tabled(module, name));
            }
        }
    }

    fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
        if COMPARING.contains(&call.method.to_string().as_str()) {
            call.args.iter().for_each(|arg| self.check_name(arg));
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_binary(&mut self, expr: &'a syn::ExprBinary) {
        if matches!(expr.op, syn::BinOp::Eq(_) | syn::BinOp::Ne(_)) {
            self.check_name(&expr.left);
            self.check_name(&expr.right);
        }
        visit::visit_expr_binary(self, expr);
    }

    fn visit_pat(&mut self, pattern: &'a Pat) {
        match pattern {
            Pat::Lit(literal) => self.check_literal(&literal.lit),
            Pat::Path(path) => self.check_constant(path.path.segments.last().map(|it| &it.ident)),
            Pat::Ident(name) => self.check_constant(Some(&name.ident)),
            _ => {}
        }
        visit::visit_pat(self, pattern);
    }

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        match call.path.is_ident("matches") {
            true => self.check_match(&call.tokens),
            false => self.check_tokens(&call.tokens),
        }
    }

    fn visit_attribute(&mut self, _: &'a Attribute) {}
}

/// The paths that a `use` names.
pub fn leaves(tree: &syn::UseTree) -> Vec<Vec<String>> {
    match tree {
        syn::UseTree::Name(name) => vec![vec![name.ident.to_string()]],
        syn::UseTree::Rename(name) => vec![vec![name.ident.to_string()]],
        syn::UseTree::Glob(_) => vec![vec!["*".into()]],
        syn::UseTree::Group(group) => group.items.iter().flat_map(leaves).collect(),
        syn::UseTree::Path(path) => {
            let mut paths = leaves(&path.tree);
            paths
                .iter_mut()
                .for_each(|one| one.insert(0, path.ident.to_string()));
            paths
        }
    }
}

/// The paths among tokens, and their lines: names that `::` joins, and single names.
pub fn paths(tokens: &TokenStream) -> Vec<(Vec<String>, usize)> {
    let mut found = Vec::new();
    let mut names: Vec<String> = Vec::new();
    let (mut line, mut colons, mut dotted) = (0, 0, false);
    for tree in tokens.clone() {
        match &tree {
            TokenTree::Ident(name) => {
                if colons != 2 && !names.is_empty() {
                    found.push((std::mem::take(&mut names), line));
                }
                // What stands behind a dot is a field or a method.
                if !dotted {
                    if names.is_empty() {
                        line = name.span().start().line;
                    }
                    names.push(name.to_string());
                }
                (colons, dotted) = (0, false);
            }
            TokenTree::Punct(mark) if mark.as_char() == ':' => colons += 1,
            other => {
                if !names.is_empty() {
                    found.push((std::mem::take(&mut names), line));
                }
                colons = 0;
                dotted = matches!(other, TokenTree::Punct(mark) if mark.as_char() == '.');
                if let TokenTree::Group(group) = other {
                    found.extend(paths(&group.stream()));
                }
            }
        }
    }
    if !names.is_empty() {
        found.push((names, line));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The places in a file, as `kind line function what`.
    fn found(text: &str) -> Vec<String> {
        let tree = Tree::of_files(&[("lib.rs", text)]);
        let constants = constants(&tree);
        let found = tree
            .modules
            .iter()
            .flat_map(|module| places(&module.items, &constants));
        let described =
            |Occurrence {
                 kind,
                 line,
                 function,
                 what,
             }: Occurrence| { format!("{kind:?} {line} {function} {what}") };
        found.map(described).collect()
    }

    #[test]
    fn each_static_is_found_by_its_name() {
        let text = "static ONE: &[u8] = &[];\n\
                    pub static TWO: Recent = Recent::new();\n\
                    fn f(x: &'static u8) {\n\
                    static THREE: Mutex<u8> = Mutex::new(0);\n\
                    }\n\
                    thread_local! { static FOUR: Cell<u8> = Cell::new(0); }\n\
                    macro_rules! table { () => { pub static mut FIVE: u8 = 0; }; }\n\
                    #[cfg(test)]\n\
                    static SIX: u8 = 0;\n\
                    mod inner { static SEVEN: u8 = 0; }\n";
        let all = [
            "Static 1 - ONE",
            "Static 2 - TWO",
            "Static 4 f THREE",
            "Static 6 - FOUR",
            "Static 7 - FIVE",
            "Static 10 - SEVEN",
        ];
        assert_eq!(found(text), all);
    }

    #[test]
    fn what_the_environment_may_direct_is_found() {
        let text = "use std::env::var_os;\n\
                    use std::process::Command;\n\
                    fn one() { std::env::var(NAME).ok(); }\n\
                    fn two() { var_os(NAME); environment::var_os(NAME); }\n\
                    fn three() { unsafe { libc::dlopen(name, 0) }; Command::new(name); }\n\
                    fn four() { unknown! { => std::env::vars() }; assert!(temp_dir().is_ok()); }\n\
                    #[test]\n\
                    fn five() { std::env::vars() }\n\
                    mod six { use std::env::temp_dir; fn seven() { assert!(temp_dir()); } }\n";
        let all = [
            "Outside 3 one env::var",
            "Outside 4 two env::var_os",
            "Outside 5 three libc::dlopen",
            "Outside 5 three Command::new",
            "Outside 6 four env::vars",
            "Outside 9 seven env::temp_dir",
        ];
        assert_eq!(found(text), all);
    }

    #[test]
    fn comparisons_with_names_of_components_are_found() {
        let text = "fn f() {\n\
                    let a = caps.name == \"sm\";\n\
                    match x { Some(\"cma\" | \"knem\") => 1, _ => 2 };\n\
                    provider.ends_with(\"tcp;ofi_rxm\");\n\
                    assert!(matches!(y, \"tcp\"));\n\
                    let shown = name != Some(\"ob1\") || key == \"json\";\n\
                    let open = \"sm\";\n\
                    let d = self.provider == RXD || x == names::RXD;\n\
                    match e { RXD => 1, _ => 2 };\n\
                    }\n\
                    pub const RXD: &str = \"ofi_rxd\";\n";
        let all = [
            "Name 2 f sm",
            "Name 3 f cma",
            "Name 3 f knem",
            "Name 4 f ofi_rxm",
            "Name 5 f tcp",
            "Name 6 f ob1",
            "Name 8 f ofi_rxd",
            "Name 8 f ofi_rxd",
            "Name 9 f ofi_rxd",
        ];
        assert_eq!(found(text), all);
    }
}
