#!/usr/bin/env python3
"""A rank of the original's kind: pyzmq for control messages, msgpack for descriptors, HTTP for the registry, and MORI-IO's TCP
protocol v3 (v3peer.py) for the bytes. Knows nothing of what Weft adds.

    kvpeer.py decode|prefill JSON      JSON: registry, room, tp, rank, act; see the two functions at the end

Prints one JSON line per event; the last one has "event": "result".
"""
import json, os, struct, sys, threading, time, urllib.error, urllib.parse, urllib.request

import msgpack, zmq

import v3peer

GUARD = b"MoriMsgGuard"
SOURCE, DESTINATION, SOURCE_ROW, DESTINATION_ROW, SEED = [1, 2, 3, 9, 11, 12], [20, 21, 4, 5, 6, 15], 1, 2, 5
PAGE, HEADS, HEAD_BYTES, PAGES, LAYERS, AUX, ROWS, CELL = 4, 8, 32, 24, 2, [64, 128, 64], 6, 2


def tell(event, **fields):
    print(json.dumps(dict(event=event, **fields)), flush=True)


def pattern(kind, layer, page, token, unit, byte):
    """The documented function of logical coordinates."""
    h = (SEED * 0x9E3779B1 + kind * 0x85EBCA6B + layer * 0xC2B2AE35 + page * 0x27D4EB2F
         + token * 0x165667B1 + unit * 0xD3A2646C + byte * 0xFD7046C5) & 0xFFFFFFFF
    h ^= h >> 15
    h = h * 0x2C1B3C6D & 0xFFFFFFFF
    return (h ^ h >> 12) & 0xFF


