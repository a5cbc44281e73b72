#!/usr/bin/env python3
"""A plain peer for MORI-IO's TCP protocol v3, in both roles, with nothing but Python's standard library.

    v3peer.py target    KEY SIZE                       serves one region of SIZE bytes as memory 7; see Target.commands
    v3peer.py initiator KEY HOST PORT THEIR_KEY MEMORY SIZE SEED
                                                       writes, reads back and compares in every way the protocol allows

It is meant to be read: docs/tcp.md of Weft explains the protocol along this file.
"""
import hashlib, random, socket, struct, sys, threading

CONTROL, DATA = 1, 2                                            # channels of a HELLO
HELLO, WRITE, READ, BATCH_WRITE, BATCH_READ, COMPLETION = range(1, 7)
WRITE_PAYLOAD, READ_PAYLOAD = 1, 2
OK, INVALID, NOT_FOUND = 0, 11, 12


def receive(sock, count):
    """Exactly count bytes, or EOFError."""
    chunks = bytearray()
    while len(chunks) < count:
        more = sock.recv(min(count - len(chunks), 1 << 20))
        if not more:
            raise EOFError("connection closed")
        chunks += more
    return bytes(chunks)


def control_frame(kind, body):
    return struct.pack(">4sHBBI", b"MTC0", 3, kind, 0, len(body)) + body


def receive_control(sock):
    magic, version, kind, _, length = struct.unpack(">4sHBBI", receive(sock, 12))
    assert magic == b"MTC0" and version == 3 and length <= 1 << 20, (magic, version, length)
    return kind, receive(sock, length)


def hello(channel, key):
    return control_frame(HELLO, struct.pack(">BI", channel, len(key)) + key.encode())


def receive_hello(sock):
    kind, body = receive_control(sock)
    channel, length = struct.unpack_from(">BI", body)
    assert kind == HELLO and len(body) == 5 + length, kind
    return channel, body[5:].decode()


def request(kind, operation, memory, segments, lanes):
    if kind in (WRITE, READ):
        (offset, size), = segments
        return control_frame(kind, struct.pack(">QIQQB", operation, memory, offset, size, lanes))
    table = b"".join(struct.pack(">QQ", *segment) for segment in segments)
    return control_frame(kind, struct.pack(">QII", operation, memory, len(segments)) + table + bytes([lanes]))


def parse_request(kind, body):
    if kind in (WRITE, READ):
        operation, memory, offset, size, lanes = struct.unpack(">QIQQB", body)
        return operation, memory, [(offset, size)], lanes
    operation, memory, count = struct.unpack_from(">QII", body)
    assert count > 0 and len(body) == 17 + 16 * count
    return operation, memory, list(struct.iter_unpack(">QQ", body[16:-1])), body[-1]


def completion(operation, status, text=""):
    return control_frame(COMPLETION, struct.pack(">QII", operation, status, len(text)) + text.encode())


def data_header(kind, lane, operation, length):
    return struct.pack(">4sHBBQQ", b"MTD0", 3, kind, lane, operation, length)


def receive_data_header(sock):
    magic, version, kind, lane, operation, length = struct.unpack(">4sHBBQQ", receive(sock, 24))
    assert magic == b"MTD0" and version == 3 and lane < 16
    return kind, lane, operation, length


def share(total, lanes, lane):
    """First byte and length of one lane's part of the segments laid end to end."""
    each, more = divmod(total, lanes)
    return lane * each + min(lane, more), each + (lane < more)


def gather(memory, segments):
    return b"".join(memory[offset:offset + size] for offset, size in segments)


def scatter(memory, segments, stream):
    at = 0
    for offset, size in segments:
        memory[offset:offset + size] = stream[at:at + size]
        at += size


