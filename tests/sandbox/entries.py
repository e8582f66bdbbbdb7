"""Entries that the sandbox tests run in a child: one that answers, and one for each way of not answering."""

import ctypes
import os
import signal
import sys
import threading
import time

Message = dict[str, object]
state = {"asked": 0}


def echo(message: Message) -> Message:
    state["asked"] += 1
    return {"message": message, "asked": state["asked"]}


def large(message: Message) -> Message:
    """A reply of more bytes than a pipe holds."""
    return {"text": "x" * 1_000_000}


def loud(message: Message) -> Message:
    size = message["size"]
    assert isinstance(size, int)
    print("x" * size)  # noqa: T201
    os.write(1, b"raw out\n")
    os.write(2, b"raw err\n")
    sys.stdout.flush()
    return {"printed": size}


def reader(message: Message) -> Message:
    return {"stdin": sys.stdin.read()}


def misbehave(message: Message) -> Message:
    how = str(message["how"])
    match how:
        case "raises":
            raise KeyError("severity")
        case "exits":
            sys.exit(3)
        case "builtin exit":
            exit(3)
        case "interrupts":
            raise KeyboardInterrupt
        case "dies":
            os._exit(7)
        case "crashes":
            ctypes.string_at(0)
        case "is killed":
            os.kill(os.getpid(), signal.SIGKILL)
        case "eats memory":
            return {"size": len(bytearray(10**10))}
        case "recurses":
            return misbehave(message) | misbehave(message)
        case "hangs":
            while True:
                time.sleep(0.01)
        case "stops":
            os.kill(os.getpid(), signal.SIGSTOP)
        case "writes to the protocol":
            for descriptor in range(3, 12):
                try:
                    os.write(descriptor, b"nonsense\n")
                except OSError:
                    continue
        case "closes everything":
            os.closerange(3, 64)
        case "mutes itself":
            os.closerange(1, 3)
        case "leaves a thread":
            threading.Thread(target=time.sleep, args=(60,)).start()
        case "leaves a process":
            if (pid := os.fork()) == 0:
                time.sleep(60)
            return {"pid": pid}
        case "answers twice":
            return {"pid": os.fork()}
    return {"how": how}


def modules(message: Message) -> Message:
    return {"modules": sorted(sys.modules)}
