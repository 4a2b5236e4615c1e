"""For programs that use mem0: `from memory_center_client.mem0 import Memory` instead of `from mem0 import Memory`.

The calls and their answers are mem0's; what is not built raises `Refused` and names it, and no filter is ever widened.
"""

from memory_center_client._async.mem0 import AsyncMemory, AsyncMemoryClient
from memory_center_client._async.mem0_calls import AsyncMem0Calls
from memory_center_client._sync.mem0 import Memory, MemoryClient
from memory_center_client.mem0_forms import Refused, unsupported

__all__ = ["AsyncMem0Calls", "AsyncMemory", "AsyncMemoryClient", "Memory", "MemoryClient", "Refused", "unsupported"]
