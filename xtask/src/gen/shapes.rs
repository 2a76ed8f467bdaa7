//! How functions reach their calls: large-count forms share the call of the small form where they
//! differ by the width of integers alone.

use super::forms::{self, Form};
use super::rust;
use super::scan::Calls;
use super::spec::{Function, Param, Spec};

/// How a function reaches its call.
pub struct Shape {
    /// The name of the function that decodes the arguments, which both of a pair share.
    pub name: String,
    /// The name of the call.
    pub call: String,
    pub form: Form,
    /// Whether each parameter differs between the two of a pair.
    pub poly: Vec<bool>,
}

/// The shapes of all functions, in their order.
pub fn shapes(spec: &Spec, calls: &Calls) -> Vec<Shape> {
    let alone = |function: &Function| {
        let (call, form) = forms::of(function);
        Shape {
            name: rust::snake(&function.name),
            call,
            form,
            poly: vec![false; function.params.len()],
        }
    };
    let mut shapes: Vec<Shape> = spec.functions.iter().map(alone).collect();
    for (small, large) in spec.pairs() {
        let (a, b) = (&spec.functions[small], &spec.functions[large]);
        if let Some(poly) = differing(&a.params, &b.params) {
            if !calls.contains_key(&shapes[large].call) {
                shapes[large].call = shapes[small].call.clone();
                shapes[large].name = shapes[small].name.clone();
            }
            shapes[large].poly = poly.clone();
            shapes[small].poly = poly;
        }
    }
    shapes
}

/// Which parameters differ, where they differ by the width of integers alone.
fn differing(small: &[Param], large: &[Param]) -> Option<Vec<bool>> {
    if small.len() != large.len() {
        return None;
    }
    let poly: Vec<bool> = small.iter().zip(large).map(|(a, b)| a.ty != b.ty).collect();
    let known = |at: usize| {
        !poly[at]
            || [small, large]
                .iter()
                .all(|side| wide(&side[at].ty).is_some())
    };
    (0..small.len()).all(known).then_some(poly)
}

/// The Rust expression that brings a parameter of this C type to the form that both widths have.
pub fn wide(ty: &str) -> Option<&'static str> {
    Some(match ty {
        "int" => "i64::from(@)",
        "MPI_Aint" | "MPI_Count" => "@",
        "int*" | "const int[]" => "IntPtr::narrow(@)",
        "MPI_Aint*" | "MPI_Count*" | "const MPI_Aint[]" | "const MPI_Count[]" => "IntPtr::wide(@)",
        _ => return None,
    })
}
