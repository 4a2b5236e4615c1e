import type { MemoryOut } from "@/client";

/** What can be done with a memory of the list. */
export interface Acts {
  keep: (memory: MemoryOut) => void;
  why: (memory: MemoryOut) => void;
  edit: (memory: MemoryOut) => void;
  pause: (memory: MemoryOut, paused: boolean) => void;
  forget: (memory: MemoryOut) => void;
  /** What an operation forgot is there again. */
  undone: (operationId: string) => void;
}
