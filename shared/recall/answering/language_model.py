"""Streams answers of a language model at any OpenAI-compatible endpoint."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

_OPENING: Final = "<think>"
_CLOSING: Final = "</think>"


class AnswerFailed(Exception):
    """The language model's endpoint did not answer, or stopped in the middle."""


class AnsweringModel:
    """Asks the model once per message, with a timeout and without retries.

    Args:
        base_url, model, api_key: the endpoint.
        timeout: seconds without a response before the request fails.
    """

    def __init__(self, *, base_url: str, model: str, api_key: str, timeout: float = 30.0) -> None:
        import openai  # noqa: PLC0415 # takes 0.5 s, needed only with a model

        self._model = model
        self._client = openai.AsyncOpenAI(base_url=base_url, api_key=api_key, timeout=timeout, max_retries=0)

    async def answer(self, prompt: str, message: str) -> AsyncIterator[str]:
        """Yield the pieces of an answer, without the model's reasoning.

        Args:
            prompt: a rendered context, sent before the message.

        Raises:
            AnswerFailed: at any time; it contains nothing of the endpoint's response.
        """
        thoughts = _WithoutThoughts()
        failed = False
        try:
            stream = await self._client.chat.completions.create(
                model=self._model,
                stream=True,
                messages=[{"role": "system", "content": prompt}, {"role": "user", "content": message}],
            )
            async with stream:
                async for chunk in stream:
                    said = chunk.choices[0].delta.content if chunk.choices else None
                    if said and (text := thoughts.after(said)):
                        yield text
        except Exception:  # noqa: BLE001 # an endpoint may fail in any way, and what it said must not be passed on
            failed = True
        if failed:
            raise AnswerFailed
        if rest := thoughts.rest():
            yield rest

    async def close(self) -> None:
        """Close the connection."""
        await self._client.close()


class _WithoutThoughts:
    """Drops the reasoning that a model writes before its answer."""

    def __init__(self) -> None:
        self._held, self._decided = "", False

    def after(self, piece: str) -> str:
        """Return the part of the answer that is certain after one more piece."""
        if self._decided:
            return piece
        self._held += piece
        opening = self._held.lstrip()
        if opening.startswith(_OPENING):
            thought, closing, answer = opening.partition(_CLOSING)
            del thought
            if not closing:
                return ""
            opening = answer.lstrip()
            if not opening:
                self._held = ""
                self._decided = True
                return ""
        elif _OPENING.startswith(opening):
            return ""  # it may still become an opening tag
        self._decided, self._held = True, ""
        return opening

    def rest(self) -> str:
        """Return the remaining text at the end, if it was held back only as a possible opening tag."""
        opening = "" if self._decided else self._held.lstrip()
        return "" if opening.startswith(_OPENING) else opening
