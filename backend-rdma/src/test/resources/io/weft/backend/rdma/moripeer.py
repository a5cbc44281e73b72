#!/usr/bin/env python3
"""A plain engine on the control port of MORI-IO's RDMA backend, in both roles, with nothing but Python's standard library.

    moripeer.py initiator KEY HOST PORT THEIR_KEY MEMORY SIZE   asks for queue pairs and keys in every way an engine may, and tells
                                                                what it got: the queue pair's number, then the region's address
    moripeer.py target KEY MEMORY SIZE                          tells its port, then serves and tells each request, until input ends
    moripeer.py front KEY HOST PORT THEIR_KEY                   as target, with the queue pairs and memory of the engine it asks

A frame is a type byte, the body's length in big-endian order, and a msgpack array: 0 is RegEndpoint, 1 AskMemoryRegion.
"""
import socket, struct, sys, threading, time

REG_ENDPOINT, ASK_REGION = 0, 1
HOST_MEMORY = [-1, 1, 0]
GID = bytes(10) + b"\xff\xff\x7f\x00\x00\x01"


def pack(value):
    """The part of msgpack that the protocol uses, in its shortest forms."""
    if isinstance(value, list):
        return bytes([0x90 | len(value)]) + b"".join(map(pack, value))
    if isinstance(value, str):
        text = value.encode()
        return (bytes([0xa0 | len(text)]) if len(text) < 32 else bytes([0xd9, len(text)])) + text
    if isinstance(value, bytes):
        return bytes([0xc4, len(value)]) + value
    if -32 <= value < 128:
        return struct.pack("b", value)
    for code, form in ((0xcc, "B"), (0xcd, ">H"), (0xce, ">I"), (0xcf, ">Q")):
        if 0 <= value < 1 << 8 * struct.calcsize(form):
            return bytes([code]) + struct.pack(form, value)
    raise ValueError(value)


def unpack(data, at=0):
    """A value and where the next one begins."""
    code = data[at]
    at += 1
    if code < 0x80 or code >= 0xe0:
        return struct.unpack("b", bytes([code]))[0], at
    if code & 0xf0 == 0x90:
        values = []
        for _ in range(code & 15):
            value, at = unpack(data, at)
            values.append(value)
        return values, at
    if code & 0xe0 == 0xa0 or code in (0xd9, 0xc4):
        length = code & 31 if code & 0xe0 == 0xa0 else data[at]
        at += 0 if code & 0xe0 == 0xa0 else 1
        raw = data[at:at + length]
        return raw if code == 0xc4 else raw.decode(), at + length
    form = {0xcc: "B", 0xcd: ">H", 0xce: ">I", 0xcf: ">Q", 0xd0: "b", 0xd1: ">h", 0xd2: ">i"}[code]
    return struct.unpack_from(form, data, at)[0], at + struct.calcsize(form)


def frame(kind, values):
    body = pack(values)
    return struct.pack(">BI", kind, len(body)) + body


def receive(sock, count):
    data = b""
    while len(data) < count:
        more = sock.recv(count - len(data))
        if not more:
            raise EOFError("closed after %d of %d bytes" % (len(data), count))
        data += more
    return data


def receive_frame(sock):
    kind, length = struct.unpack(">BI", receive(sock, 5))
    body = receive(sock, length)
    values, end = unpack(body)
    assert end == length, "bytes after the end"
    return kind, values


def endpoint(key, device, qpn, fields=6):
    handle = [0, qpn, 1, [0], [GID, bytes(6)]]
    return [key, [HOST_MEMORY, HOST_MEMORY], device, handle, 0, 0][:fields]


def ask(address, data, cuts=()):
    """One question on a connection of its own, sent in pieces; the server must close after its answer."""
    with socket.create_connection(address, timeout=20) as sock:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        start = 0
        for cut in list(cuts) + [len(data)]:
            sock.sendall(data[start:cut])
            start = cut
            time.sleep(0 if cut == len(data) else 0.005)
        kind, values = receive_frame(sock)
        assert sock.recv(1) == b"", "the connection is still open"
        return kind, values


def initiator(key, host, port, their_key, memory, size):
    address = host, int(port)
    memory, size = int(memory), int(size)
    request = frame(REG_ENDPOINT, endpoint(key, 0, 77))
    numbers = []
    for data, cuts in ((request, ()), (request, (1, 5)), (request, range(1, len(request))),
                       (frame(REG_ENDPOINT, endpoint(key, 0, 78, 5)), ()), (frame(REG_ENDPOINT, endpoint(key, 0, 79, 4)), ())):
        kind, (name, topology, device, handle, rank, rail) = ask(address, data, cuts)
        assert kind == REG_ENDPOINT and name == their_key and topology == [HOST_MEMORY, HOST_MEMORY], (kind, name, topology)
        psn, qpn, port_id, (lid,), (gid, mac) = handle
        assert (psn, port_id, lid, rank, rail) == (0, 1, 0, 0, device) and len(gid) == 16 and len(mac) == 6, handle
        numbers.append(qpn)
    assert len(set(numbers)) == len(numbers), "each question gets a queue pair of its own"
    print(numbers[0])

    def region(wanted_device, wanted):
        values = [their_key, wanted_device, wanted, [0, 0, 0, 0]]
        kind, answer = ask(address, frame(ASK_REGION, values))
        assert kind == ASK_REGION and answer[:3] == values[:3], answer
        return answer[3]
    start, _, rkey, length = region(device, memory)
    assert rkey != 0 and length == size, (rkey, length)
    for wrong in ((device, memory ^ 1), (device + 1, memory), (1 << 20, memory), (-1, memory)):
        assert region(*wrong) == [0, 0, 0, 0], wrong
    print(start)


def serve(sock, key, memory, size):
    with sock:
        kind, values = receive_frame(sock)
        if kind == REG_ENDPOINT:
            print("endpoint", values[0], values[1], values[2], values[3][0], values[4:], flush=True)
            answer = endpoint(key, 3, 4242)
        else:
            print("region", values[0], values[1], values[2], values[3], flush=True)
            known = values[1] == 3 and values[2] == memory
            answer = values[:3] + [[1 << 46, 5, 6, size] if known else [0, 0, 0, 0]]
        for one in struct.unpack("%dc" % len(frame(kind, answer)), frame(kind, answer)):
            sock.sendall(one)


def pass_on(sock, key, address, their_key):
    with sock:
        kind, values = receive_frame(sock)
        if kind == ASK_REGION:
            values[0] = their_key
        kind, values = ask(address, frame(kind, values))
        sock.sendall(frame(kind, [key] + values[1:]))


def listen(answer):
    server = socket.create_server(("127.0.0.1", 0))
    print(server.getsockname()[1], flush=True)
    def accept():
        while True:
            answer(server.accept()[0])
    threading.Thread(target=accept, daemon=True).start()
    sys.stdin.read()


def target(key, memory, size):
    listen(lambda sock: serve(sock, key, int(memory), int(size)))


def front(key, host, port, their_key):
    listen(lambda sock: pass_on(sock, key, (host, int(port)), their_key))


if __name__ == "__main__":
    {"initiator": initiator, "target": target, "front": front}[sys.argv[1]](*sys.argv[2:])
