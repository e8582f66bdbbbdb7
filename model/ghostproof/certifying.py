"""`ghostproof certify` and `ghostproof verify`: a proof as a directory, and the program that checks it.

The verifier runs as a program of its own, here as anywhere: nothing of ghostproof is loaded into it but what the pruner
itself imports. A bundle is written only when it verifies.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ghostproof import output
from ghostproof.checking import Asked
from ghostproof.interrupt import interruptible
from ghostproof.report import check_text, verdict_words
from ghostproof.report.printable import printable
from ghostproof.turn.errors import InternalError, PrunerError
from ghostproof.turn.property import PROPERTIES
from ghostproof.turn.scenario import SCENARIOS
from ghostproof.turn.trace import Trace
from ghostproof.turn.verdict import InvalidPruner, Verdict, exit_code

if TYPE_CHECKING:
    from ghostproof.certify.bundle import Certified
    from ghostproof.engines.problem import Bounds
    from ghostproof.host.foreign import ForeignHost
    from ghostproof.host.problem import PrunerProblem

VERIFIER = Path(__file__).with_name("verifier") / "verify.py"
FIRST_FILE = "manifest.json"
NO_CERTIFICATE = 3
VERIFIER_CODES = (0, 1, 2, 3)


class NotADirectoryForBundlesError(output.WrongUsageError):
    """What stands there is not a bundle, and is left alone."""


def certify(asked: Asked, directory: str, verbose: bool) -> int:
    """Check a pruner model, write a bundle if it is proved, and return the exit code of the answer."""
    place = Path(directory)
    _may_be_replaced(place)
    started = time.perf_counter()
    verdict: Verdict
    with output.progress() as say, interruptible():
        try:
            verdict, found = _proved(asked, say)
            if not isinstance(found, str):
                say("verifying the certificate")
                _write(found, place, asked.deadline)
        except PrunerError as refused:
            verdict, found = refused.verdict, "the pruner cannot be checked"
    code = exit_code(verdict)
    if isinstance(verdict, InvalidPruner):
        output.complain([f"ghostproof: invalid pruner: {verdict_words.invalid(verdict)}"])
        return code
    judged, seconds = PROPERTIES[asked.property_name], time.perf_counter() - started
    checked = check_text.Checked(asked.target, judged, SCENARIOS[asked.scenario].name, verdict, code, seconds)
    output.write(check_text.lines(checked, output.story, verbose))
    if isinstance(found, str):
        output.write([f"no certificate: {printable(found)}"])
        return code or NO_CERTIFICATE
    output.write([f"certificate written to {printable(directory)}"])
    return code


def verify(directory: str, target: str | None, seconds: float) -> int:
    """Run the stand-alone verifier and return its exit code."""
    where = ["--pruner", target] if target is not None else []
    done = _verifier([*where, "--deadline", f"{seconds:g}", "--", directory])
    output.write(done.stdout.splitlines())
    output.complain(done.stderr.splitlines())
    if done.returncode not in VERIFIER_CODES:
        raise InternalError(f"the verifier ended with {done.returncode}")
    return done.returncode


def handle(message: Mapping[str, Any]) -> dict[str, Any]:
    """The child's side: the digest of every module that loading the pruner loads, libraries and ghostproof aside."""
    from ghostproof.sandbox.load import load

    place = message["target"].rpartition(":")[0]
    before = set(sys.modules)
    load(message["target"])
    own = {f"checked_{os.path.basename(place).removesuffix('.py')}": os.path.basename(place)}
    home = next(iter(own)) if place.endswith(".py") else place
    paths = sysconfig.get_paths()
    library = tuple(paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib"))
    found = {}
    for name in {*sys.modules} - before | {home}:
        file = getattr(sys.modules[name], "__file__", None) or ""
        ours = name.partition(".")[0] == "ghostproof"
        if name == home or (file.endswith(".py") and not file.startswith(library) and not ours):
            found[own.get(name, name)] = hashlib.sha256(Path(file).read_bytes()).hexdigest()
    return {"sources": found}


def _may_be_replaced(place: Path) -> None:
    """Refuse a place that holds anything but an earlier bundle, before anything is computed."""
    if place.exists() and not place.is_dir():
        raise NotADirectoryForBundlesError(f"{place} is a file; name a directory")
    if place.is_dir() and any(place.iterdir()) and not (place / FIRST_FILE).is_file():
        raise NotADirectoryForBundlesError(f"{place} holds something else than a certificate; name another directory")
    parent = next(folder for folder in place.absolute().parents if folder.exists())
    written = place if place.exists() else parent
    if not os.access(written, os.W_OK):
        raise NotADirectoryForBundlesError(f"{place} cannot be written: {written} may not be written; name another")


def _proved(asked: Asked, say: Callable[[str], None]) -> tuple[Verdict, Certified | str]:
    """The verdict, and all that its bundle holds, or why there is none."""
    from ghostproof.certify.bundle import Certified, with_open_conditions
    from ghostproof.certify.bundle_text import NotBundledError
    from ghostproof.engines.induction import prove_in_one_turn, prove_system
    from ghostproof.engines.problem import Bounds, Certificate
    from ghostproof.examine import examine
    from ghostproof.host.foreign import ForeignHost
    from ghostproof.host.problem import PrunerProblem
    from ghostproof.turn.explore import Grid
    from ghostproof.turn.verdict import Proved

    scenario, judged = SCENARIOS[asked.scenario], PROPERTIES[asked.property_name]
    bounds = Bounds(turns=asked.turns, tools=asked.tools)
    with ForeignHost(asked.target, seconds=asked.deadline, megabytes=asked.memory) as host:
        verdict = examine(host, scenario, judged, bounds, note=say)
        if not isinstance(verdict, Proved):
            return verdict, "there is no proof to certify"
        say("certificate")
        problem = PrunerProblem(host, scenario, judged, Grid(), bounds.limits)
        try:
            system = with_open_conditions(problem.system, host.lifted.sorts)
        except NotBundledError as reason:
            return verdict, str(reason)
        found = prove_in_one_turn(system, bounds) or prove_system(system, bounds)
        if not isinstance(found, Certificate):
            return verdict, "the proof needs what budget conditions tell each other, which certificates do not carry"
        witnesses = _witnesses(problem, host, bounds)
    certified = Certified(
        target=asked.target,
        pruner=host.lifted,
        judged=judged,
        scenario=asked.scenario,
        system=system,
        invariant=found.invariant,
        witnesses=witnesses,
        sources=_sources(asked),
        versions=_versions(),
    )
    return verdict, certified


def _sources(asked: Asked) -> dict[str, str]:
    """Module names and digests, found where nothing but the pruner is loaded."""
    from ghostproof.sandbox.process import Sandbox

    with Sandbox(f"{__name__}:handle", seconds=asked.deadline, megabytes=asked.memory, name=asked.target) as child:
        reply: Any = child.ask({"target": asked.target})
    return dict(reply["sources"])


def _witnesses(problem: PrunerProblem, host: ForeignHost, bounds: Bounds) -> list[Trace]:
    """Played sessions, each once, for as much as can be shown of what a proof needs and of what may happen."""
    from ghostproof.certify import vacuity
    from ghostproof.witnessing import everything

    passes = [item.name for item in host.lifted.passes]
    found: list[Trace] = []
    unrolled: dict[int, Any] = {}
    for witness in everything(passes, problem.scenario, problem.judged, bounds.limits):
        if any(witness.seen(trace) for trace in found):
            continue
        try:
            trace = vacuity.find(witness, problem, bounds.limits, unrolled, whole=True)
        except vacuity.Unsettled:
            trace = None
        # The verifier says what no witness shows; without the needed ones there would be no proof to certify.
        trace = trace or next((trace for trace in problem.wandered if witness.seen(trace)), None)
        found += [trace] if trace is not None else []
    return found


def _versions() -> dict[str, str]:
    from importlib import metadata

    found = {}
    for name in ("ghostproof", "z3-solver", "cvc5"):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "a checkout that is not installed"
    return found


def _write(certified: Certified, place: Path, seconds: float) -> None:
    """Write the bundle beside its place, have it verified there, and only then put it where it belongs."""
    from ghostproof.certify.bundle import files

    beside = place.absolute().parent
    beside.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".certificate-", dir=beside) as folder:
        made = Path(folder) / "made"
        for name, text in files(certified).items():
            (made / name).parent.mkdir(parents=True, exist_ok=True)
            (made / name).write_text(text, encoding="utf-8", newline="\n")
        done = _verifier([str(made), "--deadline", f"{max(seconds, 20.0):g}"])
        if done.returncode:
            raise InternalError(f"our own certificate does not verify: {(done.stdout + done.stderr).strip()}")
        if place.exists():
            os.rename(place, Path(folder) / "before")
        os.rename(made, place)


def _verifier(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(place for place in sys.path if isinstance(place, str))
    command = [sys.executable, str(VERIFIER), *arguments]
    return subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False)
