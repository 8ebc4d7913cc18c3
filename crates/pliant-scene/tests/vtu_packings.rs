//! Every way to pack the arrays of a .vtu: byte orders, sizes of lengths, compressors, places; two pieces are one mesh.
//!
//! The layout is VTK's: length and data, or block count, block size, size of the last block and of each packed block;
//! in base64 the header of compressed data is padded for itself.
#![allow(clippy::unwrap_used)]

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use pliant_scene::mesh_file::read_bytes;

#[derive(Clone, Copy, PartialEq)]
enum Compressor {
    None,
    Zlib,
    Lz4,
}

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Inline,
    AppendedBase64,
    AppendedRaw,
}

#[derive(Clone, Copy)]
struct Packing {
    big: bool,
    header_size: usize,
    compressor: Compressor,
    mode: Mode,
}

/// Small, so that arrays have several blocks and a shorter last one.
const BLOCK: usize = 20;

impl Packing {
    fn length(&self, number: usize) -> Vec<u8> {
        let little = (number as u64).to_le_bytes()[..self.header_size].to_vec();
        if self.big { little.into_iter().rev().collect() } else { little }
    }

    /// The header and the data of an array.
    fn packed(&self, bytes: &[u8]) -> (Vec<u8>, Vec<u8>) {
        let pack = |block: &[u8]| match self.compressor {
            Compressor::None => block.to_vec(),
            Compressor::Zlib => {
                let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
                encoder.write_all(block).unwrap();
                encoder.finish().unwrap()
            }
            Compressor::Lz4 => lz4_flex::block::compress(block),
        };
        if self.compressor == Compressor::None {
            return (self.length(bytes.len()), bytes.to_vec());
        }
        let blocks: Vec<Vec<u8>> = bytes.chunks(BLOCK).map(pack).collect();
        let mut header = [blocks.len(), BLOCK, bytes.len() % BLOCK].map(|n| self.length(n)).concat();
        blocks.iter().for_each(|block| header.extend(self.length(block.len())));
        (header, blocks.concat())
    }

    /// As it stands in the file.
    fn spelled(&self, bytes: &[u8]) -> Vec<u8> {
        let (header, data) = self.packed(bytes);
        match (self.mode, self.compressor) {
            (Mode::AppendedRaw, _) => [header, data].concat(),
            (_, Compressor::None) => STANDARD.encode([header, data].concat()).into_bytes(),
            _ => [STANDARD.encode(header), STANDARD.encode(data)].concat().into_bytes(),
        }
    }

    fn f64s(&self, numbers: &[f64]) -> Vec<u8> {
        numbers.iter().flat_map(|x| if self.big { x.to_be_bytes() } else { x.to_le_bytes() }).collect()
    }

    fn i32s(&self, numbers: &[i32]) -> Vec<u8> {
        numbers.iter().flat_map(|n| if self.big { n.to_be_bytes() } else { n.to_le_bytes() }).collect()
    }

    /// Two pieces of one tetrahedron each, the second one moved by 10.
    fn file(&self) -> Vec<u8> {
        let name = match self.compressor {
            Compressor::None => "",
            Compressor::Zlib => " compressor=\"vtkZLibDataCompressor\"",
            Compressor::Lz4 => " compressor=\"vtkLZ4DataCompressor\"",
        };
        let order = if self.big { "BigEndian" } else { "LittleEndian" };
        let kind = 8 * self.header_size;
        let mut text = format!(
            "<VTKFile type=\"UnstructuredGrid\" byte_order=\"{order}\" header_type=\"UInt{kind}\"{name}>\n<UnstructuredGrid>\n"
        )
        .into_bytes();
        let mut appended = Vec::new();
        for shift in [0.0, 10.0] {
            let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0 / 3.0]];
            let points: Vec<f64> = corners.iter().flatten().map(|x| x + shift).collect();
            text.extend(b"<Piece NumberOfPoints=\"4\" NumberOfCells=\"1\">\n<Points>\n");
            let mut array = |kind: &str, name: &str, bytes: &[u8]| {
                let spelled = self.spelled(bytes);
                if self.mode == Mode::Inline {
                    text.extend(
                        format!("<DataArray type=\"{kind}\" Name=\"{name}\" format=\"binary\">\n").bytes(),
                    );
                    text.extend(spelled);
                    text.extend(b"\n</DataArray>\n");
                } else {
                    let at = appended.len();
                    let line = format!(
                        "<DataArray type=\"{kind}\" Name=\"{name}\" format=\"appended\" offset=\"{at}\"/>\n"
                    );
                    text.extend(line.bytes());
                    appended.extend(spelled);
                }
                if name == "Points" {
                    text.extend(b"</Points>\n<Cells>\n");
                }
            };
            array("Float64", "Points", &self.f64s(&points));
            array("Int32", "connectivity", &self.i32s(&[0, 1, 2, 3]));
            array("Int32", "offsets", &self.i32s(&[4]));
            array("UInt8", "types", &[10]);
            text.extend(b"</Cells>\n</Piece>\n");
        }
        text.extend(b"</UnstructuredGrid>\n");
        if self.mode != Mode::Inline {
            let word = if self.mode == Mode::AppendedRaw { "raw" } else { "base64" };
            text.extend(format!("<AppendedData encoding=\"{word}\">\n_").bytes());
            text.extend(appended);
            text.extend(b"\n</AppendedData>\n");
        }
        text.extend(b"</VTKFile>\n");
        text
    }
}

