"""`python -m services.model`: serves a language model from a GGUF file through an OpenAI-compatible API.

llama.cpp runs it (`xllamacpp`, installed with the extra `gguf`); a grammar makes answers conform to the requested
schema. It listens on the loopback interface only and requires a key.
"""

from __future__ import annotations

import signal
import sys
import threading
from typing import Final

from shared.runtime import logging
from shared.runtime.readiness import announce_ready
from shared.runtime.settings import ModelSettings

LOOPBACK: Final = "127.0.0.1"


def main() -> int:
    """Serve until SIGTERM or SIGINT; return 2 if the file cannot be served."""
    settings = ModelSettings()
    logging.configure(settings.log_level, "model")
    try:
        import xllamacpp  # noqa: PLC0415 # an extra
    except ImportError:
        sys.stderr.write("MEMORY_CENTER_LLM_FILE needs the extra gguf: pip install 'memory-center[gguf]'\n")
        return 2
    params = xllamacpp.CommonParams()
    params.model.path = str(settings.llm_file)
    params.hostnames = [LOOPBACK]
    params.port = settings.llm_port
    params.api_keys = [settings.llm_api_key.get_secret_value()]
    params.n_ctx = settings.llm_context_tokens
    params.n_parallel = 1
    params.cpuparams.n_threads = settings.llm_threads
    params.offline, params.ui, params.warmup = True, False, False
    params.endpoint_slots = params.endpoint_props = False  # they would reveal requests
    params.verbosity = 0  # as would its log
    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    try:
        server = xllamacpp.Server(params)
    except RuntimeError:
        sys.stderr.write(f"{settings.llm_file} is no GGUF file that can be served here\n")
        return 2
    announce_ready()
    stopping.wait()
    del server
    return 0


if __name__ == "__main__":
    sys.exit(main())
