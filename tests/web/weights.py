"""Compares the weights of two saved runs: python3 weights.py A.npz B.npz

Prints for each array that both hold by how much it differs, as a share of its largest entry.
"""
import ast
import struct
import sys
import zipfile


def read_array(data):
    assert data[:6] == b"\x93NUMPY"
    start, size = (10, struct.unpack("<H", data[8:10])[0]) if data[6] == 1 else (12, struct.unpack("<I", data[8:12])[0])
    header = ast.literal_eval(data[start:start + size].decode("latin-1"))
    kind = header["descr"]
    if kind not in ("<f4", "<f8"):
        return None
    letter, width = ("f", 4) if kind == "<f4" else ("d", 8)
    body = data[start + size:]
    return struct.unpack(f"<{len(body) // width}{letter}", body)


def arrays_of(path):
    with zipfile.ZipFile(path) as archive:
        read = {name.removesuffix(".npy"): read_array(archive.read(name)) for name in archive.namelist()}
    return {name: values for name, values in read.items() if values}


def differences(first, second):
    """Name to (largest difference, largest entry), of the arrays that have one length in both."""
    a, b = arrays_of(first), arrays_of(second)
    return {name: (max(abs(x - y) for x, y in zip(a[name], b[name])), max(map(abs, a[name])))
            for name in sorted(a) if name in b and len(a[name]) == len(b[name])}


if __name__ == "__main__":
    for name, (difference, largest) in differences(*sys.argv[1:3]).items():
        print(f"{name}: {difference:.3g} of {largest:.3g}")
