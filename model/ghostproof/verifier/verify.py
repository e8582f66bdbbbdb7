"""Verifies a certificate bundle: `python verify.py DIR`. It shares no code with ghostproof.

The model of a turn stands below once more. With the bundled paths of the passes it makes the transition system, which
must be the bundled one; with the invariant that makes initiation, consecution and safety, which must be the bundled
scripts, and which z3 and cvc5 must refute. The pruner's own functions are run, on a tool of this file, at solver-chosen
points of every path and around every boundary. Exit codes: 0 verified, 1 rejected, 2 nothing to verify, 3 no answer.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import importlib
import json
import operator
import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product, zip_longest
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

(VERIFIED, REJECTED, NOTHING_THERE, NO_ANSWER), SCHEMA_VERSION, SOLVER_MS, POINTS_MAX = range(4), 3, 60_000, 6_000
Term = bool | int | str | tuple[Any, ...]  # a constant, the name of a variable, or an operator with its arguments
Values = dict[str, Any]


class Ended(Exception):
    """The bundle is not verified: the exit code, and the reason."""


def demand(holds: object, otherwise: str, code: int = REJECTED) -> None:
    """End unless it holds."""
    if not holds:
        raise Ended(code, otherwise)


OPERATORS: dict[str, Callable[..., Any]] = {"and": lambda *parts: all(parts), "or": lambda *parts: any(parts)}
OPERATORS |= {"not": operator.not_, "=": operator.eq, "<=": operator.le, ">": operator.gt, "*": operator.mul}
OPERATORS |= {"+": lambda *parts: sum(parts), "ite": lambda test, then, otherwise: then if test else otherwise}


def parse(text: str) -> Term:
    """The term at the start of a text. Lenient: a bundled text must also be what `render` makes of the term."""
    lists: list[list[Any]] = [[]]
    for bracket, quoted, plain in re.findall(r"([()])|\|([^|]*)\||([^\s()|]+)", text):
        if bracket == "(":
            lists.append([])
        elif bracket:
            head, *rest = lists.pop()
            lists[-1].append(-rest[0] if head == "-" else (head, *rest))
        else:
            known = int(plain) if plain.isdigit() else {"true": True, "false": False}.get(plain, plain)
            lists[-1].append(known if plain else quoted)
        if lists[0]:
            break
    term: Term = lists[0][0]
    return term


def render(term: Term) -> str:
    """The text of a term."""
    if isinstance(term, tuple):
        return f"({term[0]} {' '.join(map(render, term[1:]))})"
    if isinstance(term, bool | str):
        return f"|{term}|" if isinstance(term, str) else str(term).lower()
    return str(term) if term >= 0 else f"(- {-term})"


def evaluate(term: Term, values: Mapping[str, Any]) -> Any:
    """The value of a term."""
    if isinstance(term, tuple):
        return OPERATORS[term[0]](*[evaluate(part, values) for part in term[1:]])
    return values[term] if isinstance(term, str) else term


FIXED: Values = {"mutation": False, "pinned": False, "schema_tokens": 1, "argument_tokens": 1, "tombstone_tokens": 1}
START: Values = {"schema_shown": True, "schema_lossy": False, "calls_resident": 0, "tombstone_resident": False}
START |= {"calls_before_tombstone": 0, "requested": False, "schema_current": True, "arguments_current": True}
START |= {"registered": True, "idle_turns": 0, "calls": 0, "called": False, "rebuilt": False, "rejected": False}
START |= {"recovering": False, "duplicated": False, "evidence_resident": False, "emptied": False, "truncated": False}
SEEN, UNMARKED = "(and schema_shown (not schema_lossy))", "tombstone_resident: false; calls_before_tombstone: 0"
GHOST = f"(and (> calls_resident 0) (not {SEEN}) (not tombstone_resident))"
NOTHING = f"(not (or (> calls_resident 0) {SEEN} tombstone_resident))"
SHOWN = f"schema_shown: true; schema_lossy: false; schema_current: true; evidence_resident: false; {UNMARKED}"
DONE = "rejected: false; duplicated: (and recovering mutation)"
COSTS = {"schema_tokens": "(ite schema_shown schema_tokens 0)", "argument_tokens": "(* calls_resident argument_tokens)"}
COSTS |= {"tombstone_tokens": "(ite tombstone_resident tombstone_tokens 0)"}
COSTS |= {"tombstone_demand_tokens": f"(ite (or tombstone_resident {GHOST}) tombstone_tokens 0)"}
NUMBERS = [*COSTS, "rest_tokens", "schema_budget", "argument_budget", "total_budget"]


def actions(text: str) -> dict[str, tuple[Term, dict[str, Term]]]:
    """The actions of a table whose rows are: name | guard | field: value; field: value."""
    rows = [row.split("|") for row in text.strip().splitlines()]
    pairs = {name: [change.split(":") for change in changes.split(";") if ":" in change] for name, _, changes in rows}
    return {n.strip(): (parse(guard), {f.strip(): parse(v) for f, v in pairs[n]}) for n, guard, _ in rows}


ENVIRONMENT = actions(f"""
idle | true |
schema migrates | registered | arguments_current: false
schema migrates behind a cache | registered | arguments_current: false; schema_current: false
tool vanishes | registered | registered: false; schema_shown: false; schema_lossy: false
tool returns | (not registered) | registered: true; {SHOWN}
arguments appear | true | calls_resident: (+ calls_resident 1); arguments_current: false; truncated: false
tombstone is lost | tombstone_resident | {UNMARKED}
schema is shown lossily | registered | schema_shown: true; schema_lossy: true; {UNMARKED}
""")
RESPONSE = actions(f"""
silent | true |
call | {SEEN} | called: true; rebuilt: false
request schema | (and tombstone_resident (not {SEEN})) | requested: true
rebuild a call from a ghost | {GHOST} | called: true; rebuilt: true
ask for a ghost | {GHOST} | requested: true
ask | {NOTHING} | requested: true
call blind | {NOTHING} | called: true; rebuilt: false
recover by sibling | (and {SEEN} others.rejected) | called: true; recovering: true; rebuilt: others.rebuilt
call despite the tombstone | (and tombstone_resident (> calls_resident 0) (not {SEEN})) | called: true; rebuilt: true
""")
EXECUTION = actions(f"""
no execution | (not called) | rejected: false
accept | (and called registered (ite {SEEN} schema_current arguments_current)) | {DONE}
reject | (and called (or (not registered) (not {SEEN}) (not schema_current))) | rejected: true
execute unvalidated | (and called registered (not {SEEN})) | {DONE}
""")
BETWEEN = actions("""
last response settles | true | calls_resident: (ite called (+ calls_resident 1) calls_resident);\
 calls: (ite called (+ calls 1) calls); idle_turns: (ite called 0 (+ idle_turns 1)); called: false;\
 arguments_current: (ite called (not rejected) arguments_current); truncated: (and truncated (not called))
