"""Pruners that cannot be checked, and what must be said of each: where, what was found, what to do instead."""

from __future__ import annotations

PREAMBLE = """
from ghostproof.turn.pruner import Pass, Pruner
def hide(tool, turn):
    tool.hide_schema()
P = Pruner(Pass(hide))
"""

SHAPES = {
    "number": ("broken.py:number", "is an int, not a Pruner", "a class of one"),
    "text": ("broken.py:text", "is a str, not a Pruner", "a class of one"),
    "nothing": ("broken.py:nothing", "is a NoneType, not a Pruner", "a class of one"),
    "listed": ("broken.py:listed", "is a list, not a Pruner", "a class of one"),
    "hide": ("broken.py:hide", "is a function, not a Pruner", "checked with --callable"),
    "NoPruner": ("broken.py:NoPruner", "NoPruner is a class but not a Pruner", "a class of one"),
    "NeedsArguments": ("broken.py:NeedsArguments", "cannot be made without arguments", "name an instance"),
    "Forgets": ("broken.py:Forgets", "has no passes or no memory", "super().__init__"),
    "RaisesWhenMade": ("broken.py:", "raised LookupError: no configuration", "return normally"),
    "no_passes": ("broken.py:no_passes", "has no passes", "at least one Pass"),
    "bare_functions": ("broken.py:bare_functions", "holds a function among its passes", "wrap the function in Pass"),
    "same_name": ("broken.py:same_name", "has two passes named hide", 'Pass(..., name="...")'),
    "nameless": ("broken.py:nameless", "has a pass whose name is no text", "name passes with text"),
    "not_callable": ("pass hide", "is a str, not a function", "(tool, turn)"),
    "absent": ("broken.py", "has no absent", "name something defined there"),
    "goood": ("broken.py", "has no goood", "did you mean good"),
    # sizes and memory
    "memory_negative": ("memory_negative", "memory field budget starts at -1", "at least 0"),
    "memory_float": ("memory_float", "memory field budget starts as a float", "use a bool or an int"),
    "memory_text": ("memory_text", "memory field budget starts as a str", "use a bool or an int"),
    "memory_taken": ("memory_taken", "'schema_tokens' is no free attribute name", "another name"),
    "memory_taken_by_a_method": ("memory_taken_by_a_method", "'ghost' is no free attribute name", "another name"),
    "memory_no_name": ("memory_no_name", "'two words' is no free attribute name", "another name"),
    "memory_becomes_text": ("memory_becomes_text_visit", "seen is assigned a str", "assign a boolean"),
    "size_negative": ("pass size_negative_visit", "changes tool.schema_tokens, which is not", "own values"),
    "size_float": ("(in size_float_visit)", "a float: 0.5", "tokens are exact"),
    "calls_negative": ("(in calls_negative_visit)", "a write to `calls_resident`", "call `evict_call()`"),
    "calls_grow": ("(in calls_grow_visit)", "a write to `calls_resident`", "call `evict_call()`"),
    # signatures
    "takes_one_argument": ("pass takes_one", "does not take (tool, turn)", "(tool, turn)"),
    "takes_three_arguments": ("pass takes_three", "missing a required argument: 'others'", "(tool, turn)"),
    "takes_a_keyword": ("pass needs_a_keyword", "missing a required argument: 'budget'", "(tool, turn)"),
    "order_of_two": ("the order of pass hide", "does not take (tool)", "(tool)"),
    "until_of_two": ("the condition of pass hide", "does not take (turn)", "(turn)"),
    # what a pass does
    "pass_raising": ("(in raising)", "a raise statement", "a pass must not raise"),
    "pass_dividing": ("(in dividing)", "`//`", "use + and -"),
    "pass_reading_what_is_not_there": (
        "(in pass reading_what",
        "reads tool.colour, which a pass does not have",
        "a tool has mutation, pinned",
    ),
    "pass_reading_other_tools": ("(in reading_other_tools)", "not known yet", "one step"),
    "pass_looping": ("(in looping)", "a while loop", "one step"),
    "pass_looping_over_calls": ("(in looping_over_calls)", "range()", "use a constant"),
    "pass_recursing": ("(in recursing)", "recursion", "one step"),
    "pass_returning": ("pass returning", "returns nonsense: a bool", "return nothing"),
    "pass_returning_sometimes": ("pass returning_sometimes", "returns nonsense: an int", "return nothing"),
    "pass_writing_fixed": ("pass writing_fixed", "changes tool.pinned, which is not the pruner's", "show, hide"),
    "pass_writing_what_is_not_its_own": ("pass writing_what", "changes tool.registered", "show, hide"),
    "pass_writing_the_unknown": ("pass writing_the_unknown", "sets the unknown attribute tool.seen", "memory"),
    "pass_writing_text": ("(in writing_text)", "a write to `schema_shown`", "call `show_schema()`"),
    "pass_writing_the_turn": ("(in writing_the_turn)", "`total_budget` of the turn", "write to the tool only"),
    "pass_printing": ("(in printing)", "print()", "leave it out"),
    "pass_exiting": ("(in exiting)", "exit()", "leave it out"),
    "pass_dying": ("(in dying)", "`_exit`", "--callable"),
    "pass_waiting": ("(in waiting)", "a clock: `time.sleep`", "tool.idle_turns"),
    "pass_gambling": ("(in gambling)", "randomness", "--callable"),
    "pass_multiplying": ("(in multiplying)", "`*`", "use + and -"),
    "pass_counting_flags": ("pass counting_flags", "arithmetic on a boolean", "1 if condition else 0"),
    "pass_hoarding": ("(in hoarding)", "`*`", "use + and -"),
    "order_that_changes": ("(in key_that_changes)", "a call of the method `hide_schema`", "nothing may change"),
    "order_that_is_text": ("(in key_that_is_text)", "the order function may return", "an integer or a boolean"),
    "until_that_is_text": ("(in condition_that_is_text)", "the until function may return", "an integer or a boolean"),
}

