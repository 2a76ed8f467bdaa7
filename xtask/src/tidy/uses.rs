//! Finds the uses between the files of a crate. A file uses another where its code names an
//! item that is defined there, whatever re-exports lie between. A `mod` line or a re-export alone
//! is no use, nor is the call of a method.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;

use proc_macro2::TokenStream;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Expr, Item, Member, Pat, Token, Type, Visibility};

use super::places::paths;
use super::tree::{attributes, is_test, Tree};

/// Uses among the files of a crate.
pub struct Uses {
    /// Files by their paths below `src`, without the ending.
    pub files: Vec<String>,
    /// Items by the file that names them and the file that defines them.
    pub edges: Edges,
    /// Methods by the file that calls them and the file that they stand in, where that is not the
    /// file of their type. They are drawn, and count as no uses.
    pub calls: Edges,
}

/// Names by the file that has need of them and the file they stand in.
pub type Edges = BTreeMap<(usize, usize), BTreeSet<String>>;

impl Uses {
    /// Finds the uses in a crate.
    pub fn of(tree: &Tree) -> Uses {
        let mut names = Names::of(tree);
        names.add_types();
        let mut uses = Uses {
            files: tree
                .files
                .iter()
                .map(|path| label(&tree.folder, path))
                .collect(),
            edges: Edges::new(),
            calls: Edges::new(),
        };
        for at in 0..tree.modules.len() {
            let mut walker = Walker {
                names: &names,
                at,
                own: None,
                locals: HashMap::new(),
                uses: &mut uses,
            };
            tree.modules[at]
                .items
                .iter()
                .for_each(|item| walker.visit_item(item));
        }
        uses
    }
}

/// The name of a file in tables and drawings.
fn label(folder: &Path, path: &Path) -> String {
    let path = path.strip_prefix(folder.join("src")).unwrap_or(path);
    let path = match path.ends_with("mod.rs") {
        true => path.parent().unwrap_or(path).to_path_buf(),
        false => path.with_extension(""),
    };
    path.to_string_lossy().into_owned()
}

/// An item: the module that defines it, and its name there.
type Definition = (usize, String);

/// The end of a path.
enum Target {
    Module(usize),
    /// An item, and what follows it: a method, a variant.
    Item(Definition, Vec<String>),
}

/// A meaning of a name in a module.
enum Binding {
    Item,
    Module(usize),
    Import(Vec<String>),
}

/// The names of one module.
#[derive(Default)]
struct Scope {
    bindings: HashMap<String, Vec<Binding>>,
    globs: Vec<Vec<String>>,
}

/// A method: the file it stands in, and its result where that is a type of the crate.
struct Method {
    file: usize,
    result: Option<Definition>,
}

/// All names of a crate.
struct Names<'t> {
    tree: &'t Tree,
    scopes: Vec<Scope>,
    variants: HashMap<Definition, HashSet<String>>,
    /// Macros, which need no path.
    macros: HashMap<String, usize>,
    fields: HashMap<Definition, HashMap<String, Definition>>,
    methods: HashMap<Definition, HashMap<String, Method>>,
}

