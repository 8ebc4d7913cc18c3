"""A .vtu of some 40 kB whose coordinates unpack to 256 MB of zeros: write_bomb.py FILE"""
import base64
import lzma
import struct
import sys

SIZE = 256 << 20
block = lzma.compress(bytes(SIZE))
header = struct.pack("<4I", 1, SIZE, 0, len(block))
text = base64.b64encode(header).decode() + base64.b64encode(block).decode()
with open(sys.argv[1], "w") as file:
    file.write(
        '<VTKFile type="UnstructuredGrid" compressor="vtkLZMADataCompressor"><UnstructuredGrid>'
        f'<Piece NumberOfPoints="{SIZE // 24}" NumberOfCells="0"><Points>'
        f'<DataArray type="Float64" format="binary">{text}</DataArray>'
        "</Points></Piece></UnstructuredGrid></VTKFile>"
    )
