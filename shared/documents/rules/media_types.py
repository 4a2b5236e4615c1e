"""The kinds of files a document may come as."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

MediaType: TypeAlias = Literal["text/plain", "text/markdown", "application/pdf"]
MEDIA_TYPES: Final[tuple[MediaType, ...]] = get_args(MediaType)
