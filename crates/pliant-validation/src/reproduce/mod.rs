//! `pliant reproduce`: the tables and figures of the papers, made anew.