impl<'t> Names<'t> {
    fn of(tree: &'t Tree) -> Names<'t> {
        let mut names = Names {
            tree,
            scopes: tree.modules.iter().map(|_| Scope::default()).collect(),
            variants: HashMap::new(),
            macros: HashMap::new(),
            fields: HashMap::new(),
            methods: HashMap::new(),
        };
        for (at, module) in tree.modules.iter().enumerate() {
            if let Some(parent) = module.parent {
                names.bind(parent, module.name.clone(), Binding::Module(at));
            }
            for item in &module.items {
                names.add_item(at, item);
            }
        }
        names
    }

    fn bind(&mut self, at: usize, name: String, binding: Binding) {
        self.scopes[at]
            .bindings
            .entry(name)
            .or_default()
            .push(binding);
    }

    fn add_item(&mut self, at: usize, item: &Item) {
        let ident = match item {
            Item::Use(item) => {
                for Import { path, name } in imports(&item.tree) {
                    match name {
                        Some(name) => self.bind(at, name, Binding::Import(path)),
                        None => self.scopes[at].globs.push(path),
                    }
                }
                return;
            }
            Item::Macro(item) => {
                let Some(ident) = &item.ident else { return };
                self.macros.insert(ident.to_string(), at);
                ident
            }
            Item::Enum(item) => {
                let variants = item.variants.iter().map(|one| one.ident.to_string());
                self.variants
                    .insert((at, item.ident.to_string()), variants.collect());
                &item.ident
            }
            Item::Const(item) => &item.ident,
            Item::Fn(item) => &item.sig.ident,
            Item::Static(item) => &item.ident,
            Item::Struct(item) => &item.ident,
            Item::Trait(item) => &item.ident,
            Item::TraitAlias(item) => &item.ident,
            Item::Type(item) => &item.ident,
            Item::Union(item) => &item.ident,
            _ => return,
        };
        self.bind(at, ident.to_string(), Binding::Item);
    }

    /// Adds fields and methods, once all names are known.
    fn add_types(&mut self) {
        for (at, module) in self.tree.modules.iter().enumerate() {
            for item in &module.items {
                match item {
                    Item::Struct(item) => {
                        let typed = item.fields.iter().filter_map(|field| {
                            let name = field.ident.as_ref()?.to_string();
                            Some((name, self.type_named(at, None, &field.ty)?))
                        });
                        let fields = typed.collect();
                        self.fields.insert((at, item.ident.to_string()), fields);
                    }
                    Item::Impl(item) if item.trait_.is_none() => self.add_impl(at, item),
                    _ => {}
                }
            }
        }
    }

    fn add_impl(&mut self, at: usize, item: &syn::ItemImpl) {
        let Some(own) = self.type_named(at, None, &item.self_ty) else {
            return;
        };
        let file = self.tree.modules[at].file;
        for item in &item.items {
            let (name, result) = match item {
                syn::ImplItem::Fn(item) if !is_test(&item.attrs) => {
                    let result = match &item.sig.output {
                        syn::ReturnType::Type(_, ty) => self.type_named(at, Some(&own), ty),
                        syn::ReturnType::Default => None,
                    };
                    (&item.sig.ident, result)
                }
                syn::ImplItem::Const(item) => (&item.ident, None),
                _ => continue,
            };
            let methods = self.methods.entry(own.clone()).or_default();
            methods.insert(name.to_string(), Method { file, result });
        }
    }

    /// The type of the crate that code of a module names, also behind a reference or an owner.
    fn type_named(&self, at: usize, own: Option<&Definition>, ty: &Type) -> Option<Definition> {
        match ty {
            Type::Reference(inner) => self.type_named(at, own, &inner.elem),
            Type::Paren(inner) => self.type_named(at, own, &inner.elem),
            Type::Group(inner) => self.type_named(at, own, &inner.elem),
            Type::Path(path) => {
                let last = path.path.segments.last()?;
                let is_owner = ["Arc", "Box", "Rc", "Ref", "RefMut"]
                    .iter()
                    .any(|one| last.ident == one);
                if let (true, syn::PathArguments::AngleBracketed(inner)) =
                    (is_owner, &last.arguments)
                {
                    let types = inner.args.iter().filter_map(|one| match one {
                        syn::GenericArgument::Type(ty) => Some(ty),
                        _ => None,
                    });
                    return self.type_named(at, own, types.last()?);
                }
                let names = segments(&path.path);
                if names == ["Self"] {
                    return own.cloned();
                }
                match self.resolve(at, &names)? {
                    Target::Item(definition, rest) if rest.is_empty() => Some(definition),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The end of a path that code of the module `at` names; `None` outside of the crate.
    fn resolve(&self, at: usize, path: &[String]) -> Option<Target> {
        self.follow(at, path, &mut Vec::new())
    }

    /// Follows a path from its beginning. `passed` are the imports on the way, which lead nowhere
    /// where they lead to themselves.
    fn follow<'a>(
        &'a self,
        at: usize,
        path: &[String],
        passed: &mut Vec<&'a [String]>,
    ) -> Option<Target> {
        let (mut module, mut rest) = (at, path);
        loop {
            match rest.first().map(String::as_str) {
                Some("crate") => module = 0,
                Some("self") => {}
                Some("super") => module = self.tree.modules[module].parent?,
                _ => break,
            }
            rest = &rest[1..];
        }
        let is_explicit = rest.len() < path.len();
        self.descend(module, rest, is_explicit, passed)
    }

    fn descend<'a>(
        &'a self,
        module: usize,
        path: &[String],
        is_explicit: bool,
        passed: &mut Vec<&'a [String]>,
    ) -> Option<Target> {
        let Some((name, rest)) = path.split_first() else {
            return Some(Target::Module(module));
        };
        let mut known: Vec<&Binding> = Vec::new();
        if let Some(bindings) = self.scopes[module].bindings.get(name) {
            known.extend(bindings);
        }
        // A path goes on in a module, and ends in an item.
        known.sort_by_key(|one| matches!(one, Binding::Module(_)) == rest.is_empty());
        for binding in known {
            let target = match binding {
                Binding::Item => Some(Target::Item((module, name.clone()), rest.to_vec())),
                Binding::Module(inner) => self.descend(*inner, rest, true, passed),
                Binding::Import(path) => self.through(module, path, rest, passed),
            };
            if target.is_some() {
                return target;
            }
        }
        for glob in &self.scopes[module].globs {
            if let Some(target) = self.through(module, glob, path, passed) {
                return Some(target);
            }
        }
        if let (0, Some(defines)) = (module, self.macros.get(name)) {
            return Some(Target::Item((*defines, name.clone()), rest.to_vec()));
        }
        // A macro may have made the item where the path says that it is.
        (is_explicit && passed.is_empty())
            .then(|| Target::Item((module, name.clone()), rest.to_vec()))
    }

    /// Goes on behind an import of the module `at`.
    fn through<'a>(
        &'a self,
        at: usize,
        import: &'a [String],
        rest: &[String],
        passed: &mut Vec<&'a [String]>,
    ) -> Option<Target> {
        if passed.iter().any(|one| std::ptr::eq(*one, import)) {
            return None;
        }
        passed.push(import);
        let target = match self.follow(at, import, passed) {
            Some(Target::Module(module)) => self.descend(module, rest, true, passed),
            Some(Target::Item(definition, mut inner)) => {
                // Behind a glob of an enum stand its variants alone.
                let is_glob = self.scopes[at]
                    .globs
                    .iter()
                    .any(|glob| std::ptr::eq(&glob[..], import));
                let variants = self.variants.get(&definition);
                let has = |name: &String| variants.is_some_and(|all| all.contains(name));
                inner.extend_from_slice(rest);
                (!is_glob || inner.first().is_some_and(has))
                    .then_some(Target::Item(definition, inner))
            }
            None => None,
        };
        passed.pop();
        target
    }
}

/// Names of a path, without its arguments.
fn segments(path: &syn::Path) -> Vec<String> {
    match path.leading_colon {
        Some(_) => vec!["::".into()],
        None => path
            .segments
            .iter()
            .map(|one| one.ident.to_string())
            .collect(),
    }
}

/// An import: the path, and the name that it gives; of a glob none.
struct Import {
    path: Vec<String>,
    name: Option<String>,
}

fn imports(tree: &syn::UseTree) -> Vec<Import> {
    let named = |from: &syn::Ident, name: &syn::Ident| Import {
        // `use path::{self}` names the path.
        path: if from == "self" {
            Vec::new()
        } else {
            vec![from.to_string()]
        },
        name: Some(name.to_string()),
    };
    match tree {
        syn::UseTree::Name(one) => vec![named(&one.ident, &one.ident)],
        syn::UseTree::Rename(one) => vec![named(&one.ident, &one.rename)],
        syn::UseTree::Glob(_) => vec![Import {
            path: Vec::new(),
            name: None,
        }],
        syn::UseTree::Group(group) => group.items.iter().flat_map(imports).collect(),
        syn::UseTree::Path(path) => {
            let mut all = imports(&path.tree);
            for one in &mut all {
                if one.path.is_empty() && one.name.as_deref() == Some("self") {
                    one.name = Some(path.ident.to_string());
                }
                one.path.insert(0, path.ident.to_string());
            }
            all
        }
    }
}

/// Walks through the code of a module and writes down what it uses.
struct Walker<'w> {
    names: &'w Names<'w>,
    at: usize,
    /// The type whose `impl` this is.
    own: Option<Definition>,
    /// Types of the variables of the function, as far as they are known.
    locals: HashMap<String, Definition>,
    uses: &'w mut Uses,
}

impl Walker<'_> {
    fn file(&self) -> usize {
        self.names.tree.modules[self.at].file
    }

