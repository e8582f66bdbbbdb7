"""A child that answers, one that prints, and one for each way in which foreign code can fail."""

import os
import time

import pytest

from ghostproof.sandbox.process import PRINTED_LIMIT, Sandbox
from ghostproof.turn.errors import InternalError, PrunerError
from ghostproof.turn.place import shown_path

HERE = os.path.dirname(os.path.abspath(__file__))
ENTRIES = os.path.join(HERE, "entries.py")


@pytest.fixture(autouse=True)
def _entries_importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(HERE)


def sandbox(entry: str, seconds: float = 5.0, megabytes: int = 1000) -> Sandbox:
    return Sandbox(f"entries:{entry}", seconds=seconds, megabytes=megabytes)


def refusal(how: str, **limits: float) -> str:
    """The one line that `misbehave` earns, with the place of the entry file shortened."""
    with sandbox("misbehave", seconds=limits.get("seconds", 5.0)) as box:
        box.grace = 0.2
        box.ask({"how": "nothing"}, seconds=5.0)
        with pytest.raises(PrunerError) as caught:
            box.ask({"how": how})
    line = str(caught.value)
    assert "\n" not in line
    return line.replace(shown_path(ENTRIES), "FILE")


def descriptors() -> set[str]:
    return set(os.listdir("/proc/self/fd"))


def test_several_messages_reach_one_process_which_keeps_its_state() -> None:
    with sandbox("echo") as box:
        assert box.ask({"a": [1, "ü\n"]}) == {"message": {"a": [1, "ü\n"]}, "asked": 1}
        assert box.ask({})["asked"] == 2


def test_send_and_receive_come_apart_and_carry_more_than_a_pipe_holds() -> None:
    big = {"text": "x" * 3_000_000}
    with sandbox("echo") as box:
        box.send(big)
        assert box.receive()["message"] == big


def test_prints_are_kept_apart_from_the_protocol_and_bounded() -> None:
    with sandbox("loud") as box:
        assert box.ask({"size": 5}) == {"printed": 5}
        assert sorted(box.printed.split()) == ["err", "out", "raw", "raw", "xxxxx"]
        box.ask({"size": 1_000_000})
        assert len(box.printed) < PRINTED_LIMIT + 100
        assert box.printed.endswith(f"and {1_000_000 + 17 - PRINTED_LIMIT} bytes more")
        box.ask({"size": 0})
        assert "xx" not in box.printed


def test_standard_input_is_empty() -> None:
    with sandbox("reader") as box:
        assert box.ask({}) == {"stdin": ""}


@pytest.mark.parametrize(
    ("how", "found"),
    [
        ("raises", "raised KeyError: 'severity'"),
        ("exits", "asked the interpreter to exit (3)"),
        ("builtin exit", "asked the interpreter to exit (3)"),
        ("interrupts", "raised KeyboardInterrupt"),
        ("crashes", "crashed the interpreter (SIGSEGV)"),
        ("eats memory", "needed more than 1000 MB of memory"),
        ("recurses", "recursed too deeply"),
    ],
)
def test_a_failure_is_one_line_that_starts_with_its_place(how: str, found: str) -> None:
    line = refusal(how)
    place, _, rest = line.partition(": ")
    assert place.startswith("FILE:")
    assert rest.startswith(found)


@pytest.mark.parametrize(
    ("how", "found"),
    [
        ("dies", "ended the interpreter with exit status 7"),
        ("is killed", "was killed (SIGKILL)"),
        ("closes everything", "ended the interpreter"),
        ("writes to the protocol", "closed descriptors that it does not own"),
    ],
)
def test_an_end_without_a_trace_names_the_entry(how: str, found: str) -> None:
    assert refusal(how, seconds=0.3).startswith(f"entries:misbehave: {found}")


def test_the_line_that_hangs_is_named() -> None:
    assert refusal("hangs", seconds=0.2).startswith("FILE:")
    assert "did not return within 0.2 s" in refusal("hangs", seconds=0.2)


def test_the_parent_kills_what_its_own_watchdog_cannot() -> None:
    started = time.monotonic()
    assert refusal("stops", seconds=0.1).startswith("entries:misbehave: did not return within 0.1 s")
    assert time.monotonic() - started < 2.0


def test_a_reply_that_came_in_time_may_be_fetched_late() -> None:
    with sandbox("echo", seconds=0.1) as box:
        box.ask({}, seconds=5.0)
        box.grace = 0.0
        box.send({"late": True})
        time.sleep(0.2)
        assert box.receive()["message"] == {"late": True}


def test_a_large_reply_that_was_ready_in_time_may_be_fetched_late() -> None:
    with sandbox("large", seconds=0.2) as box:
        box.ask({}, seconds=5.0)
        box.send({})
        time.sleep(0.5)
        reply = box.receive()
        assert len(str(reply["text"])) == 1_000_000


def test_a_deadline_can_be_set_for_one_message() -> None:
    with sandbox("misbehave", seconds=60.0) as box, pytest.raises(PrunerError, match=r"within 0.1 s"):
        box.ask({"how": "hangs"}, seconds=0.1)


@pytest.mark.parametrize("how", ["mutes itself", "leaves a thread"])
def test_harmless_habits_change_nothing(how: str) -> None:
    with sandbox("misbehave") as box:
        assert box.ask({"how": how}) == {"how": how}
        assert box.ask({"how": "nothing"}) == {"how": "nothing"}


def test_a_forked_copy_does_not_answer() -> None:
    with sandbox("misbehave") as box:
        copy = box.ask({"how": "answers twice"})["pid"]
        assert isinstance(copy, int)
        assert copy != 0
        assert box.ask({"how": "nothing"}) == {"how": "nothing"}
        assert ends(copy)


def test_what_the_entry_started_ends_with_the_sandbox() -> None:
    with sandbox("misbehave") as box:
        pid = box.ask({"how": "leaves a process"})["pid"]
    assert isinstance(pid, int)
    assert ends(pid)


def ends(pid: int) -> bool:
    """Whether the process is gone within half a second."""
    for _ in range(100):
        if not alive(pid):
            return True
        time.sleep(0.005)
    return False


def alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def test_nothing_is_left_behind() -> None:
    before = descriptors()
    for how in ("nothing", "dies", "hangs"):
        with sandbox("misbehave", seconds=0.1) as box:
            if how == "nothing":
                box.ask({"how": how})
            else:
                with pytest.raises(PrunerError):
                    box.ask({"how": how})
    dropped = sandbox("echo")
    del dropped
    sandbox("echo").close()
    assert descriptors() == before
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_an_ended_sandbox_says_so() -> None:
    box = sandbox("echo")
    box.close()
    box.close()
    with pytest.raises(InternalError, match="has ended"):
        box.ask({})


def test_a_missing_entry_is_our_fault() -> None:
    with sandbox("absent") as box, pytest.raises(InternalError, match="absent"):
        box.ask({})


def test_the_child_imports_little_before_the_entry() -> None:
    with sandbox("modules") as box:
        heavy = {"ghostproof.turn.verdict", "dataclasses", "inspect", "subprocess", "typing_extensions", "site"}
        loaded = box.ask({})["modules"]
    assert isinstance(loaded, list)
    assert not heavy & set(loaded)
