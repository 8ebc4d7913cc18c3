//! Pliant numerics.
