"""A decoder for the protocol pb9, written from docs/reference/pb9.md alone.

decode: reads bytes from stdin, writes a line for each message.
encode: reads lines "number status distance..." from stdin, writes an answer to start and a scan for each line.
"""
import binascii
import struct
import sys

LENGTHS = {0x01: 0, 0x02: 0, 0x81: 5, 0x82: 0, 0x83: 185}


def frame(kind, data=b""):
    body = bytes([kind, len(data)]) + data
    return b"PB" + body + struct.pack(">H", binascii.crc_hqx(body, 0xFFFF))


def frames(stream):
    at = 0
    while True:
        at = stream.find(b"PB", at)
        if at < 0 or at + 4 > len(stream):
            return
        n = stream[at + 3]
        if at + 6 + n > len(stream):
            at += 1  # the stream ends: a shorter frame may begin within
            continue
        (crc,) = struct.unpack_from(">H", stream, at + 4 + n)
        if binascii.crc_hqx(stream[at + 2:at + 4 + n], 0xFFFF) != crc:
            at += 1
            continue
        kind, data = stream[at + 2], stream[at + 4:at + 4 + n]
        at += 6 + n
        if LENGTHS.get(kind) == n:
            yield kind, data


def decode():
    for kind, data in frames(sys.stdin.buffer.read()):
        if kind == 0x83:
            number, status, *distances = struct.unpack(">HB91H", data)
            if all(d <= 4000 or d == 65535 for d in distances):
                print("scan", number, status, *distances)
        elif kind == 0x81:
            print("answer", *struct.unpack(">BHH", data))
        else:
            print({0x01: "start", 0x02: "stop", 0x82: "stopped"}[kind])


def encode():
    out = sys.stdout.buffer
    out.write(frame(0x81, struct.pack(">BHH", 91, 1620, 4000)))
    for line in sys.stdin:
        number, status, *distances = map(int, line.split())
        out.write(frame(0x83, struct.pack(">HB91H", number, status, *distances)))


if __name__ == "__main__":
    {"decode": decode, "encode": encode}[sys.argv[1]]()
