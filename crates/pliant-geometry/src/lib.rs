//! Pliant geometry.