    fn record(&mut self, file: usize, what: String) {
        let from = self.file();
        if from != file {
            self.uses
                .edges
                .entry((from, file))
                .or_default()
                .insert(what);
        }
    }

    fn record_path(&mut self, path: &[String]) {
        let (definition, rest) = match (path.first().map(String::as_str), &self.own) {
            (Some("Self"), Some(own)) => (own.clone(), path[1..].to_vec()),
            _ => match self.names.resolve(self.at, path) {
                Some(Target::Item(definition, rest)) => (definition, rest),
                _ => return,
            },
        };
        let file = self.names.tree.modules[definition.0].file;
        if path[0] != "Self" {
            self.record(file, definition.1.clone());
        }
        if let Some(name) = rest.first() {
            self.record_method(&definition, name);
        }
    }

    fn record_method(&mut self, own: &Definition, name: &str) {
        let methods = self.names.methods.get(own);
        let Some(method) = methods.and_then(|methods| methods.get(name)) else {
            return;
        };
        let (from, home) = (self.file(), self.names.tree.modules[own.0].file);
        if method.file != from && method.file != home {
            let calls = self.uses.calls.entry((from, method.file)).or_default();
            calls.insert(format!("{}::{name}", own.1));
        }
    }

    /// The type of the crate that an expression has, as far as its parts show.
    fn type_of(&self, expr: &Expr) -> Option<Definition> {
        let names = self.names;
        match expr {
            Expr::Path(path) => match &segments(&path.path)[..] {
                [name] if name == "self" => self.own.clone(),
                [name] => self.locals.get(name).cloned(),
                _ => None,
            },
            Expr::Field(field) => match &field.member {
                Member::Named(name) => {
                    let fields = names.fields.get(&self.type_of(&field.base)?)?;
                    fields.get(&name.to_string()).cloned()
                }
                Member::Unnamed(_) => None,
            },
            Expr::MethodCall(call) => {
                let methods = names.methods.get(&self.type_of(&call.receiver)?)?;
                methods.get(&call.method.to_string())?.result.clone()
            }
            Expr::Call(call) => {
                let Expr::Path(path) = &*call.func else {
                    return None;
                };
                let path = segments(&path.path);
                let (own, rest) = match (&path[..], &self.own) {
                    ([first, rest @ ..], Some(own)) if first == "Self" => {
                        (own.clone(), rest.to_vec())
                    }
                    _ => match names.resolve(self.at, &path)? {
                        Target::Item(definition, rest) => (definition, rest),
                        Target::Module(_) => return None,
                    },
                };
                names.methods.get(&own)?.get(rest.first()?)?.result.clone()
            }
            Expr::Reference(inner) => self.type_of(&inner.expr),
            Expr::Paren(inner) => self.type_of(&inner.expr),
            _ => None,
        }
    }