class Target:
    """Accepts connections and serves requests on one region."""

    def __init__(self, key, size):
        self.key, self.memory = key, bytearray(size)
        self.lock = threading.Condition()
        self.control, self.data, self.lanes = None, [], {}      # lanes: (operation, lane) -> bytes
        self.types, self.next = [], 0
        self.server = socket.create_server(("127.0.0.1", 0))

    def serve(self):
        while True:
            sock, _ = self.server.accept()
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self.greet, args=(sock,), daemon=True).start()

    def greet(self, sock):
        try:
            channel, _ = receive_hello(sock)
            sock.sendall(hello(channel, self.key))
            with self.lock:
                if channel == CONTROL:
                    self.control = sock
                else:
                    self.data.append(sock)
                self.lock.notify_all()
            (self.serve_control if channel == CONTROL else self.serve_data)(sock)
        except (EOFError, OSError):
            sock.close()

    def serve_data(self, sock):
        while True:
            kind, lane, operation, length = receive_data_header(sock)
            payload = receive(sock, length)
            with self.lock:
                self.lanes[operation, lane] = payload
                self.lock.notify_all()

    def serve_control(self, sock):
        while True:
            kind, body = receive_control(sock)
            operation, memory, segments, lanes = parse_request(kind, body)
            self.types.append(kind)
            good = memory == 7 and all(offset + size <= len(self.memory) for offset, size in segments)
            if kind in (WRITE, BATCH_WRITE):
                stream = self.collect(operation, lanes)         # a refused write is swallowed, too
                if good:
                    scatter(self.memory, segments, stream)
                sock.sendall(completion(operation, OK) if good
                             else completion(operation, INVALID, "TCP: invalid write request"))
            elif good:
                stream = gather(self.memory, segments)
                for lane in range(lanes):
                    start, length = share(len(stream), lanes, lane)
                    self.next += 1
                    self.data[self.next % len(self.data)].sendall(
                        data_header(READ_PAYLOAD, lane, operation, length) + stream[start:start + length])
                sock.sendall(completion(operation, OK))
            else:
                sock.sendall(completion(operation, NOT_FOUND, "TCP: invalid read request"))

    def collect(self, operation, lanes):
        with self.lock:
            self.lock.wait_for(lambda: all((operation, lane) in self.lanes for lane in range(lanes)))
            return b"".join(self.lanes.pop((operation, lane)) for lane in range(lanes))

    def commands(self):
        """Lines on standard input: 'sum' prints the region's SHA-256, 'types' the request types so far."""
        print(self.server.getsockname()[1], flush=True)
        for line in sys.stdin:
            if line.strip() == "sum":
                print(hashlib.sha256(self.memory).hexdigest(), flush=True)
            elif line.strip() == "types":
                print(",".join(map(str, self.types)), flush=True)


class Initiator:
    """One control and some data connections, with blocking calls."""

    def __init__(self, key, host, port, their_key, connections):
        self.data = []
        for channel in [DATA] * connections + [CONTROL]:        # any order is allowed
            sock = socket.create_connection((host, port))
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            sock.settimeout(20)
            sock.sendall(hello(channel, key))
            assert receive_hello(sock) == (channel, their_key)
            if channel == CONTROL:
                self.control = sock
            else:
                self.data.append(sock)

    def close(self):
        for sock in self.data + [self.control]:
            sock.close()

    def await_completion(self, operation):
        kind, body = receive_control(self.control)
        done, status, length = struct.unpack_from(">QII", body)
        assert kind == COMPLETION and done == operation and len(body) == 16 + length, (kind, done)
        return status

    def write(self, operation, memory, segments, stream, lanes=1, data_first=False, batch=None):
        kind = BATCH_WRITE if (len(segments) > 1 if batch is None else batch) else WRITE
        frame = request(kind, operation, memory, segments, lanes)
        if not data_first:
            self.control.sendall(frame)
        for lane in reversed(range(lanes)):                     # any order, any connection
            start, length = share(len(stream), lanes, lane)
            self.data[lane % len(self.data)].sendall(
                data_header(WRITE_PAYLOAD, lane, operation, length) + stream[start:start + length])
            if data_first and lane == lanes - 1:
                self.control.sendall(frame)
        return self.await_completion(operation)

    def read(self, operation, memory, segments, lanes=1):
        kind = BATCH_READ if len(segments) > 1 else READ
        total = sum(size for _, size in segments)
        self.control.sendall(request(kind, operation, memory, segments, lanes))
        parts, threads = {}, []

        def take(sock):
            sock.settimeout(1)
            try:
                while len(parts) < lanes:
                    kind, lane, of, length = receive_data_header(sock)
                    assert kind == READ_PAYLOAD and of == operation and length == share(total, lanes, lane)[1]
                    parts[lane] = receive(sock, length)
            except TimeoutError:
                pass                                            # the other connections had it all

        status = self.await_completion(operation)
        if status == OK:
            for sock in self.data:
                threads.append(threading.Thread(target=take, args=(sock,)))
                threads[-1].start()
            for thread in threads:
                thread.join()
            assert len(parts) == lanes, sorted(parts)
        return status, b"".join(parts[lane] for lane in sorted(parts))


