//! Grids: Cartesian topologies (MPI 5.0, 8.5). The last dimension is the fastest.

use crate::{Class, Error};
use coll::Neighbors;

/// A grid of processes, perhaps closed to a ring in some dimensions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cart {
    dims: Vec<i32>,
    periods: Vec<bool>,
}

/// The part of a grid that `MPI_Cart_sub` gives a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sub {
    /// The smaller grid.
    pub cart: Cart,
    /// Color that all processes of the part share, and no other process has.
    pub color: i32,
    /// The rank in the part.
    pub rank: u32,
}

impl Cart {
    /// A grid with these sides, closed where `periods` says so.
    ///
    /// # Errors
    /// `Dims` for a side below 1 or more processes than an `int` counts, `Arg` for lists of
    /// different lengths.
    pub fn new(dims: &[i32], periods: &[bool]) -> Result<Cart, Error> {
        if dims.len() != periods.len() {
            let text = format!("{} dimensions but {} periods", dims.len(), periods.len());
            return Err(Error::new(Class::Arg, text));
        }
        let mut size: i32 = 1;
        for (at, &dim) in dims.iter().enumerate() {
            if dim < 1 {
                let text = format!("dims[{at}] is {dim}; a side has to be at least 1");
                return Err(Error::new(Class::Dims, text));
            }
            size = size.checked_mul(dim).ok_or_else(|| {
                Error::new(
                    Class::Dims,
                    "the grid has more processes than an int counts",
                )
            })?;
        }
        Ok(Cart {
            dims: dims.to_vec(),
            periods: periods.to_vec(),
        })
    }

    /// The sides.
    pub fn dims(&self) -> &[i32] {
        &self.dims
    }

    /// Which dimensions are closed.
    pub fn periods(&self) -> &[bool] {
        &self.periods
    }

    /// How many processes there are; one in a grid without dimensions.
    pub fn size(&self) -> u32 {
        self.dims.iter().product::<i32>() as u32
    }

    /// The rank at coordinates. Those of a closed dimension may be any number.
    ///
    /// # Errors
    /// `Arg` for coordinates outside, or of another number of dimensions.
    pub fn rank(&self, coords: &[i32]) -> Result<u32, Error> {
        if coords.len() != self.dims.len() {
            let text = format!(
                "{} coordinates in {} dimensions",
                coords.len(),
                self.dims.len()
            );
            return Err(Error::new(Class::Arg, text));
        }
        let mut rank = 0;
        for (at, &coord) in coords.iter().enumerate() {
            let dim = self.dims[at];
            if !self.periods[at] && !(0..dim).contains(&coord) {
                let text = format!("coords[{at}] is {coord}, outside 0 to {}", dim - 1);
                return Err(Error::new(Class::Arg, text));
            }
            rank = rank * dim + coord.rem_euclid(dim);
        }
        Ok(rank as u32)
    }

    /// The coordinates of a rank.
    ///
    /// # Errors
    /// `Rank` for a rank that does not exist.
    pub fn coords(&self, rank: u32) -> Result<Vec<i32>, Error> {
        if rank >= self.size() {
            let text = format!("rank {rank} in a grid of {} processes", self.size());
            return Err(Error::new(Class::Rank, text));
        }
        let mut left = rank as i32;
        let mut coords = vec![0; self.dims.len()];
        for (coord, dim) in coords.iter_mut().zip(&self.dims).rev() {
            *coord = left % dim;
            left /= dim;
        }
        Ok(coords)
    }

    /// From whom and to whom `rank` passes data that moves by `by` in a dimension; `None` where
    /// the grid ends (`MPI_Cart_shift`).
    ///
    /// # Errors
    /// `Dims` for a dimension that does not exist, `Rank` for a rank.
    pub fn shift(
        &self,
        rank: u32,
        dimension: i32,
        by: i32,
    ) -> Result<(Option<u32>, Option<u32>), Error> {
        let at = usize::try_from(dimension)
            .ok()
            .filter(|at| *at < self.dims.len());
        let at = at.ok_or_else(|| {
            let text = format!("direction is {dimension} of {} dimensions", self.dims.len());
            Error::new(Class::Dims, text)
        })?;
        let coords = self.coords(rank)?;
        let by = i64::from(by);
        Ok((self.step(&coords, at, -by), self.step(&coords, at, by)))
    }

    fn step(&self, coords: &[i32], at: usize, by: i64) -> Option<u32> {
        let mut coords = coords.to_vec();
        let (moved, dim) = (i64::from(coords[at]) + by, i64::from(self.dims[at]));
        if !self.periods[at] && !(0..dim).contains(&moved) {
            return None;
        }
        coords[at] = moved.rem_euclid(dim) as i32;
        self.rank(&coords).ok()
    }

