"""The command line. It imports click and the standard library; each command imports what it needs when it runs.

Exit codes: 0 proved as asked, 1 refuted, 2 usage or invalid input, 3 undetermined or merely bounded, 4 vacuous,
5 engines disagree, 70 an error of ghostproof, 130 interrupted, 141 the reader of the output went away.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from ghostproof.failures import INTERRUPTED, USAGE, complain, failed_with
from ghostproof.options import deadline_option, memory_option, property_option, scenario_option, writable

# How far check looks when the user does not say: for models, and for callables, whose sessions are played one by one.
# Spelled out, since importing the table of engines takes longer than the help does; a test compares the two.
STRATEGIES = ("auto", "all", "induction", "k-induction", "bmc", "explicit")
TURNS, TOOLS = 4, 3
CALLABLE_TURNS, CALLABLE_TOOLS = 3, 2

F = TypeVar("F", bound=Callable[..., Any])


class _State:
    """What the handling of errors has to know about the command line."""

    debug = False


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code. Nothing that goes wrong shows a stack without --debug."""
    if sys.stderr is None:  # closed by whoever started us
        sys.stderr = io.StringIO()
    if sys.stdout is None:
        return complain("standard output is closed: open it, or send it to /dev/null", USAGE)
    for stream in (sys.stdout, sys.stderr):
        # An output that cannot show a character gets an escape instead of a failure.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    state = _State()
    try:
        code = _flushed(command.main(arguments, prog_name="ghostproof", standalone_mode=False, obj=state))
    except (click.Abort, KeyboardInterrupt):
        return complain("interrupted", INTERRUPTED)
    except click.ClickException as wrong:
        context = getattr(wrong, "ctx", None)
        place = context.command_path if context is not None else "ghostproof"
        return complain(f"{' '.join(wrong.format_message().split())} (see {place} --help)", USAGE)
    except Exception as failed:
        return failed_with(failed, state.debug)
    return code if isinstance(code, int) else 0


def _flushed(code: object) -> object:
    """`code`, when all that was printed has reached its place."""
    from ghostproof.output import finish

    finish()
    return code