def exercise(key, host, port, their_key, memory, size, seed):
    """Everything an initiator may do, byte checked against a model of the target's region."""
    rng = random.Random(seed)
    model = bytearray(size)
    peer = Initiator(key, host, port, their_key, connections=3)
    operation = 0

    def put(segments, lanes, data_first=False, batch=None):
        nonlocal operation
        operation += 1
        stream = rng.randbytes(sum(length for _, length in segments))
        status = peer.write(operation, memory, segments, stream, lanes, data_first, batch)
        assert status == OK, status
        scatter(model, segments, stream)

    put([(0, size)], lanes=1)
    put([(5, 1)], lanes=1)
    put([(3, 1001)], lanes=8)                                   # unequal shares
    put([(0, 3)], lanes=8)                                      # five lanes are empty
    put([(10, 0)], lanes=1)                                     # nothing at all
    put([(7, 4096)], lanes=4, data_first=True)                  # data overtakes its request
    put([(size - 70000, 70000)], lanes=16)
    put([(i * 4, 3) for i in range(65534)], lanes=2)            # the longest batch
    put([(100, 10), (50, 0), (20, 30)], lanes=1)                # a batch may hold an empty segment
    put([(60, 600)], lanes=1, batch=True)                       # and may be of one
    for _ in range(100):
        slots = rng.sample(range(size // 1000), rng.randint(1, 40))
        put([(slot * 1000 + rng.randint(0, 99), rng.randint(1, 900)) for slot in slots], rng.choice([1, 1, 2, 8]))
    status, stream = peer.read(2 ** 64 - 1, memory, [(0, size)])  # ids are all of 64 bits
    assert status == OK and stream == model
    for lanes in (1, 2, 8, 16):
        segments = [(rng.randint(0, size - 5000), rng.randint(1, 5000)) for _ in range(50)]
        operation += 1
        status, stream = peer.read(operation, memory, segments, lanes)
        assert status == OK and stream == gather(model, segments)
    assert peer.write(operation + 1, memory, [(size - 1, 2)], b"xx") == INVALID
    assert peer.write(operation + 2, memory + 1, [(0, 2)], b"xx", lanes=2) == INVALID
    assert peer.read(operation + 3, memory, [(size, 1)])[0] == NOT_FOUND
    assert peer.read(operation + 4, memory, [(0, 1), (size, 1)])[0] == INVALID
    assert peer.read(operation + 5, memory + 1, [(0, 1)])[0] == NOT_FOUND
    status, stream = peer.read(operation + 6, memory, [(0, size)], lanes=8)
    assert status == OK and stream == model                     # refusals cost nothing
    peer.close()
    print(hashlib.sha256(model).hexdigest())


if __name__ == "__main__":
    role, key = sys.argv[1:3]
    if role == "target":
        target = Target(key, int(sys.argv[3]))
        threading.Thread(target=target.serve, daemon=True).start()
        target.commands()
    else:
        exercise(key, sys.argv[3], int(sys.argv[4]), sys.argv[5], *map(int, sys.argv[6:9]))