    /// The part that `rank` belongs to when the grid is cut along the dimensions that are not to
    /// remain (`MPI_Cart_sub`).
    ///
    /// # Errors
    /// `Rank` for a rank that does not exist, `Arg` for a list of another length.
    pub fn sub(&self, rank: u32, remain: &[bool]) -> Result<Sub, Error> {
        if remain.len() != self.dims.len() {
            let text = format!("{} flags for {} dimensions", remain.len(), self.dims.len());
            return Err(Error::new(Class::Arg, text));
        }
        let coords = self.coords(rank)?;
        let mut part = Cart {
            dims: Vec::new(),
            periods: Vec::new(),
        };
        let (mut color, mut inside) = (0, 0);
        for (at, &keep) in remain.iter().enumerate() {
            let place = if keep { &mut inside } else { &mut color };
            *place = *place * self.dims[at] + coords[at];
            if keep {
                part.dims.push(self.dims[at]);
                part.periods.push(self.periods[at]);
            }
        }
        Ok(Sub {
            cart: part,
            color,
            rank: inside as u32,
        })
    }

    /// The neighbours of a rank: in each dimension the one below, then the one above.
    ///
    /// # Errors
    /// `Rank` for a rank that does not exist.
    pub fn neighbors(&self, rank: u32) -> Result<Neighbors, Error> {
        let mut around = Vec::with_capacity(2 * self.dims.len());
        for dimension in 0..self.dims.len() {
            let (below, above) = self.shift(rank, dimension as i32, 1)?;
            around.extend([below, above]);
        }
        Ok(Neighbors {
            sources: around.clone().into(),
            destinations: around.into(),
            cartesian: true,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> Cart {
        Cart::new(&[2, 3, 2], &[false, true, false]).unwrap()
    }

    #[test]
    fn ranks_and_coordinates_are_the_same_thing() {
        let grid = grid();
        assert_eq!(grid.size(), 12);
        for rank in 0..12 {
            assert_eq!(grid.rank(&grid.coords(rank).unwrap()), Ok(rank));
        }
        assert_eq!(grid.coords(7), Ok(vec![1, 0, 1]));
        assert_eq!(grid.rank(&[1, -4, 0]), grid.rank(&[1, 2, 0]));
        assert_eq!(grid.rank(&[2, 0, 0]).unwrap_err().class, Class::Arg);
        assert_eq!(grid.coords(12).unwrap_err().class, Class::Rank);
        let point = Cart::new(&[], &[]).unwrap();
        assert_eq!(
            (point.size(), point.rank(&[]), point.coords(0)),
            (1, Ok(0), Ok(vec![]))
        );
    }

    #[test]
    fn a_shift_ends_at_the_edge_or_goes_round() {
        let grid = grid();
        assert_eq!(grid.shift(0, 0, 1), Ok((None, Some(6))));
        assert_eq!(grid.shift(0, 1, 1), Ok((Some(4), Some(2))));
        assert_eq!(grid.shift(0, 1, i32::MIN), Ok((Some(4), Some(2))));
        assert_eq!(grid.shift(3, 2, -1), Ok((None, Some(2))));
        assert_eq!(grid.shift(5, 2, 0), Ok((Some(5), Some(5))));
        for bad in [-1, 3] {
            assert_eq!(grid.shift(0, bad, 1).unwrap_err().class, Class::Dims);
        }
        let around = grid.neighbors(0).unwrap();
        assert_eq!(
            *around.sources,
            [None, Some(6), Some(4), Some(2), None, Some(1)]
        );
    }

    #[test]
    fn a_cut_keeps_the_dimensions_that_remain() {
        let grid = grid();
        let sub = grid.sub(7, &[false, true, true]).unwrap();
        assert_eq!((sub.color, sub.rank), (1, 1));
        assert_eq!(sub.cart.dims(), [3, 2]);
        assert_eq!(sub.cart.periods(), [true, false]);
        let point = grid.sub(7, &[false; 3]).unwrap();
        assert_eq!((point.color, point.rank, point.cart.size()), (7, 0, 1));
        assert_eq!(grid.sub(7, &[true]).unwrap_err().class, Class::Arg);
    }

    #[test]
    fn bad_grids_are_refused() {
        assert_eq!(
            Cart::new(&[2, 0], &[true; 2]).unwrap_err().class,
            Class::Dims
        );
        assert_eq!(
            Cart::new(&[1 << 20; 2], &[true; 2]).unwrap_err().class,
            Class::Dims
        );
        assert_eq!(Cart::new(&[2], &[]).unwrap_err().class, Class::Arg);
    }
}