def _set_debug(context: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    context.ensure_object(_State).debug |= wanted


def _print_version(context: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if not wanted:
        return
    from importlib import metadata

    try:
        version = metadata.version("ghostproof")
    except metadata.PackageNotFoundError:
        version = "(a checkout that is not installed)"
    print(f"ghostproof {version}")
    context.exit()


def _flag(*names: str, callback: Callable[..., None], text: str) -> Callable[[F], F]:
    """A flag that acts at once and is no argument of the command."""
    return click.option(*names, is_flag=True, is_eager=True, expose_value=False, callback=callback, help=text)


debug_option = _flag("--debug", callback=_set_debug, text="Show the stack of an internal error.")
verbose_option = click.option("-v", "--verbose", is_flag=True, help="Show what the answer rests on.")


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    invoke_without_command=True,
)
@_flag("--version", callback=_print_version, text="Show the version.")
@debug_option
@click.pass_context
def command(context: click.Context) -> None:
    """Prove that a context pruner never leaves a ghost tool, or show the shortest session in which it does.

    A ghost is a tool whose earlier arguments the model still sees, while its schema has been pruned and no tombstone
    says so.

    \b
    First:  ghostproof prove                        proves the theory anew
            ghostproof prove --list                 says what is claimed, and why
    Then:   ghostproof check mine.py:PRUNER         your own pruner, written as a model
            ghostproof check --callable mine.py:f   your own pruner, the real code

    \b
    Exit codes: 0 proved as asked, 1 refuted, 2 usage or invalid input, 3 undetermined or merely
    bounded, 4 vacuous, 5 engines disagree, 70 an error of ghostproof, 130 interrupted.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
        # Nothing was asked: a script that relies on an answer must not take this for one.
        context.exit(USAGE)


@command.command(short_help="Settle the claims of the theory, and compare.")
@click.argument("claims", metavar="[CLAIM]...", nargs=-1)
@click.option("--list", "listing", is_flag=True, help="Show the theory on one page, and prove nothing.")
@click.option("--trace", is_flag=True, help="Tell the session of every refuted part.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "junit", "sarif"]),
    default="text",
    show_default=True,
)
@click.option("-o", "--output", metavar="FILE", callback=writable, help="Write the report to a file.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes that settle claims; default: one a processor.")
@verbose_option
@debug_option
@click.pass_context
def prove(
    context: click.Context,
    claims: tuple[str, ...],
    listing: bool,
    trace: bool,
    form: str,
    output: str | None,
    jobs: int | None,
    verbose: bool,
) -> int:
    """Settle the claims, all of them or those named, and compare each answer with what the theory expects.

    Some parts are expected to be refuted: they show what goes wrong without the gate or in the other order. The exit
    code is 0 if every answer is as expected, else that of the worst answer.
    """
    from ghostproof import proving

    if listing:
        for name in ("trace", "form", "output", "jobs"):
            if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
                raise click.UsageError(f"--{name if name != 'form' else 'format'} is not for --list", context)
        proving.show_theory(claims, verbose)
        return 0
    return proving.prove(
        claims, form=form, path=output, trace=trace, jobs=jobs, verbose=verbose, debug=context.obj.debug
    )


@command.command(short_help="Ask whether PRUNER can ever leave a ghost.")
@click.argument("pruner", required=False)
@click.option("--callable", "target", metavar="TARGET", help="A real pruner as it is: path.py:function.")
@property_option
@scenario_option
@click.option(
    "--engine",
    type=click.Choice(STRATEGIES),
    default="auto",
    show_default=True,
    help="Let one engine answer alone, or all and compare. explicit covers a small grid of sizes and budgets, and finds"
    " fewest requests there, not fewest tools or tokens.",
)
@click.option(
    "--turns", type=click.IntRange(min=1), help=f"Longest session; default {TURNS}, callables {CALLABLE_TURNS}."
)
@click.option("--tools", type=click.IntRange(min=1), help=f"Most tools; default {TOOLS}, callables {CALLABLE_TOOLS}.")
@click.option(
    "--explain",
    is_flag=True,
    help="Say what a proof rests on, pass by pass; or what would mend the pruner, and at which budgets it fails.",
)
@click.option("--accept-bound", is_flag=True, help="Let a bounded answer end with 0 instead of 3.")
@click.option(
    "--save",
    metavar="FILE",
    callback=writable,
    help="Write the answer, its session included, as JSON; a refuting session also as a test_..._ghost.py beside it.",
)
@click.option("--html", metavar="FILE", callback=writable, help="Write the answer, its session drawn, as one page.")
@click.option("--format", "form", type=click.Choice(["text", "json", "sarif"]), default="text", show_default=True)
@deadline_option(10.0, "For one answer of the pruner's code.")
@memory_option("For the pruner's process.")
@verbose_option
@debug_option
@click.pass_context
def check(
    context: click.Context,
    pruner: str | None,
    target: str | None,
    property_name: str,
    scenario: str,
    engine: str,
    turns: int | None,
    tools: int | None,
    explain: bool,
    accept_bound: bool,
    save: str | None,
    html: str | None,
    form: str,
    deadline: float,
    memory: int,
    verbose: bool,
) -> int:
    """Ask of PRUNER whether it can ever leave a ghost.

    PRUNER is path.py:NAME or package.module:NAME, a pruner written as a model: the answer is a proof for any number of
    tools, turns, budgets and sizes, or the shortest session that leaves a ghost. Real code, any function from a request
    to a request, is given with --callable: the answer is a session, or a bound up to which there is none.

    Pruner code runs in a process of its own, with a deadline and a memory limit.
    """
    if (pruner is None) == (target is None):
        raise click.UsageError("give one pruner: path.py:NAME, or --callable path.py:function", context)
    from ghostproof.checking import Asked, Wanted, check_callable, check_model

    wanted = Wanted(form, save, html, verbose)
    limits: dict[str, Any] = {"deadline": deadline, "memory": memory, "accept_bound": accept_bound}
    if target is not None:
        for name in ("scenario", "engine", "explain"):
            if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
                raise click.UsageError(f"--{name} is for models, not for --callable", context)
        asked = Asked(target, property_name, turns or CALLABLE_TURNS, tools or CALLABLE_TOOLS, **limits)
        return check_callable(asked, wanted)
    assert pruner is not None
    asked = Asked(
        pruner,
        property_name,
        turns or TURNS,
        tools or TOOLS,
        scenario=scenario,
        engine=engine,
        explain=explain,
        **limits,
    )
    return check_model(asked, wanted)


@command.command(short_help="Test another implementation of the gate.")
@click.argument("program", metavar="COMMAND [ARG]...", nargs=-1, required=True, type=click.UNPROCESSED)
@click.option(
    "--only",
    metavar="WORD",
    multiple=True,
    help="Ask only vectors with this id, rule (A1 to A12, J1, J2) or kind; may be given again.",
)
@click.option("--format", "form", type=click.Choice(["text", "json", "junit"]), default="text", show_default=True)
@click.option("-o", "--output", metavar="FILE", callback=writable, help="Write the report to a file.")
@deadline_option(5.0, "For one answer of the program; four times that for the first, which waits for its start.")
@memory_option("Data that the program may allocate (Linux only).")
@verbose_option
@debug_option
def conform(
    program: tuple[str, ...],
    only: tuple[str, ...],
    form: str,
    output: str | None,
    deadline: float,
    memory: int,
    verbose: bool,
) -> int:
    """Ask another implementation of the gate the questions whose answers the model knows.

    COMMAND is any program that speaks the protocol of docs/conformance-protocol.md: JSON lines on standard input and
    output. Write it after --, as in: ghostproof conform -- node mine.js

    Exit codes: 0 every required vector passes, and so does each of a capability that the program
    claims; 1 one does not; 2 there is no such program or vector.
    """
    from ghostproof.conforming import conform as ask

    return ask(program, only, form=form, path=output, deadline=deadline, memory=memory, verbose=verbose)


@command.command(short_help="Prove PRUNER, and write a certificate.")
@click.argument("pruner")
@click.option("-o", "--output", "directory", metavar="DIR", required=True, help="Where the certificate goes.")
@property_option
@scenario_option
@deadline_option(10.0, "For one answer of the pruner's code.")
@memory_option("For the pruner's process.")
@verbose_option
@debug_option
def certify(
    pruner: str, directory: str, property_name: str, scenario: str, deadline: float, memory: int, verbose: bool
) -> int:
    """Prove PRUNER and write the proof as a directory that others can check without trusting us.

    PRUNER is a model, as for check. What is not proved is answered as check answers it, and nothing is written.
    """
    from ghostproof.certifying import certify as write
    from ghostproof.checking import Asked

    asked = Asked(pruner, property_name, TURNS, TOOLS, deadline=deadline, memory=memory, scenario=scenario)
    return write(asked, directory, verbose)


@command.command(short_help="Check the certificate in DIR.")
@click.argument("directory", metavar="DIR")
@click.option("--pruner", metavar="TARGET", help="Where the pruner is, if not where it was certified.")
@deadline_option(20.0, "For the pruner's code.")
@debug_option
def verify(directory: str, pruner: str | None, deadline: float) -> int:
    """Check the certificate in DIR with a program that shares no code with ghostproof.

    It derives everything anew from the bundled system, has z3 and cvc5 refute it, and runs the pruner's own functions.

    \b
    Exit codes: 0 verified, 1 rejected, 2 no certificate or no pruner to verify, 3 a solver gave no answer.
    """
    from ghostproof.certifying import verify as run

    return run(directory, pruner, deadline)


@command.command(short_help="Write PRUNER for another checker.")
@click.argument("pruner")
@click.option(
    "--format",
    "form",
    type=click.Choice(["chc", "promela"]),
    required=True,
    help="Constrained Horn clauses (SMT-LIB), or Promela for SPIN.",
)
@click.option("-o", "--output", metavar="FILE", callback=writable, help="Write to a file instead of standard output.")
@property_option
@scenario_option
@click.option("--turns", type=click.IntRange(min=1), help=f"Promela: requests in the longest session; default {TURNS}.")
@click.option("--tools", type=click.IntRange(min=1, max=9), help="Promela: most tools; default 2.")
@click.option("--size", "sizes", type=click.IntRange(min=1), multiple=True, help="Promela: a token size; default 1.")
@click.option(
    "--budget", "budgets", type=click.IntRange(min=0), multiple=True, help="Promela: a budget; default 0 to 4, each."
)
@deadline_option(10.0, "For one answer of the pruner's code.")
@memory_option("For the pruner's process.")
@debug_option
@click.pass_context
def export(
    context: click.Context,
    pruner: str,
    form: str,
    output: str | None,
    property_name: str,
    scenario: str,
    turns: int | None,
    tools: int | None,
    sizes: tuple[int, ...],
    budgets: tuple[int, ...],
    deadline: float,
    memory: int,
) -> int:
    """Write PRUNER, a model as for check, in the language of another checker.

    chc is one tool among any number, as the engine induction proves it: any solver that reads SMT-LIB's logic HORN
    answers sat (proved) or unsat. promela is the small grid that the engine explicit enumerates: SPIN stores the same
    states, and one more before the sizes are chosen.
    """
    if form != "promela" and (turns or tools or sizes or budgets):
        raise click.UsageError("--turns, --tools, --size and --budget are for --format promela", context)
    from ghostproof.checking import Asked
    from ghostproof.exporting import Small
    from ghostproof.exporting import export as write

    limits: dict[str, Any] = {"deadline": deadline, "memory": memory, "scenario": scenario}
    asked = Asked(pruner, property_name, turns or TURNS, tools or 2, **limits)
    return write(asked, form, Small(sizes, budgets), output)


@command.command(short_help="Play the incident, with and without the gate.")
@click.option("--save", metavar="DIR", help="Write both sessions there, as OpenAI chat requests and responses.")
@debug_option
def demo(save: str | None) -> int:
    """Play the incident that the theory begins with, without the gate and with it, side by side.

    Fourteen tools with JSON schemas, a validator, a migration, and a scripted model that reads only the requests.

    \b
    Exit codes: 0 both sessions go as told, 1 one does not, 2 the validator is not installed.
    """
    from ghostproof.demonstrating import demonstrate

    return demonstrate(save)