    fn learn(&mut self, pattern: &Pat, ty: Option<Definition>) {
        if let Pat::Ident(name) = pattern {
            match ty {
                Some(ty) => self.locals.insert(name.ident.to_string(), ty),
                None => self.locals.remove(&name.ident.to_string()),
            };
        }
    }

    fn inside(&mut self, signature: &syn::Signature, visit: impl FnOnce(&mut Self)) {
        let before = std::mem::take(&mut self.locals);
        for input in &signature.inputs {
            if let syn::FnArg::Typed(input) = input {
                let ty = self.names.type_named(self.at, self.own.as_ref(), &input.ty);
                self.learn(&input.pat, ty);
            }
        }
        visit(self);
        self.locals = before;
    }

    fn walk_tokens(&mut self, tokens: &TokenStream) {
        let list = |input: ParseStream| Punctuated::<Expr, Token![,]>::parse_terminated(input);
        if let Ok(exprs) = list.parse2(tokens.clone()) {
            exprs.iter().for_each(|expr| self.visit_expr(expr));
        } else {
            paths(tokens)
                .iter()
                .for_each(|(path, _)| self.record_path(path));
        }
    }
}

impl<'a> Visit<'a> for Walker<'_> {
    fn visit_item(&mut self, item: &'a Item) {
        if !is_test(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        // A trait is used by its methods, so an import is a use, and a re-export is not.
        if matches!(item.vis, Visibility::Inherited) {
            for import in imports(&item.tree) {
                self.record_path(&import.path);
            }
        }
    }

    fn visit_item_impl(&mut self, item: &'a syn::ItemImpl) {
        let own = self.names.type_named(self.at, None, &item.self_ty);
        let before = std::mem::replace(&mut self.own, own);
        visit::visit_item_impl(self, item);
        self.own = before;
    }

    fn visit_item_fn(&mut self, item: &'a syn::ItemFn) {
        self.inside(&item.sig, |walker| visit::visit_item_fn(walker, item));
    }

    fn visit_impl_item_fn(&mut self, item: &'a syn::ImplItemFn) {
        if !is_test(&item.attrs) {
            self.inside(&item.sig, |walker| visit::visit_impl_item_fn(walker, item));
        }
    }

    fn visit_local(&mut self, local: &'a syn::Local) {
        visit::visit_local(self, local);
        let (pattern, mut ty) = match &local.pat {
            Pat::Type(typed) => {
                let ty = self.names.type_named(self.at, self.own.as_ref(), &typed.ty);
                (&*typed.pat, ty)
            }
            pattern => (pattern, None),
        };
        if let (None, Some(init)) = (&ty, &local.init) {
            ty = self.type_of(&init.expr);
        }
        self.learn(pattern, ty);
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        self.record_path(&segments(path));
        visit::visit_path(self, path);
    }

    fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
        if let Some(own) = self.type_of(&call.receiver) {
            self.record_method(&own, &call.method.to_string());
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        let path = segments(&call.path);
        match (
            &path[..],
            path.first().and_then(|name| self.names.macros.get(name)),
        ) {
            ([name], Some(defines)) => {
                let file = self.names.tree.modules[*defines].file;
                self.record(file, format!("{name}!"));
            }
            _ => self.record_path(&path),
        }
        self.walk_tokens(&call.tokens);
    }

    fn visit_visibility(&mut self, _: &'a Visibility) {}

    fn visit_attribute(&mut self, _: &'a syn::Attribute) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses_of(files: &[(&str, &str)]) -> Uses {
        Uses::of(&Tree::of_files(files))
    }

    /// Each edge as `user used names`.
    fn described(uses: &Uses, edges: &Edges) -> Vec<String> {
        let described = |(&(from, to), names): (&(usize, usize), &BTreeSet<String>)| {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            format!(
                "{} {} {}",
                uses.files[from],
                uses.files[to],
                names.join(" ")
            )
        };
        edges.iter().map(described).collect()
    }

    /// Uses between files with these texts.
    fn uses(files: &[(&str, &str)]) -> Vec<String> {
        let uses = uses_of(files);
        described(&uses, &uses.edges)
    }

    #[test]
    fn a_re_export_leads_to_the_file_that_defines() {
        let files = [
            (
                "lib.rs",
                "mod a;\nmod b;\npub use b::{Thing, inner::Deep as Deeper};\npub use a::*;\n",
            ),
            ("a.rs", "use crate::Thing;\npub fn f(x: crate::Deeper) {}\n"),
            (
                "b/mod.rs",
                "pub mod inner;\npub struct Thing;\n fn g() { super::f(todo) }\n",
            ),
            ("b/inner.rs", "pub struct Deep;\n"),
        ];
        assert_eq!(uses(&files), ["a b Thing", "a b/inner Deep", "b a f"]);
    }

    #[test]
    fn mod_lines_tests_and_other_crates_are_no_uses() {
        let files = [
            (
                "lib.rs",
                "mod a;\npub use a::A;\n#[cfg(test)]\nfn t() { a::f() }\nfn f() { a::g!() }\n",
            ),
            (
                "a.rs",
                "use std::fmt::A;\nuse a::B;\n#[cfg(test)]\nmod tests { use super::super::f; }\n",
            ),
        ];
        assert_eq!(uses(&files), ["lib a g"]);
    }

    #[test]
    fn methods_are_called_where_they_stand() {
        let of_a = "pub struct A { pub b: crate::b::B }\n\
                    impl A { pub fn new() -> Self {} fn here(&self) {}\n\
                    fn f(&self) { self.far(); self.b.low(); self.here() } }\n";
        let of_c = "use super::a::A;\n\
                    impl A { pub fn far(&self) { Self::here() } }\n\
                    fn g() { let a = A::new(); a.b.high(); a.b.low(); Vec::new().high() }\n";
        let files = [
            ("lib.rs", "mod a;\nmod b;\nmod c;\nmod d;\n"),
            ("a.rs", of_a),
            ("b.rs", "pub struct B;\nimpl B { pub fn low(&self) {} }\n"),
            ("c.rs", of_c),
            ("d.rs", "impl crate::b::B { pub fn high(&self) {} }\n"),
        ];
        let uses = uses_of(&files);
        assert_eq!(described(&uses, &uses.edges), ["a b B", "c a A", "d b B"]);
        assert_eq!(described(&uses, &uses.calls), ["a c A::far", "c d B::high"]);
    }

    #[test]
    fn macros_and_their_arguments_are_looked_through() {
        let files = [
            ("lib.rs", "#[macro_use]\nmod a;\nmod b;\nmod c;\n"),
            ("a.rs", "macro_rules! made { () => { $crate::c::f() }; }\n"),
            (
                "b.rs",
                "use crate::c::Kind::*;\nmade!();\nfn f() { log!(x => crate::c::C); One }\n",
            ),
            (
                "c.rs",
                "pub struct C;\npub fn f() {}\npub enum Kind { One }\n",
            ),
        ];
        assert_eq!(uses(&files), ["a c f", "b a made!", "b c C Kind"]);
    }
}