request is sent | true | requested: false; recovering: false
""")
METHODS = actions(f"""
show_schema | true | {SHOWN}
reveal_schema | true | {SHOWN.replace("resident: false", "resident: true", 1)}
evict_evidence | evidence_resident | evidence_resident: false; schema_shown: false; schema_lossy: false
show_schema_lossily | true | schema_shown: true; schema_lossy: true; {UNMARKED}
hide_schema | true | schema_shown: false; schema_lossy: false
evict_call | (> calls_resident 0) | calls_resident: (+ calls_resident (- 1));\
 calls_before_tombstone: (ite (> calls_before_tombstone 0) (+ calls_before_tombstone (- 1)) calls_before_tombstone)
truncate_calls | (> calls_resident 0) | truncated: true
evict_all_calls | true | calls_resident: 0; calls_before_tombstone: 0
tombstoned = True | (not tombstone_resident) | tombstone_resident: true; calls_before_tombstone: calls_resident
tombstoned = False | true | {UNMARKED}
""")
METHODS["empty_call"] = (METHODS["evict_call"][0], METHODS["evict_call"][1] | {"emptied": True})
READS = {"schema_resident": parse(SEEN), "ghost": parse(GHOST), "arguments_resident": parse("(> calls_resident 0)")}
READS |= {"tombstoned": parse("tombstone_resident"), "history_tokens": parse("(+ argument_tokens tombstone_tokens)")}
READS |= {"tombstone_is_oldest": parse("(and tombstone_resident (= calls_before_tombstone 0))")}
READS |= {"prompt_tokens": parse("(+ schema_tokens argument_tokens tombstone_tokens rest_tokens)")}
READS |= {"demand_tokens": parse("(+ schema_tokens argument_tokens tombstone_demand_tokens rest_tokens)")}
# The environment actions that a scenario admits, and the answers of the model that it excludes.
SCENARIOS = {"everything": (tuple(ENVIRONMENT), ()), "ordinary": (("idle", "schema migrates"), ("call blind",))}
ENVIRONMENT["schema is revealed"] = (parse("(and registered (not schema_shown))"), METHODS["reveal_schema"][1])
ENVIRONMENT |= {"discovery evidence is lost": METHODS["evict_evidence"], "arguments are emptied": METHODS["empty_call"]}
ENVIRONMENT["arguments are truncated"] = (parse("(and (> calls_resident 0) (not truncated))"), {"truncated": True})
SCENARIOS["history"] = (tuple(ENVIRONMENT), ())
ABOUT = {"no_ghost": parse("(> calls_resident 0)"), "no_mutation_ghost": parse("(and mutation (> calls_resident 0))")}
PROPERTIES = {name: ("and", about, parse(GHOST)) for name, about in ABOUT.items()}
HIDDEN, SPEAKS = "a pass hides a schema", "a request has a tool that the property is about"


class Record(SimpleNamespace):
    """In the child, which runs the pruner's own functions: a tool, or a turn's numbers, as a pass sees it."""

    def __getattr__(self, name: str) -> Any:
        return (lambda: self._change(name)) if name in METHODS else evaluate(READS[name], vars(self))

    def __setattr__(self, name: str, value: Any) -> None:
        demand(name not in FIXED | START, f"it writes to `{name}` of a tool, which only the tool's methods do")
        self._change(f"tombstoned = {bool(value)}") if name == "tombstoned" else vars(self).update({name: value})

    def _change(self, name: str) -> None:
        guard, updates = METHODS[name]
        if evaluate(guard, vars(self)):
            self.__dict__.update({field: evaluate(value, vars(self)) for field, value in updates.items()})


def load(target: str) -> tuple[Any, dict[str, bytes]]:
    """A pruner, and its sources: all that loading it loads, except libraries and ghostproof."""
    place, _, name = target.rpartition(":")
    before = set(sys.modules)
    if place.endswith(".py"):
        home = ModuleType(os.path.basename(place))
        home.__file__, sys.modules[home.__name__] = os.path.abspath(place), home
        sys.path.insert(0, os.path.dirname(home.__file__))
        exec(compile(Path(place).read_bytes(), home.__file__, "exec"), vars(home))
    else:
        home = importlib.import_module(place)
    thing: Any = operator.attrgetter(name)(home)
    library = tuple(sysconfig.get_paths()[kind] for kind in ("stdlib", "platstdlib", "purelib", "platlib"))
    files = {name: getattr(sys.modules[name], "__file__", None) or "" for name in {*sys.modules} - before}
    own = {name for name, file in files.items() if file.endswith(".py") and not file.startswith(library)}
    own = {name for name in own if name.partition(".")[0] != "ghostproof"} | {home.__name__}
    return thing() if isinstance(thing, type) else thing, {name: Path(files[name]).read_bytes() for name in sorted(own)}


def child(target: str) -> int:
    """Answer the message on standard input: what the pruner is, and what its passes do at the given points."""
    points, reply = json.load(sys.stdin), os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what the pruner prints reaches nobody
    pruner, sources = load(target)
    told: Values = {"name": pruner.name, "memory": dict(pruner.memory), "visits": []}
    told["passes"] = [[item.name, item.until is not None] for item in pruner.passes]
    told["sources"] = {name: hashlib.sha256(source).hexdigest() for name, source in sources.items()}
    nodes = [node for source in sources.values() for node in ast.walk(ast.parse(source))]
    told["numbers"] = [node.value for node in nodes if isinstance(node, ast.Constant) and type(node.value) is int]
    for item, wanted in zip(pruner.passes, points, strict=False):
        tools = [(Record(**fields), Record(**numbers)) for fields, numbers in wanted]
        results = [(item.order(t), item.until and item.until(n), item.visit(t, n), vars(t)) for t, n in tools]
        told["visits"].append([result[2:] for result in results])  # order and condition run too: they change nothing
    print(json.dumps(told), file=reply, flush=True)
    return VERIFIED


def ask(target: str, points: Sequence[Any], seconds: float) -> Any:
    """What the child answers."""
    place, where = Path(target.rpartition(":")[0]), "--pruner path.py:NAME says where it is now"
    demand(place.suffix != ".py" or place.is_file(), f"there is no {place} here; {where}", NOTHING_THERE)
    command = [sys.executable, os.path.abspath(__file__), "--child", target]
    done = subprocess.run(command, input=json.dumps(points), capture_output=True, text=True, timeout=seconds)
    last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1] + ("" if points else f"; {where}")
    demand(not done.returncode, f"the pruner {target} does not run: {last}", REJECTED if points else NOTHING_THERE)
    return json.loads(done.stdout)


def model_of(text: str) -> Values | None:
    """z3's model of a script, or None when there is none."""
    import z3

    solver = z3.SimpleSolver(ctx=z3.Context())
    solver.set("timeout", SOLVER_MS)
    solver.from_string(text)
    answer = solver.check()
    demand(answer != z3.unknown, f"z3 gives no answer: {solver.reason_unknown()}", NO_ANSWER)
    if answer == z3.unsat:
        return None
    found = solver.model()
    return {d.name(): found[d].as_long() if z3.is_int_value(found[d]) else z3.is_true(found[d]) for d in found.decls()}


