//! The workshop: its copy follows the original, and work is done once.
#![allow(clippy::unwrap_used)]

use super::*;

/// Folders of `web` that the page is not made of.
const BESIDE_THE_PAGE: [&str; 3] = ["golden", "test", "browser"];

/// A folder like `web`, and a target folder beside it.
fn scratch() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let root = tempfile::tempdir().unwrap();
    let (web, target) = (root.path().join("source"), root.path().join("target"));
    for (name, text) in [
        ("package.json", "{}"),
        ("package-lock.json", "{}"),
        ("index.html", "<p>"),
        ("README.md", "words"),
        ("src/main.ts", "1"),
        ("src/view/old.ts", "2"),
        ("test/a.ts", "3"),
        ("golden/frame.bin", "4"),
        ("node_modules/x/index.js", "a developer's own"),
    ] {
        let file = web.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    (root, web, target)
}

#[test]
fn the_copy_follows_the_original_and_keeps_what_was_made() {
    let (_root, web, target) = scratch();
    drop(Workshop::open(&web, &target).unwrap());
    let copy = target.join("web");
    assert_eq!(fs::read_to_string(copy.join("src/view/old.ts")).unwrap(), "2");
    assert!(!copy.join("node_modules").exists(), "packages are installed, not copied");
    let made = copy.join("node_modules/made.js");
    fs::create_dir_all(made.parent().unwrap()).unwrap();
    fs::write(&made, "by npm").unwrap();
    let before = fs::metadata(copy.join("src/main.ts")).unwrap().modified().unwrap();

    // a file becomes a folder, another one changes, a folder goes
    fs::remove_file(web.join("index.html")).unwrap();
    fs::create_dir(web.join("index.html")).unwrap();
    fs::write(web.join("test/a.ts"), "new").unwrap();
    fs::remove_dir_all(web.join("src/view")).unwrap();
    let workshop = Workshop::open(&web, &target).unwrap();
    assert_eq!(workshop.folder(), copy);
    assert!(copy.join("index.html").is_dir());
    assert_eq!(fs::read_to_string(copy.join("test/a.ts")).unwrap(), "new");
    assert!(!copy.join("src/view").exists());
    assert!(made.exists());
    assert_eq!(fs::metadata(copy.join("src/main.ts")).unwrap().modified().unwrap(), before);
}

#[test]
fn everything_in_the_folder_of_the_page_is_a_part_of_it_or_beside_it() {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web");
    for part in parts_of_page(&web) {
        assert!(part.exists(), "{}", part.display());
    }
    for path in entries(&web).unwrap() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let beside = [&BESIDE_THE_PAGE[..], &MADE].concat().contains(&&*name);
        let read_by_no_tool = name.starts_with('.') || name.ends_with(".md");
        let part = PAGE.contains(&&*name);
        assert!(part != (beside || read_by_no_tool), "list {name} in PAGE or in BESIDE_THE_PAGE");
    }
}

#[test]
fn the_target_folder_is_the_marked_one_above() {
    let root = tempfile::tempdir().unwrap();
    let out = root.path().join("elsewhere/release/build/pliant-app/out");
    fs::create_dir_all(&out).unwrap();
    let target = root.path().join("elsewhere");
    fs::write(target.join("CACHEDIR.TAG"), "").unwrap();
    assert_eq!(target_folder(&out), Some(&*target));
    assert_eq!(target_folder(Path::new("no/such/folder")), None);
}

#[test]
fn work_is_done_once_for_each_input_and_again_after_a_failure() {
    let (_root, web, target) = scratch();
    let workshop = Workshop::open(&web, &target).unwrap();
    let product = workshop.dist().join("index.html");
    let stamp = |hash: &str| Stamp { name: BUILT, product: product.clone(), hash: hash.into() };
    let mut runs = 0;
    let mut work = |hash: &str, result: Result<(), String>| {
        workshop.once(&stamp(hash), || {
            runs += 1;
            fs::create_dir_all(workshop.dist()).unwrap();
            fs::write(&product, hash).unwrap();
            result
        })
    };
    work("a", Ok(())).unwrap();
    work("a", Ok(())).unwrap();
    assert_eq!(work("b", Err("no".into())), Err("no".into()));
    // what the failure left behind is not taken for the product of "a"
    work("a", Ok(())).unwrap();
    fs::remove_file(&product).unwrap();
    work("a", Ok(())).unwrap();
    assert_eq!(runs, 4, "first, failed, after the failure, product lost");
}

#[test]
fn the_hash_knows_names_and_contents() {
    let (_root, web, target) = scratch();
    let workshop = Workshop::open(&web, &target).unwrap();
    let hash = |names: &[&str]| {
        let files: Vec<PathBuf> = names.iter().map(|name| workshop.folder().join(name)).collect();
        workshop.hash(&files).unwrap()
    };
    assert_eq!(hash(&["package.json"]), hash(&["package.json"]));
    assert_ne!(hash(&["package.json"]), hash(&["package-lock.json"]), "same contents, other name");
    // FNV-1a of nothing is its offset basis
    assert_eq!(hash(&[]), "cbf29ce484222325");
}

#[test]
fn a_folder_without_a_lock_file_is_refused() {
    let (_root, web, target) = scratch();
    fs::remove_file(web.join("package-lock.json")).unwrap();
    let refusal = Workshop::open(&web, &target).err().unwrap();
    assert!(refusal.contains("package-lock.json") && !target.exists(), "{refusal}");
}
