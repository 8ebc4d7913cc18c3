//! What the columns of the tables are, with their units.

/// The columns of a table.
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    /// What a row is.
    row: &'static str,
    /// Names, unit and meaning of one or more columns.
    groups: &'static [Group],
}

/// Names as the header has them, unit, and what they mean.
type Group = (&'static [&'static str], &'static str, &'static str);

/// `energy.csv`.
pub const ENERGY: Columns = Columns {
    row: "energies of the whole scene, one row a sample",
    groups: &[
        (&["time"], "s", "simulated time; with `static` the part of the load, times `duration`"),
        (&["kinetic"], "J", "of all bodies"),
        (&["elastic"], "J", "stored in elements and springs"),
        (&["gravity"], "J", "potential in gravity, 0 at rest positions"),
        (&["dissipated"], "J", "lost to damping and pins so far"),
        (&["work"], "J", "done on the bodies by loads, grabs and moving fixes so far"),
        (
            &["contact"],
            "J",
            "given to colliders, stored in contacts, or lost there so far; below 0 where moving colliders push",
        ),
        (
            &["total"],
            "J",
            "kinetic + elastic + gravity + dissipated + contact - work: constant but for errors of the method",
        ),
    ],
};

/// `probes.csv`.
pub const PROBES: Columns = Columns {
    row: "probes, one row a probe and sample",
    groups: &[
        (&["time"], "s", "simulated time"),
        (&["probe"], "", "its name"),
        (&["x", "y", "z"], "m", "where it is"),
        (&["ux", "uy", "uz"], "m", "its displacement from where it rests"),
    ],
};

/// `forces.csv`.
pub const FORCES: Columns = Columns {
    row: "forces on bodies from outside, one row a fix, load, grab or collider and sample",
    groups: &[
        (&["time"], "s", "simulated time"),
        (&["name"], "", "of the fix, load, grab or collider"),
        (&["kind"], "", "fix, load, grab or collider"),
        (&["fx", "fy", "fz"], "N", "the force that it exerts on the body"),
        (
            &["mx", "my", "mz"],
            "N m",
            "the moment of that force about the world's origin (0, 0, 0); `linear` bodies count arms at rest",
        ),
    ],
};

/// `contacts.csv`.
pub const CONTACTS: Columns = Columns {
    row: "points of bodies that touch colliders, one row a point, collider and sample",
    groups: &[
        (&["time"], "s", "simulated time"),
        (&["collider"], "", "its name"),
        (&["body"], "", "its name"),
        (
            &["vertex"],
            "",
            "node of the mesh, or vertex of the embedded surface that touches, in the file's order from 0",
        ),
        (&["x", "y", "z"], "m", "where it is"),
        (&["nx", "ny", "nz"], "1", "unit normal of the collider, towards the body"),
        (&["gap"], "m", "distance to the collider, below 0 where it is inside"),
        (
            &["normal_force"],
            "N",
            "along the normal, on the body; of the `constraint` responses the mean over five steps",
        ),
        (&["fx", "fy", "fz"], "N", "friction on the body"),
    ],
};

impl Columns {
    /// The header, with comments before it where they are asked for.
    pub fn head(&self, comments: bool) -> Vec<String> {
        let names: Vec<&str> = self.groups.iter().flat_map(|(names, ..)| names.iter().copied()).collect();
        let comment = |(names, unit, meaning): &Group| {
            let unit = if unit.is_empty() { String::new() } else { format!(" ({unit})") };
            format!("# {}{unit}: {meaning}", names.join(", "))
        };
        let about = std::iter::once(format!("# {}", self.row)).chain(self.groups.iter().map(comment));
        about.filter(|_| comments).chain(std::iter::once(names.join(","))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{CONTACTS, ENERGY, FORCES, PROBES};

    #[test]
    fn headers_are_what_other_programs_read() {
        assert_eq!(ENERGY.head(false), ["time,kinetic,elastic,gravity,dissipated,work,contact,total"]);
        assert_eq!(PROBES.head(false), ["time,probe,x,y,z,ux,uy,uz"]);
        assert_eq!(FORCES.head(false), ["time,name,kind,fx,fy,fz,mx,my,mz"]);
        assert_eq!(
            CONTACTS.head(false),
            ["time,collider,body,vertex,x,y,z,nx,ny,nz,gap,normal_force,fx,fy,fz"]
        );
    }

    #[test]
    fn comments_name_every_column_and_its_unit() {
        for columns in [ENERGY, PROBES, FORCES, CONTACTS] {
            let head = columns.head(true);
            let (header, comments) = head.split_last().unwrap();
            assert!(comments.iter().all(|line| line.starts_with("# ")), "{comments:?}");
            let text = comments.join("\n");
            assert!(header.split(',').all(|name| text.contains(name)), "{header}\n{text}");
            assert!(text.contains("# time (s): "), "{text}");
        }
    }
}
