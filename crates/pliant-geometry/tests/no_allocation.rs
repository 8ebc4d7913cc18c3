//! Questions that are asked in every step allocate nothing.
//!
//! One test, so that nothing else allocates meanwhile.
#![allow(clippy::unwrap_used, missing_docs)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use pliant_geometry::{
    Bounds, BoxTree, BroadPhase, Groups, PairCache, Renewal, Torus, TriangleSolid, surface_mesh,
};

struct Counting;

static COUNT: AtomicUsize = AtomicUsize::new(0);

// SAFETY: hands everything to the system's allocator; counting neither allocates nor unwinds.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's contract is the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract is the system allocator's.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How often `work` allocates.
fn allocations(work: impl FnOnce()) -> usize {
    let before = COUNT.load(Ordering::Relaxed);
    work();
    COUNT.load(Ordering::Relaxed) - before
}

fn torus() -> TriangleSolid {
    let mesh = Torus { radius: 1.0, tube: 0.4, sections: 40, rim: 20 }.mesh().unwrap();
    let skin = surface_mesh(&mesh).unwrap().mesh;
    TriangleSolid::new(skin.positions().to_vec(), skin.triangles().to_vec()).unwrap()
}

/// The boxes of its triangles, pushed along.
fn boxes(solid: &TriangleSolid, push: f64) -> Vec<Bounds> {
    let corners = |t: &[u32; 3]| t.map(|n| solid.positions()[n as usize].map(|x| x + push));
    solid.triangles().iter().map(|t| Bounds::of(corners(t)).unwrap()).collect()
}

#[test]
fn questions_allocate_nothing() {
    let solid = torus();
    let places: Vec<[f64; 3]> = (0..100).map(|i| [0.02 * f64::from(i), 0.3, 0.01 * f64::from(i)]).collect();
    let mut sum = 0.0;
    let count = allocations(|| {
        for place in &places {
            sum += solid.distance(*place).0 + solid.distance_within(*place, 0.1).map_or(0.0, |found| found.0);
        }
    });
    assert_eq!((count, sum.is_finite()), (0, true), "distances");
    let (first, later) = (boxes(&solid, 0.0), boxes(&solid, 0.1));
    let mut tree = BoxTree::new(&first);
    let mut found = 0;
    let count = allocations(|| {
        tree.refit(&later);
        first.iter().for_each(|query| tree.overlapping(query, |_| found += 1));
    });
    assert_eq!((count, found > 0), (0, true), "tree");
    // pairs, back and forth, alone and in a pool
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    for method in [BroadPhase::Tree, BroadPhase::Sweep] {
        let steps: Vec<Vec<Bounds>> = (0..8).map(|i| boxes(&solid, 0.02 * f64::from(i % 4))).collect();
        for groups in [Groups::One(&[]), Groups::Two(&[], &first)] {
            let mut cache = PairCache::new(method);
            let mut update = |step: &Vec<Bounds>| {
                let groups = match groups {
                    Groups::One(_) => Groups::One(step),
                    Groups::Two(_, other) => Groups::Two(step, other),
                };
                let renewals = [(); 2].map(|_| cache.update(groups, 0.005, |a, b| a + 2 != b));
                assert_eq!(renewals, [Renewal::Found, Renewal::Kept]);
            };
            pool.install(|| steps.iter().for_each(&mut update));
            let count = allocations(|| steps.iter().for_each(&mut update));
            assert_eq!(count, 0, "{method:?} {groups:?}");
            let count = pool.install(|| allocations(|| steps.iter().for_each(&mut update)));
            assert_eq!(count, 0, "{method:?} {groups:?} in a pool");
            assert!(!cache.pairs().is_empty());
        }
    }
}
