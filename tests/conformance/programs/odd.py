"""Programs that break the protocol rather than a rule: `python odd.py HOW`."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from conformance.programs.right import Arbiter

HOW = sys.argv[1]


def say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def answer(message: dict[str, Any]) -> str:
    case = Arbiter(message["case"])
    found = case.judge() if message["kind"] == "judge" else case.answer()
    return json.dumps({"type": "answer", "id": message["id"], **found}) + "\n"


def main() -> None:
    before = ""
    for number, line in enumerate(sys.stdin):
        message = json.loads(line)
        if message["type"] == "hello":
            hello: dict[str, object] = {
                "type": "hello",
                "protocol": 9 if HOW == "protocol" else 1,
                "name": "odd \x1b[31m",
                "version": "1",
            }
            hello["capabilities"] = ["magic"] if HOW == "capability" else []
            say(json.dumps(hello) + "\n")
            continue
        right = answer(message)
        if HOW == "hang":
            time.sleep(60)
        elif HOW == "hang at the third" and number == 3:
            sys.stderr.write("stuck \x1b[2J here\n")
            sys.stderr.flush()
            time.sleep(60)
        elif HOW == "flood":
            while True:
                say("x" * 65536)
        elif HOW == "junk":
            say("\x1b[2Jnot json\n")
        elif HOW == "number":
            say("17\n")
        elif HOW == "crash":
            sys.stderr.write("Traceback: out of luck\n")
            os._exit(3)
        elif HOW == "abort":
            os.abort()
        elif HOW == "late order":
            say(before or right)
            before = right
        elif HOW == "twice":
            say(right + right)
        elif HOW == "skip":
            say(json.dumps({"type": "skip", "id": message["id"], "reason": "not today"}) + "\n")
        elif HOW == "silent skip":
            say(json.dumps({"type": "skip", "id": message["id"], "reason": " "}) + "\n")
        else:
            say(right)


main()