fn every_packing() -> Vec<Packing> {
    let mut all = Vec::new();
    for big in [false, true] {
        for header_size in [4, 8] {
            for compressor in [Compressor::None, Compressor::Zlib, Compressor::Lz4] {
                for mode in [Mode::Inline, Mode::AppendedBase64, Mode::AppendedRaw] {
                    all.push(Packing { big, header_size, compressor, mode });
                }
            }
        }
    }
    all
}

#[test]
fn every_packing_gives_the_same_mesh() {
    for (i, packing) in every_packing().iter().enumerate() {
        let mesh =
            read_bytes("a.vtu", &packing.file()).unwrap_or_else(|error| panic!("packing {i}: {error}")).mesh;
        assert_eq!(mesh.tets(), [[0, 1, 2, 3], [4, 5, 6, 7]], "packing {i}");
        assert_eq!(mesh.positions()[3], [0.0, 0.0, 1.0 / 3.0], "packing {i}");
        assert_eq!(mesh.positions()[7], [10.0, 10.0, 1.0 / 3.0 + 10.0], "packing {i}");
    }
}

#[test]
fn a_packed_array_that_is_cut_or_garbled_is_an_error_or_a_mesh() {
    for packing in every_packing() {
        let file = packing.file();
        let end = file.len() - b"\n</AppendedData>\n</VTKFile>\n".len();
        for cut in (0..end).step_by(7) {
            assert!(read_bytes("a.vtu", &file[..cut]).is_err(), "cut at {cut}");
        }
        for place in (0..file.len()).step_by(5) {
            let mut garbled = file.clone();
            garbled[place] ^= 0x15;
            let _ = read_bytes("a.vtu", &garbled);
        }
    }
}

#[test]
fn faults_of_arrays_name_the_number_and_the_line() {
    let sample = "<VTKFile type=\"UnstructuredGrid\">\n<UnstructuredGrid>\n\
        <Piece NumberOfPoints=\"4\" NumberOfCells=\"1\">\n<Points>\n\
        <DataArray type=\"Float64\" NumberOfComponents=\"3\">0 0 0 1 0 0 0 1 0 0 0 1</DataArray>\n</Points>\n<Cells>\n\
        <DataArray type=\"Int64\" Name=\"connectivity\">0 1 2 3</DataArray>\n\
        <DataArray type=\"Int64\" Name=\"offsets\">4</DataArray>\n\
        <DataArray type=\"UInt8\" Name=\"types\">10</DataArray>\n</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
    assert_eq!(read_bytes("a.vtu", sample.as_bytes()).unwrap().mesh.tets(), [[0, 1, 2, 3]]);
    for (from, to, part) in [
        ("0 1 2 3<", "0 1 2 -3<", "a.vtu:8: a cell uses a node that its piece does not have, found \"-3\""),
        ("0 1 2 3<", "0 1 2 4294967299<", "found \"4294967299\""),
        (
            "0 0 1</DataArray>\n</Points>",
            "0 0 1 5</DataArray>\n</Points>",
            "a.vtu:5: an array holds more than the 12 numbers",
        ),
        (">4<", ">-4<", "a.vtu:9: the offset of a cell is below 0"),
        (">10<", ">13<", "type 13 (wedge)"),
        ("NumberOfPoints=\"4\"", "NumberOfPoints=\"40000000000\"", "more than the rest of the file can hold"),
    ] {
        let message = read_bytes("a.vtu", sample.replace(from, to).as_bytes()).unwrap_err().to_string();
        assert!(message.contains(part), "{message} lacks {part}");
    }
}