LOADED: dict[str, tuple[str, str, str, str]] = {
    "syntax error": ("def hide(:\n", "pruner.py:1", "is not Python", "correct the syntax"),
    "no Python at all": ("\x00\x01\x02", "pruner.py", "is not Python", ""),
    "import error": ("import no_such_package_at_all\n", "pruner.py", "needs no_such_package_at_all", "install it"),
    "import of a missing name": (
        "from os import no_such_name\n",
        "pruner.py:1",
        "raised ImportError",
        "correct the import",
    ),
    "raises": (
        "raise ValueError('wrong\\nand \\x1b[31mred')\n",
        "pruner.py:1",
        "raised ValueError: wrong",
        "correct the module",
    ),
    "exits": (
        "import sys\nsys.exit('done')\n",
        "pruner.py:2",
        "asked the interpreter to exit (done)",
        "correct the module",
    ),
    "exits by name": ("exit(3)\n", "pruner.py:1", "asked the interpreter to exit", "correct the module"),
    "dies": ("import os\nos._exit(4)\n", "pruner.py", "ended the interpreter with exit status 4", "return instead"),
    "crashes": ("import os, signal\nos.kill(os.getpid(), signal.SIGABRT)\n", "pruner.py:2", "crashed", "avoid it"),
    "prints": (PREAMBLE + "print('hello\\x1b[2J')\n", "pruner.py:P", "prints when it is loaded or run", "remove"),
    "prints to standard error": (
        PREAMBLE + "import sys\nsys.stderr.write('hello')\n",
        "pruner.py:P",
        "prints when it is loaded",
        "remove",
    ),
    "recurses": ("def deeper():\n    return deeper()\ndeeper()\n", "pruner.py:2", "recursed too deeply", "an end"),
    "is empty": ("", "pruner.py", "has no P", "name something defined there"),
    "raises what has no text": (
        "class Odd(Exception):\n    def __str__(self):\n        raise KeyError\nraise Odd\n",
        "pruner.py:4",
        "raised Odd",
        "correct the module",
    ),
    "raises at great length": (
        "raise ValueError('x' * 100_000)\n",
        "pruner.py:1",
        "raised ValueError: xxx",
        "correct the module",
    ),
}
