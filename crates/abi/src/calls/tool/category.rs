//! Categories of variables and events (MPI 5.0, 15.3.9). They never change.

use abi_state::args::{InOut, Out, OutList, OutText, Text};
use abi_state::failure::Failure;
use abi_state::generated::constants::MPI_T_ERR_INVALID;
use mpit::category::Category;

use super::{check, enter, give, give_text, index, must_give, unknown_name};

/// `MPI_T_category_get_num`.
pub fn t_category_get_num(num_cat: Out<i32>) -> Result<(), Failure> {
    let count = enter()?.known().categories.len();
    must_give(num_cat, count as i32)
}

/// `MPI_T_category_get_info`.
// The arguments are MPI's.
pub fn t_category_get_info(
    cat_index: i32,
    name: OutText,
    name_len: InOut<i32>,
    desc: OutText,
    desc_len: InOut<i32>,
    num_cvars: Out<i32>,
    num_pvars: Out<i32>,
    num_categories: Out<i32>,
) -> Result<(), Failure> {
    with(cat_index, |category| {
        give_text(name, name_len, &category.name)?;
        give_text(desc, desc_len, &category.help)?;
        give(num_cvars, category.controls.len() as i32)?;
        give(num_pvars, category.performances.len() as i32)?;
        give(num_categories, category.categories.len() as i32)
    })
}

/// `MPI_T_category_get_num_events`.
pub fn t_category_get_num_events(cat_index: i32, num_events: Out<i32>) -> Result<(), Failure> {
    with(cat_index, |category| {
        must_give(num_events, category.events.len() as i32)
    })
}

/// `MPI_T_category_get_index`.
pub fn t_category_get_index(name: Text, cat_index: Out<i32>) -> Result<(), Failure> {
    let mut state = enter()?;
    let name = name.get().map_err(|f| f.coded(MPI_T_ERR_INVALID))?;
    let categories = &state.known().categories;
    let at = categories.iter().position(|one| one.name == name);
    let at = at.ok_or_else(|| unknown_name("category", &name))?;
    must_give(cat_index, at as i32)
}

/// `MPI_T_category_get_cvars`.
pub fn t_category_get_cvars(
    cat_index: i32,
    len: i32,
    indices: OutList<i32>,
) -> Result<(), Failure> {
    with(cat_index, |category| {
        fill(&category.controls, len, &indices)
    })
}

/// `MPI_T_category_get_pvars`.
pub fn t_category_get_pvars(
    cat_index: i32,
    len: i32,
    indices: OutList<i32>,
) -> Result<(), Failure> {
    with(cat_index, |category| {
        fill(&category.performances, len, &indices)
    })
}

/// `MPI_T_category_get_events`.
pub fn t_category_get_events(
    cat_index: i32,
    len: i32,
    indices: OutList<i32>,
) -> Result<(), Failure> {
    with(cat_index, |category| fill(&category.events, len, &indices))
}

/// `MPI_T_category_get_categories`.
pub fn t_category_get_categories(
    cat_index: i32,
    len: i32,
    indices: OutList<i32>,
) -> Result<(), Failure> {
    with(cat_index, |category| {
        fill(&category.categories, len, &indices)
    })
}

/// `MPI_T_category_changed`.
pub fn t_category_changed(update_number: Out<i32>) -> Result<(), Failure> {
    check()?;
    must_give(update_number, 0)
}

fn with(cat_index: i32, act: impl FnOnce(&Category) -> Result<(), Failure>) -> Result<(), Failure> {
    let mut state = enter()?;
    let categories = &state.known().categories;
    let at = index("cat_index", cat_index, categories.len())?;
    act(&categories[at])
}

/// Stores as many positions as there is room for.
fn fill(positions: &[usize], len: i32, indices: &OutList<i32>) -> Result<(), Failure> {
    let room = usize::try_from(len).unwrap_or(0);
    for (at, position) in positions.iter().take(room).enumerate() {
        indices.set(at, *position as i32)?;
    }
    Ok(())
}