def page_bytes(tp, rank, buffer, page):
    """What a rank's page holds: token by token its share of the heads."""
    kind, layer = divmod(buffer, LAYERS)
    heads = range(rank * HEADS // tp, (rank + 1) * HEADS // tp)
    return bytes(pattern(kind, layer, page, token, head, b)
                 for token in range(PAGE) for head in heads for b in range(HEAD_BYTES))


def aux_bytes(buffer, row, room):
    data = bytearray(pattern(100, buffer, row, 0, 0, b) for b in range(AUX[buffer]))
    if buffer == CELL:
        data[:8] = struct.pack("<Q", room)
    return bytes(data)


class Memories(v3peer.Target):
    """The TCP peer with several regions, by id, for several initiators: operation ids are unique per initiator only."""

    def __init__(self, key, sizes):
        super().__init__(key, 1)
        self.regions = {i: bytearray(size) for i, size in enumerate(sizes)}

    def greet(self, sock):
        try:
            channel, initiator = v3peer.receive_hello(sock)
            sock.sendall(v3peer.hello(channel, self.key))
            serve = self.serve_writes if channel == v3peer.CONTROL else self.serve_payloads
            serve(sock, initiator)
        except (EOFError, OSError):
            sock.close()

    def serve_payloads(self, sock, initiator):
        while True:
            _, lane, operation, length = v3peer.receive_data_header(sock)
            payload = v3peer.receive(sock, length)
            with self.lock:
                self.lanes[(initiator, operation), lane] = payload
                self.lock.notify_all()

    def serve_writes(self, sock, initiator):
        while True:
            kind, body = v3peer.receive_control(sock)
            operation, memory, segments, lanes = v3peer.parse_request(kind, body)
            assert kind in (v3peer.WRITE, v3peer.BATCH_WRITE)
            stream = self.collect((initiator, operation), lanes)
            region = self.regions.get(memory)
            good = region is not None and all(o + s <= len(region) for o, s in segments)
            if good:
                v3peer.scatter(region, segments, stream)
            sock.sendall(v3peer.completion(operation, v3peer.OK if good else v3peer.INVALID))


class Control:
    """PULL and PUSH sockets of a rank."""

    def __init__(self):
        self.context = zmq.Context()
        self.pull = self.context.socket(zmq.PULL)
        self.port = self.pull.bind_to_random_port("tcp://127.0.0.1")
        self.push = {}

    def send(self, host, port, frames):
        if (host, port) not in self.push:
            self.push[host, port] = self.context.socket(zmq.PUSH)
            self.push[host, port].connect("tcp://%s:%d" % (host, port))
        self.push[host, port].send_multipart(frames)

    def receive(self, seconds=60):
        if not self.pull.poll(seconds * 1000):
            sys.exit("kvpeer: no message for %d s" % seconds)
        return self.pull.recv_multipart()


def http(method, registry, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request("http://%s%s" % (registry, path), data, {"Content-Type": "application/json"},
                                     method=method)
    with urllib.request.urlopen(request, timeout=5) as answer:
        return answer.read()


def until_ready(call):
    for _ in range(60):
        try:
            return call()
        except urllib.error.HTTPError as not_yet:
            if not_yet.code not in (404, 503):
                raise
        time.sleep(0.5)
    sys.exit("kvpeer: the registry is not ready")


def route(registry, dp, cp, tp, pp):
    query = urllib.parse.urlencode(dict(prefill_dp_rank=dp, prefill_cp_rank=cp, target_tp_rank=tp, target_pp_rank=pp))
    return until_ready(lambda: json.loads(http("GET", registry, "/route?" + query)))


def memory_descriptor(key, number, size):
    return msgpack.packb([key, number, -1, "", 0, size, 1, bytes(64), -1, 0, bytes(64), -1, "", 0, 0])


def decode(registry, room, tp, rank, act):
    """act: receive, or abort once the prefill ranks know the room. Checks every byte and prints what each prefill rank said."""
    shape = route(registry, -1, -1, -1, -1)
    prefill_tp = shape["attn_tp_size"]
    assert shape["page_size"] == PAGE, shape
    many = max(1, prefill_tp // tp)
    targets = range(rank * many, rank * many + many) if prefill_tp > tp else [rank * prefill_tp // tp]
    item = PAGE * HEADS // tp * HEAD_BYTES
    key = "io-decode-python-%d-%d" % (rank, os.getpid())
    sizes = [PAGES * item] * (2 * LAYERS)
    memories = Memories(key, sizes)
    threading.Thread(target=memories.serve, daemon=True).start()
    aux = [bytearray(ROWS * length) for length in AUX]
    control = Control()
    ranks = [route(registry, 0, 0, target, 0) for target in targets]
    engine = msgpack.packb([key, "python", "python", "127.0.0.1", memories.server.getsockname()[1], os.getpid()])
    kv = msgpack.packb([memory_descriptor(key, i, size) for i, size in enumerate(sizes)])
    rows = msgpack.packb([memory_descriptor(key, 100 + i, len(a)) for i, a in enumerate(aux)])
    number = lambda n: str(n).encode()
    for there in ranks:
        where = there["rank_ip"], there["rank_port"]
        control.send(*where, [GUARD, b"None", b"127.0.0.1", number(control.port), engine, kv, rows, b"", b"0", number(tp),
                              number(rank), number(item), b"", b""])
        control.send(*where, [GUARD, number(room), b"127.0.0.1", number(control.port), key.encode(),
                              struct.pack("<6i", *DESTINATION), number(DESTINATION_ROW), b"",
                              number(max(1, tp // prefill_tp)), b""])
    tell("sent")
    if act == "abort":
        sys.stdin.readline()
        for there in ranks:
            control.send(there["rank_ip"], there["rank_port"], [b"ABORT", number(room), b"127.0.0.1", number(control.port)])
        tell("result", status="aborted")
        sys.stdin.readline()
        return
    succeeded = set()
    while len(succeeded) < len(ranks):
        frames = control.receive()
        if frames[0] == b"AUX_DATA":
            assert len(frames) == 6 and int(frames[1]) == room, frames
            buffer, row = int(frames[2]), int(frames[3])
            assert struct.unpack(">I", frames[4])[0] == len(frames[5]) == AUX[buffer]
            aux[buffer][row * AUX[buffer]:(row + 1) * AUX[buffer]] = frames[5]
            continue
        assert len(frames) == 5 and frames[0] == GUARD and int(frames[1]) == room, frames
        if int(frames[2]) != 4:
            return tell("result", status="failed", reason=frames[4].decode(), rank=int(frames[3]))
        succeeded.add(int(frames[3]))
    wrong = []
    for buffer in range(2 * LAYERS):
        expected = bytearray(sizes[buffer])
        for source, destination in zip(SOURCE, DESTINATION):
            expected[destination * item:(destination + 1) * item] = page_bytes(tp, rank, buffer, source)
        if expected != memories.regions[buffer]:
            wrong.append("kv %d" % buffer)
    for buffer, length in enumerate(AUX):
        expected = bytearray(ROWS * length)
        expected[DESTINATION_ROW * length:(DESTINATION_ROW + 1) * length] = aux_bytes(buffer, SOURCE_ROW, room)
        if expected != aux[buffer]:
            wrong.append("aux %d" % buffer)
    tell("result", status="success", wrong=wrong)


def prefill(registry, room, tp, rank, act):
    """act: send, fail instead of sending, or wait for an abort. Serves one room of one decode rank."""
    control = Control()
    http("PUT", registry, "/route", dict(
        attn_tp_size=tp, attn_tp_rank=rank, attn_cp_size=1, attn_cp_rank=0, attn_dp_size=1, attn_dp_rank=0, pp_size=1,
        pp_rank=0, system_dp_size=1, system_dp_rank=0, rank_ip="127.0.0.1", rank_port=control.port, page_size=PAGE,
        kv_cache_dtype="auto", load_balance_method="follow_bootstrap_room", enable_dsa_cache_layer_split=False,
        prefill_http_port=0))
    tell("registered")
    registration = control.receive()
    assert registration[:2] == [GUARD, b"None"] and len(registration) >= 14, registration
    metadata = control.receive()
    assert metadata[0] == GUARD and int(metadata[1]) == room and len(metadata) >= 10, metadata
    where = metadata[2].decode(), int(metadata[3])
    number = lambda n: str(n).encode()
    status = lambda code, reason: control.send(*where, [GUARD, number(room), number(code), number(rank), reason])
    if act == "fail":
        status(0, b"KV transfer failed: python said no")
        return tell("result", status="failed")
    if act == "wait":
        tell("known")
        frames = control.receive()
        return tell("result", status="aborted", frames=[f.decode("latin1") for f in frames[:4]])
    key, _, _, host, port, _ = msgpack.unpackb(registration[4])[:6]
    kv = [msgpack.unpackb(d) for d in msgpack.unpackb(registration[5])]
    decode_tp, decode_rank, there = int(registration[9]), int(registration[10]), int(registration[11])
    pages = struct.unpack("<%di" % (len(metadata[5]) // 4), metadata[5])
    here, mine, theirs = PAGE * HEADS // tp * HEAD_BYTES, HEADS // tp, HEADS // decode_tp
    first, last = max(rank * mine, decode_rank * theirs), min((rank + 1) * mine, (decode_rank + 1) * theirs)
    peer = v3peer.Initiator("io-prefill-python-%d-%d" % (rank, os.getpid()), host, port, key, connections=2)
    for buffer in range(2 * LAYERS):
        segments, stream = [], b""
        for source, destination in zip(SOURCE, pages):
            page = page_bytes(tp, rank, buffer, source)
            for token in range(PAGE):
                start = (token * mine + first - rank * mine) * HEAD_BYTES
                stream += page[start:start + (last - first) * HEAD_BYTES]
                segments.append((destination * there + (token * theirs + first - decode_rank * theirs) * HEAD_BYTES,
                                 (last - first) * HEAD_BYTES))
        code = peer.write(buffer, kv[buffer][1], segments, stream)
        assert code == v3peer.OK, code
    for buffer, length in enumerate(AUX):
        data = aux_bytes(buffer, SOURCE_ROW, room)
        control.send(*where, [b"AUX_DATA", number(room), number(buffer), metadata[6], struct.pack(">I", length), data])
    status(4, b"")
    tell("result", status="success")
    sys.stdin.readline()
    peer.close()


if __name__ == "__main__":
    arguments = json.loads(sys.argv[2])
    {"decode": decode, "prefill": prefill}[sys.argv[1]](**arguments)
