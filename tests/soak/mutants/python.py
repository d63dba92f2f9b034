"""Mutants of Python: one small change in a function, by the syntax tree."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
RENAMED = {"any": "all", "all": "any", "min": "max", "max": "min", "sorted": "list", "sum": "len"}
SAYS_ONLY = ("__repr__", "__str__")
"""Functions that are for whoever debugs."""
OF_MESSAGES = ("assert_never", "raise ", "LOG.", "TYPE_CHECKING")
"""Lines that cannot be reached, or that differ only in what a message says."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of a file, whose path is relative to the checkout."""

    path: Path
    line: int
    change: str
    text: str
    """The whole file, changed."""
    function: int = 0
    """The line of the Python function that is changed."""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.change}"


def mutants_of(root: Path, path: Path) -> Iterator[Mutant]:
    """Every mutant of a file, in order of functions."""
    text = (root / path).read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    for function in _functions(ast.parse(text)):
        for node, instead in _changes(function):
            if not any(word in lines[node.lineno - 1] for word in OF_MESSAGES):
                start, end = _place(lines, node)
                inside = instead if isinstance(node, ast.stmt) else f"({instead})"
                change = f"{' '.join(text[start:end].split())[:70]} -> {' '.join(instead.split())[:70]}"
                yield Mutant(path, node.lineno, change, text[:start] + inside + text[end:], function.lineno)


def probed(text: str, functions: set[int]) -> str:
    """The source of a module in which the functions that begin at these lines report that they are called."""
    tree = ast.parse(text)
    for function in _functions(tree):
        if function.lineno in functions:
            call = ast.parse(
                f"__import__('sys').modules['tests.soak.mutants.probe'].hit(__file__, {function.lineno})"
            )
            is_documented = ast.get_docstring(function) is not None
            function.body[is_documented:is_documented] = call.body
    return ast.unparse(ast.fix_missing_locations(tree))


def _place(lines: list[str], node: ast.expr | ast.stmt) -> tuple[int, int]:
    """Where a node's source begins and ends in the text; columns of the tree count bytes."""
    assert node.end_lineno is not None
    assert node.end_col_offset is not None

    def place(line: int, column: int) -> int:
        return sum(map(len, lines[: line - 1])) + len(lines[line - 1].encode()[:column].decode())

    return place(node.lineno, node.col_offset), place(node.end_lineno, node.end_col_offset)


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name not in SAYS_ONLY:
            yield node


def _changes(function: ast.FunctionDef) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """Nodes of a function, without its own functions, with the text that replaces each."""
    nodes: list[ast.AST] = list(function.body)
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.keyword) and node.arg == "strict":  # of zip: it asserts
            continue
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AnnAssign | ast.JoinedStr | ast.Assert):
            nodes += [node.value] if isinstance(node, ast.AnnAssign) and node.value else []
            continue
        nodes += ast.iter_child_nodes(node)
        yield from _changes_of(node)


def _changes_of(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in SWAPPED:
            yield node, ast.unparse(ast.Compare(left, [SWAPPED[type(op)]()], [right]))  # type: ignore[list-item]
        case ast.BoolOp(op=op, values=values):
            yield node, f"({ast.unparse(ast.BoolOp(SWAPPED[type(op)](), values))})"  # type: ignore[arg-type]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in SWAPPED and not _is_text(left, right):
            yield node, f"({ast.unparse(ast.BinOp(left, SWAPPED[type(op)](), right))})"  # type: ignore[arg-type]
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield node, f"({ast.unparse(operand)})"
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield node, f"({ast.unparse(ast.IfExp(test, orelse, body))})"
        case ast.Constant(value=bool(value)):
            yield node, str(not value)
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            yield node, str(value + 1)
        case ast.Call(func=ast.Name(id=name), args=[_, *_]) if name in RENAMED:
            yield node.func, RENAMED[name]
        case ast.If(test=test):
            yield test, f"(not ({ast.unparse(test)}))"
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield node, "return None"
        case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Continue() | ast.Break():
            yield node, "pass"


def _is_text(*sides: ast.expr) -> bool:
    return any(
        isinstance(side, ast.JoinedStr) or isinstance(getattr(side, "value", 0), str) for side in sides
    )