def refute(text: str, otherwise: str) -> None:
    """End unless both solvers find the script unsatisfiable."""
    import cvc5

    demand(model_of(text) is None, otherwise)
    solver = cvc5.Solver()
    solver.setOption("tlimit-per", str(SOLVER_MS))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text.removesuffix("(check-sat)\n"), "script")
    while not (command := parser.nextCommand()).isNull():
        said = str(command.invoke(solver, parser.getSymbolManager()))
        demand("error" not in said, f"cvc5 refuses a script: {said.strip()[:200]}")
    answer = solver.checkSat()
    demand(not answer.isUnknown(), f"cvc5 gives no answer: {answer}", NO_ANSWER)
    demand(answer.isUnsat(), otherwise)


def script(sorts: Mapping[str, str], *assertions: Term, title: str = "a question of the verifier") -> str:
    """A self-contained script."""
    lines = [f"; {title}", "(set-logic QF_LIA)", *(f"(declare-const |{n}| {sort})" for n, sort in sorts.items())]
    return "\n".join([*lines, *(f"(assert {render(term)})" for term in assertions), "(check-sat)", ""])


def read(folder: Path) -> tuple[Values, Values]:
    """The manifest and the files it lists, JSON ones as data. Digests come first: before them nothing is believed."""
    files = {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    other = f"{folder} is no certificate bundle, which has a manifest.json; name what `ghostproof certify -o` wrote"
    demand({"manifest.json", "manifest.sha256"} <= {*files}, other, NOTHING_THERE)
    seal, sealed = files.pop("manifest.sha256"), f"{digests['manifest.json']}  manifest.json\n"
    demand(seal == sealed.encode(), "manifest.json is not what manifest.sha256 says")
    listed = json.loads(files["manifest.json"])["files"] | {"manifest.json": digests["manifest.json"]}
    for name in sorted({*files, *listed}):
        demand(name in files, f"{name} is missing")
        demand(digests[name] == listed.get(name), f"{name} is not what the manifest says")
    data: Values = {name: content.decode() for name, content in files.items()}
    for name, text in [(name, text) for name, text in data.items() if name.endswith(".json")]:
        data[name] = json.loads(text)
        demand(json.dumps(data[name], indent=1) + "\n" == text, f"{name} is not in the one form of JSON used here")
    return data.pop("manifest.json"), data


def merged(paths: Sequence[tuple[Term, dict[str, Term]]]) -> dict[str, Term]:
    """What a visit does to its tool: on each path what the path assigns."""
    updates: dict[str, Term] = {field: field for _, assigned in paths for field in assigned}
    for test, assigned in paths:
        updates = {name: ("ite", test, assigned.get(name, name), value) for name, value in updates.items()}
    return updates


class Bundle:
    """The terms of a bundle, and what has to be true of them."""

    def __init__(self, manifest: Values, files: Values) -> None:
        self.manifest, self.files, self.system = manifest, files, files["system.json"]
        self.passes, self.memory = files["passes.json"]["passes"], files["passes.json"]["memory"]
        names = [item["name"] for item in self.passes if not re.fullmatch(r"[ -\[\]-{}~]+", item["name"])]
        names += [name for name in self.memory if not name.isidentifier() or not name.isascii()]
        names += {"true", "false", *OPERATORS, *FIXED, *START} & {*self.memory}
        demand(not names, f"names that could be taken for something else: {names}")
        self.begins = {**START, **self.memory}
        self.state = {n: "Bool" if isinstance(v, bool) else "Int" for n, v in {**FIXED, **self.begins}.items()}
        demand(self.system["variables"] == self.state, "system: its variables are not a tool's under this pruner")
        numbers = {f"turn.{name}": "Int" for name in NUMBERS}
        self.sorts = {**self.state, **numbers, "others.rejected": "Bool", "others.rebuilt": "Bool"}
        self.paths = [[self.path(path) for path in item["paths"]] for item in self.passes]
        self.updates = [merged(paths) for paths in self.paths]
        self.invariant = {place: self.term(text, self.state) for place, text in files["invariant.json"].items()}
        self.commands: list[Any] = [
            (item["name"], item["source"], item["target"], self.term(item["guard"]), self.assigned(item["updates"]))
            for item in self.system["commands"]
        ]

    def term(self, text: str, names: Iterable[str] | None = None) -> Term:
        """A bundled term, which may speak of `names` only."""
        foreign = {*re.findall(r"\|([^|]*)\|", text)} - {*(names or self.sorts)}
        demand(not foreign, f"{text[:80]!r} may not speak of {', '.join(sorted(foreign))}")
        demand(render(parse(text)) == text, f"{text[:80]!r} is not in the one form of terms used here")
        return parse(text)

    def assigned(self, texts: Mapping[str, str]) -> dict[str, Term]:
        """What a path or a command assigns; only to fields of a tool."""
        demand({*texts} <= {*self.state}, f"{', '.join(texts)}: not all of these are fields of a tool")
        return {field: self.term(text) for field, text in texts.items()}

    def path(self, path: Values) -> tuple[Term, dict[str, Term]]:
        """The condition of a path, and what it assigns."""
        tests = [self.term(test) if outcome else ("not", self.term(test)) for test, outcome in path["tests"]]
        return ("and", True, *tests), self.assigned(path["assigned"])

    def derived(self) -> Iterator[Any]:
        """The commands that there must be. Whether a budget condition holds is open at each of its tests."""
        environment, without = SCENARIOS[self.manifest["scenario"]]
        places = [f"pass {number} {item['name']}" for number, item in enumerate(self.passes, 1)] + ["prompt"]
        yield "last response settles", "settle", "environment", *BETWEEN["last response settles"]
        yield from ((name, "environment", places[0], *ENVIRONMENT[name]) for name in environment)
        for item, updates, here, there in zip(self.passes, self.updates, places, places[1:], strict=False):
            name, same = item["name"], ("and", True, *[("=", field, value) for field, value in updates.items()])
            visits = (f"{name} visits", here, here if item["conditional"] else there, True, updates)
            fits: Any = (f"{name} ends: fits", here, there, True, {})
            stuck: Any = (f"{name} ends: a round changed nothing", here, there, same, {})
            yield from (fits, visits, stuck) if item["conditional"] else (visits,)
        yield "request is sent", "prompt", "response", *BETWEEN["request is sent"]
        yield from ((name, "response", "execution", *RESPONSE[name]) for name in RESPONSE if name not in without)
        yield from ((name, "execution", "settle", *EXECUTION[name]) for name in EXECUTION)

    def check_system(self) -> None:
        """The bundled system is the derived one, and it can start; of a pass's paths one applies to each visit."""
        demand((self.system["start"], self.system["judged"]) == ("environment", "prompt"), "system: judged elsewhere")
        pairs: Any = zip_longest(self.derived(), self.commands, fillvalue=["nothing"])
        for mine, its in pairs:
            demand(mine[:3] == its[:3], f"system: there must be {mine[0]!r} where there is {its[0]!r}")
            moves = [("=", mine[4].get(n, n), its[4].get(n, n)) for n in mine[4] | its[4]]
            differs: Any = ("or", ("not", ("=", mine[3], its[3])), ("and", mine[3], ("not", ("and", True, *moves))))
            refute(script(self.sorts, differs), f"system: {mine[0]!r} is not what the model and the paths say")
        sizes = [("<=", least, name) for name, least in FIXED.items() if not isinstance(least, bool)]
        self.starts = ("and", *sizes, *(("=", name, value) for name, value in self.begins.items()))
        for what, right in (("initial", self.starts), ("bad", PROPERTIES[self.manifest["property"]])):
            differs = ("not", ("=", right, self.term(self.system[what], self.state)))
            refute(script(self.sorts, differs), f"system: {what!r} is not what the model says")
        for item, paths in zip(self.passes, self.paths, strict=True):
            count = ("+", 0, *(("ite", test, 1, 0) for test, _ in paths))
            refute(script(self.sorts, ("not", ("=", count, 1))), f"pass {item['name']}: not one path for each visit")

    def check_obligations(self) -> None:
        """Initiation, consecution and safety follow from the bundle, are its scripts, and hold."""
        inv = {place: self.invariant.get(place, True) for command in self.commands for place in command[1:3]}
        demand({*self.invariant} <= {*inv}, "the invariant speaks of a place that is not there")
        starts, bad, here = self.term(self.system["initial"]), self.term(self.system["bad"]), inv["environment"]
        made = {"obligations/initiation.smt2": script(self.sorts, starts, ("not", here), title="initiation")}
        for number, (name, source, target, guard, updates) in enumerate(self.commands, 1):
            sorts = self.sorts | {f"{field} after": self.state[field] for field in updates}
            steps = [("=", f"{field} after", value) for field, value in updates.items()]
            kept = re.sub(rf"\|({'|'.join(updates)})\|", r"|\1 after|", render(inv[target]))
            asserted = (inv[source], guard, *steps, ("not", parse(kept)))
            title = f"consecution: {name}, from {source} to {target}"
            made[f"obligations/consecution-{number:02}.smt2"] = script(sorts, *asserted, title=title)
        made["obligations/safety.smt2"] = script(self.sorts, inv["prompt"], bad, title="safety")
        spelled = [f"at {place}: {text.replace('|', '')}\n" for place, text in self.files["invariant.json"].items()]
        wanted = {**made, "invariant.txt": "".join(spelled)}
        for name in sorted({*wanted, *(name for name in self.files if not name.endswith(".json"))}):
            demand(self.files.get(name) == wanted.get(name), f"{name} is not what follows from system and invariant")
        for name, text in made.items():
            refute(text, f"{name}: the invariant does not hold up")

    def points(self, paths: Sequence[tuple[Term, dict[str, Term]]], numbers: Sequence[int]) -> list[Values]:
        """Solver-chosen points of every path and boundary, and all around them; `numbers` are those in the sources."""
        sorts = {**self.state, **{f"turn.{name}": "Int" for name in NUMBERS}}
        least = {name: FIXED.get(name, 0) if sort == "Int" else False for name, sort in sorts.items()}
        sizes: list[Term] = [("<=", bound, name) for name, bound in least.items() if sorts[name] == "Int"]
        domain = [*sizes, ("<=", "calls_before_tombstone", "calls_resident")]
        chosen: list[Values] = []
        for test, assigned in paths:
            text = render(("and", test, *assigned.values()))
            sides = dict.fromkeys(parse(text[found.end() :]) for found in re.finditer(r"\(<?= ", text))
            edges: list[Term] = [True, *(("=", side, number) for side in sides for number in (-1, 0, 1))]
            for model in [model_of(script(sorts, *domain, test, edge)) for edge in edges]:
                chosen += [] if model is None else [{name: model.get(name, low) for name, low in least.items()}]
        pool = sorted({number + step for number in (0, 1, *numbers) for step in (-1, 0, 1)})
        values = {name: pool if sort == "Int" else [False, True] for name, sort in sorts.items()}
        moves = [(point, name, value) for point, name in product(chosen, sorts) for value in values[name]]
        near = [{**point, name: value} for point, name, value in moves[:: len(moves) // POINTS_MAX + 1]]
        return [point for point in chosen + near if evaluate(("and", *domain), point)]

    def check_pruner(self, target: str, seconds: float) -> int:
        """The pruner's own functions do what the bundled paths and commands say; at how many points they were run."""
        told, its = ask(target, [], seconds), self.manifest["pruner"]
        changed = dict(told["sources"].items() ^ its["sources"].items())
        demand(not changed, f"the pruner is not the certified one: {', '.join(sorted(changed))} changed")
        made = [its["name"], self.memory, [[item["name"], item["conditional"]] for item in self.passes]]
        same = json.dumps(made) == json.dumps([told["name"], told["memory"], told["passes"]])
        demand(same, "the pruner has another name, memory or passes than the bundle")
        points = [self.points(paths, told["numbers"]) for paths in self.paths]
        parts = [(self.state, ""), (NUMBERS, "turn.")]
        split = [[[{n: p[kind + n] for n in names} for names, kind in parts] for p in some] for some in points]
        visits = ask(target, split, seconds)["visits"]
        for item, updates, some, results in zip(self.passes, self.updates, points, visits, strict=True):
            for point, did in zip(some, results, strict=True):
                does = [None, {name: evaluate(updates.get(name, name), point) for name in self.state}]
                same = json.dumps(did, sort_keys=True) == json.dumps(does, sort_keys=True)
                demand(same, f"pass {item['name']}: the pruner does {did}, the bundle says {does}, at {point}")
        return sum(map(len, points))

    def check_witnesses(self) -> list[str]:
        """The witnesses are sessions in the turn's order, and show what must happen. What they do not show."""
        commands, shown, about = {item[0]: item for item in self.commands}, set[str](), ABOUT[self.manifest["property"]]
        for witness in self.files["witnesses.json"]:
            tools = [{**fixed, **self.begins} for fixed in witness["tools"]]
            demand(all(evaluate(self.starts, tool) for tool in tools), "witnesses.json: no session starts like this")
            where, taken, last = ["environment" for _ in tools], set[int](), tools  # taken: schemas, and by a pass
            for request in witness["requests"]:
                for name, at in request["steps"]:
                    _, source, target, guard, updates = commands[name]
                    demand(where[at] == source and {*where} <= {source, target}, f"witnesses.json: {name} out of turn")
                    taken, last = (set(), [*tools]) if {*where} == {"prompt"} else (taken, last)
                    others = [tool["rebuilt"] for i, tool in enumerate(last) if i != at and tool["rejected"]]
                    sums = {f"turn.{n}": sum(evaluate(parse(cost), t) for t in tools) for n, cost in COSTS.items()}
                    sums |= {"others.rejected": bool(others), "others.rebuilt": any(others)}
                    before = {**{n: max(v, 0) for n, v in request["turn"].items()}, **sums, **tools[at]}
                    demand(evaluate(guard, before), f"witnesses.json: {name!r} cannot happen where it does")
                    after = tools[at] | {field: evaluate(value, before) for field, value in updates.items()}
                    was, now = (evaluate(READS["schema_resident"], tool) for tool in (before, after))
                    taken = taken - {at} if now else taken | {at} if was and source.startswith("pass ") else taken
                    tools[at], where[at], shown = after, target, shown | {name}
                demand({*where} == {"prompt"} and tools == request["tools"], "witnesses.json: its steps lead elsewhere")
                speaks = any(evaluate(about, tool) for tool in tools)
                shown |= {name for name, seen in ((HIDDEN, taken), (SPEAKS, speaks)) if seen}
        for wanted in (HIDDEN, SPEAKS):
            demand(wanted in shown, f"witnesses.json: no session in which {wanted}")
        return sorted(name for name in {*commands} - shown if " ends: " not in name)


def verify(folder: Path, target: str | None, seconds: float) -> str:
    """Check everything, and say what was found."""
    manifest, files = read(folder)
    demand(manifest["schema_version"] == SCHEMA_VERSION, "the bundle is of another version", NOTHING_THERE)
    its, asked = manifest["pruner"]["target"], (manifest["property"], manifest["scenario"])
    line = f"ghostproof certify {its} -o DIR --property {asked[0]} --scenario {asked[1]}"
    mine = ("Proved", line, "schema_version verdict property scenario pruner versions reproduce files")
    demand((manifest["verdict"], manifest["reproduce"], " ".join(manifest)) == mine, "the manifest claims otherwise")
    bundle = Bundle(manifest, files)
    points = bundle.check_pruner(target or its, seconds)
    bundle.check_system()
    bundle.check_obligations()
    absent, count = ", ".join(bundle.check_witnesses()), len(bundle.commands)
    return f"""{its}: {asked[0]}, for any tools, turns, budgets and sizes; admitted: {asked[1]}
proved again: {count + 2} obligations from {count} commands, by z3 and cvc5; in no witness: {absent or "nothing"}
tested, not proved: that the bundled paths are the pruner's own, at {points:,} points"""


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description="Verify a certificate bundle of ghostproof.")
    parser.add_argument("folder", metavar="DIR", type=Path)
    parser.add_argument("--pruner", metavar="TARGET", help="where the pruner is, if not where it was: path.py:NAME")
    parser.add_argument("--deadline", metavar="SECONDS", type=float, default=20.0, help="for the pruner's code")
    arguments, code, told = parser.parse_args(), VERIFIED, ["verified", "rejected", "nothing to verify", "no answer"]
    try:
        reason = verify(arguments.folder, arguments.pruner, arguments.deadline)
    except Ended as ended:
        code, reason = ended.args
    except subprocess.TimeoutExpired as late:
        code, reason = NO_ANSWER, f"the pruner takes longer than {late.timeout:g} seconds; --deadline allows it more"
    except Exception as error:  # whatever a bundle can do to this program, it is not verified by it
        code, reason = REJECTED, f"the bundle is malformed: {type(error).__name__}: {error}"
    for line in f"{told[code]}: {reason}"[:2000].splitlines():
        (sys.stderr if code == NOTHING_THERE else sys.stdout).write(ascii(line)[1:-1] + "\n")
    return code


if __name__ == "__main__":
    sys.setrecursionlimit(20_000)
    sys.exit(child(sys.argv[2]) if sys.argv[1:2] == ["--child"] else main())
