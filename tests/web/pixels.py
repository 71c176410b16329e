"""The pixels of a screenshot: a PNG with eight bits each of red, green, blue and perhaps opacity."""
import struct
import zlib


class Picture:
    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        packed, at = b"", 8
        while at < len(data):
            size, kind = struct.unpack(">I4s", data[at:at + 8])
            body = data[at + 8:at + 8 + size]
            if kind == b"IHDR":
                self.width, self.height, bits, color = struct.unpack(">IIBB", body[:10])
                assert bits == 8 and color in (2, 6)
            elif kind == b"IDAT":
                packed += body
            at += size + 12
        self.channels = 3 if color == 2 else 4
        self.rows = self.unfiltered(zlib.decompress(packed))

    def unfiltered(self, raw):
        step, stride = self.channels, self.width * self.channels
        rows, above = [], bytearray(stride)
        for y in range(self.height):
            start = y * (stride + 1)
            kind, row = raw[start], bytearray(raw[start + 1:start + 1 + stride])
            for x in range(stride if kind else 0):
                left = row[x - step] if x >= step else 0
                up, corner = above[x], above[x - step] if x >= step else 0
                if kind == 1:
                    guess = left
                elif kind == 2:
                    guess = up
                elif kind == 3:
                    guess = (left + up) // 2
                else:
                    sum_ = left + up - corner
                    guess = min((left, up, corner), key=lambda of: abs(sum_ - of))
                row[x] = (row[x] + guess) & 255
            rows.append(row)
            above = row
        return rows

    def color(self, x, y):
        at = int(x) * self.channels
        return tuple(self.rows[int(y)][at:at + 3])
