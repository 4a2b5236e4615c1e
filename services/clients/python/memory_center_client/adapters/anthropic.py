"""Anthropic's memory tool: `/memories/…` are a person's memories, one a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from anthropic.lib.tools import BetaAbstractMemoryTool, ToolError

from memory_center_client.adapters import keyed
from memory_center_client.errors import ValidationFailed

if TYPE_CHECKING:
    from typing import Any

    from anthropic.types.beta import (
        BetaMemoryTool20250818CreateCommand,
        BetaMemoryTool20250818DeleteCommand,
        BetaMemoryTool20250818InsertCommand,
        BetaMemoryTool20250818RenameCommand,
        BetaMemoryTool20250818StrReplaceCommand,
        BetaMemoryTool20250818ViewCommand,
    )

    from memory_center_client import MemoryCenter

ROOT: Final = "/memories"
SUFFIX: Final = ".md"
FILE_MAX: Final = 2_000
SHOWN_MAX: Final = 200
"""Most files that a folder shows; the whole list would fill the model's context."""


class MemoryTool(BetaAbstractMemoryTool):
    """A file is a memory: its path without `.md` is what the assistant calls it, or the memory's id.

    What a person was heard to say is there too, and may be read, corrected and deleted; deleting forgets it.
    """

    def __init__(self, center: MemoryCenter, **options: Any) -> None:
        super().__init__(**options)
        self._center = center

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        path = _checked(command.path)
        found = [] if path.endswith(SUFFIX) else self._below(path)
        memory = None if found else self._shown(path)
        if memory is not None:
            lines = memory["content"].split("\n")
            first, last = command.view_range or (1, len(lines))
            shown = range(max(1, first), min(len(lines), last if last != -1 else len(lines)) + 1)
            return f"Here's the content of {path} with line numbers:\n" + "\n".join(
                f"{number:>6}\t{lines[number - 1]}" for number in shown
            )
        if not found and path != ROOT:
            raise _missing(path)
        more = [f"… and {len(found) - SHOWN_MAX} older ones"] if len(found) > SHOWN_MAX else []
        return "\n".join([f"Here are the files in {path}:", *sorted(map(_path, found[:SHOWN_MAX])), *more])

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        path = _checked(command.path)
        if self._file(path) is not None:
            raise ToolError(f"File {path} already exists")
        left_out = self._write(path, command.file_text)
        return f"File created successfully at: {path}{left_out}"

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        path = _checked(command.path)
        content = self._read(path)
        times = content.count(command.old_str) if command.old_str else 0
        if times != 1:
            raise ToolError(f"old_str occurs {times} times in {path}; it must occur once")
        left_out = self._write(path, content.replace(command.old_str, command.new_str))
        return f"The file {path} has been edited.{left_out}"

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        path = _checked(command.path)
        lines = self._read(path).split("\n")
        if not 0 <= command.insert_line <= len(lines):
            raise ToolError(f"insert_line must be between 0 and {len(lines)}")
        lines[command.insert_line : command.insert_line] = command.insert_text.rstrip("\n").split("\n")
        left_out = self._write(path, "\n".join(lines))
        return f"The file {path} has been edited.{left_out}"

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        path = _checked(command.path)
        if path == ROOT:
            raise ToolError("Cannot delete the /memories directory itself; the person can, in Memory Center")
        gone = [] if path.endswith(SUFFIX) else self._below(path)
        memory = None if gone else self._file(path)
        gone = [memory] if memory else gone
        if not gone:
            raise ToolError(f"The path {path} does not exist")
        for one in gone:
            self._center.memories.delete(one["id"])
        return f"Successfully deleted {path}"

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        old, new = _checked(command.old_path), _checked(command.new_path)
        memory = self._file(old)
        if memory is None:
            raise _missing(old)
        if self._file(new) is not None:
            raise ToolError(f"The destination {new} already exists")
        self._center.memories.update(memory["id"], external_id=_key(new))
        return f"Successfully renamed {old} to {new}"

    def clear_all_memory(self) -> str:
        raise NotImplementedError("forgetting everything is for the person: memory.forget.everything(confirmation=…)")

    def _below(self, path: str) -> list[Any]:
        return [one for one in keyed.current(self._center) if _path(one).startswith(f"{path}/")]

    def _file(self, path: str) -> Any | None:
        return None if path == ROOT else keyed.find(self._center, _key(path))

    def _shown(self, path: str) -> Any | None:
        return None if path == ROOT else keyed.shown(self._center, _key(path))

    def _read(self, path: str) -> str:
        memory = self._shown(path)
        if memory is None:
            raise _missing(path)
        return str(memory["content"])

    def _write(self, path: str, text: str) -> str:
        """Write a file; return what to add to the answer if part of the text was not stored."""
        if not text.strip() or len(text) > FILE_MAX:
            raise ToolError(f"A file holds 1 to {FILE_MAX} characters; use several files")
        old = self._file(path)
        try:
            if old is not None:
                left_out = self._center.memories.update(old["id"], content=text, external_id=_key(path))["withheld"]
            else:
                left_out = keyed.put(self._center, _key(path), text, None)
        except ValidationFailed as refusal:
            raise ToolError(f"Not stored: {refusal.code}") from None
        return f" Left out, because it is never stored: {', '.join(left_out)}." if left_out else ""


def _missing(path: str) -> ToolError:
    return ToolError(f"The path {path} does not exist. Please provide a valid path.")


def _checked(path: str) -> str:
    """Return a path below /memories without a slash at its end.

    Raises:
        ToolError: it is none.
    """
    parts = path.rstrip("/").split("/")
    odd = ("", ".", "..", SUFFIX)
    if parts[:2] != ["", ROOT[1:]] or any(one in odd for one in parts[2:]) or not path.isprintable():
        raise ToolError(f"A path starts with {ROOT} and has no empty part, . or ..")
    if len(path) > keyed.KEY_MAX:
        raise ToolError(f"A path has at most {keyed.KEY_MAX} characters")
    return "/".join(parts)


def _key(path: str) -> str:
    return path.removeprefix(f"{ROOT}/").removesuffix(SUFFIX)


def _path(memory: Any) -> str:
    return f"{ROOT}/{keyed.key_of(memory)}{SUFFIX}"
