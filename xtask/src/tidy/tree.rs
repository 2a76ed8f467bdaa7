//! Finds the modules of a crate as the compiler does: from its top file along the `mod` lines.
//! Modules for tests only are left out, so rules that read a [`Tree`] apply to the library.

use std::path::{Path, PathBuf};

use syn::{Attribute, Item, Meta};

/// A crate's own modules, the top one first.
pub struct Tree {
    /// Folder of the crate below the root: `crates/pml`.
    pub folder: PathBuf,
    /// Source files, relative to the root.
    pub files: Vec<PathBuf>,
    pub modules: Vec<Module>,
}

/// A module with the items that stand in it, and not in a module inside it.
pub struct Module {
    /// The file it stands in, an index of [`Tree::files`].
    pub file: usize,
    /// The module's name, and the module around it; of the top one none.
    pub name: String,
    pub parent: Option<usize>,
    pub items: Vec<Item>,
}

/// Gives the text of a file, by its path below the root.
pub type Reader<'a> = &'a dyn Fn(&Path) -> Result<String, String>;

/// Where the files of a module's `mod` lines lie: `engine/src/` for `lib.rs`, `engine/src/sleep/`
/// for `sleep.rs`.
type Folder = PathBuf;

impl Tree {
    /// Reads the crate in `folder` from its top file, `src/lib.rs` or `src/main.rs`; `None` where
    /// it has neither.
    pub fn read(folder: &Path, text: Reader) -> Result<Option<Tree>, String> {
        let tops = ["src/lib.rs", "src/main.rs"].map(|top| folder.join(top));
        let Some(top) = tops.into_iter().find(|top| text(top).is_ok()) else {
            return Ok(None);
        };
        let mut tree = Tree {
            folder: folder.into(),
            files: Vec::new(),
            modules: Vec::new(),
        };
        tree.read_file(text, top, folder.join("src"), String::new(), None)?;
        Ok(Some(tree))
    }

    /// A tree of files below `crates/x/src` with these texts, for tests of rules.
    #[cfg(test)]
    pub fn of_files(files: &[(&str, &str)]) -> Tree {
        let folder = Path::new("crates/x");
        let text = |path: &Path| {
            let is_it = |(name, _): &&(&str, &str)| folder.join("src").join(name) == path;
            let file = files.iter().find(is_it);
            file.map(|(_, text)| text.to_string())
                .ok_or("not there".to_string())
        };
        Tree::read(folder, &text).unwrap().unwrap()
    }

    fn read_file(
        &mut self,
        text: Reader,
        path: PathBuf,
        below: Folder,
        name: String,
        parent: Option<usize>,
    ) -> Result<(), String> {
        let syntax = syn::parse_file(&text(&path)?).map_err(|error| {
            let line = error.span().start().line;
            format!("{}:{line}: {error}", path.display())
        })?;
        self.files.push(path);
        let file = self.files.len() - 1;
        self.add(text, syntax.items, &below, file, name, parent)
    }

    /// Adds a module, and those inside it.
    fn add(
        &mut self,
        text: Reader,
        items: Vec<Item>,
        below: &Path,
        file: usize,
        name: String,
        parent: Option<usize>,
    ) -> Result<(), String> {
        let own = self.modules.len();
        let (inner, items): (Vec<Item>, Vec<Item>) = items
            .into_iter()
            .filter(|item| !is_test(attributes(item)))
            .partition(|item| matches!(item, Item::Mod(_)));
        self.modules.push(Module {
            file,
            name,
            parent,
            items,
        });
        for item in inner {
            let Item::Mod(module) = item else { continue };
            let name = module.ident.to_string();
            let folder = below.join(&name);
            match module.content {
                Some((_, items)) => self.add(text, items, &folder, file, name, Some(own))?,
                // Another crate's file, which is read with that crate.
                None if module.attrs.iter().any(|one| one.path().is_ident("path")) => {}
                None => {
                    let beside = below.join(format!("{name}.rs"));
                    let inside = folder.join("mod.rs");
                    let path = match text(&beside).is_ok() {
                        true => beside,
                        false => inside,
                    };
                    self.read_file(text, path, folder, name, Some(own))?;
                }
            }
        }
        Ok(())
    }
}

/// Whether something is compiled for tests alone.
pub fn is_test(attributes: &[Attribute]) -> bool {
    let demands = |attribute: &Attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident("cfg") => list
            .parse_args::<Meta>()
            .is_ok_and(|meta| needs_test(&meta)),
        meta => meta.path().is_ident("test"),
    };
    attributes.iter().any(demands)
}

/// Whether a condition holds in tests and fuzz targets only.
fn needs_test(meta: &Meta) -> bool {
    let parts = |list: &syn::MetaList| {
        let comma = syn::punctuated::Punctuated::<Meta, syn::Token![,]>::parse_terminated;
        list.parse_args_with(comma).unwrap_or_default()
    };
    match meta {
        Meta::Path(path) => path.is_ident("test") || path.is_ident("fuzzing"),
        Meta::List(list) if list.path.is_ident("all") => parts(list).iter().any(needs_test),
        Meta::List(list) if list.path.is_ident("any") => parts(list).iter().all(needs_test),
        _ => false,
    }
}

/// The attributes of an item.
pub fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::TraitAlias(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_another_crate_is_left_to_that_crate() {
        let text = "#[path = \"../../y/src/z.rs\"]\nmod z;\nmod own;\n";
        let tree = Tree::of_files(&[("lib.rs", text), ("own.rs", "fn f() {}\n")]);
        let names: Vec<_> = tree.files.iter().map(|file| file.file_name()).collect();
        assert_eq!(names, ["lib.rs", "own.rs"].map(|name| Some(name.as_ref())));
    }
}
