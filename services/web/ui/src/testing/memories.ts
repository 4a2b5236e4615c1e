import type { MemoryOut, SourceOut } from "@/client";

/** Ids order by time: the higher the number, the newer. */
export const memoryId = (number: number): string => `01a20000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`;

/** Something that was said. */
export const aSource = (facts: Partial<SourceOut> = {}): SourceOut => ({
  message_id: "01a10000-0000-7000-8000-000000000001",
  conversation_id: "01a10000-0000-7000-8000-000000000002",
  conversation_title: "Chat 4",
  role: "user",
  turn: 1,
  session: 1,
  quote: "just show me the code please",
  quote_start: 0,
  quote_end: 28,
  spoken_at: "2026-05-12T10:00:00Z",
  ...facts,
});

/** A memory that was noticed in a conversation and holds. */
export const aMemory = (number: number, facts: Partial<MemoryOut> = {}): MemoryOut => ({
  id: memoryId(number),
  content: `Memory ${String(number)}`,
  content_type: "preference",
  scope: "global",
  project_id: null,
  origin: "extracted",
  method: "rules",
  importance: 5,
  level: "L1",
  taboo: false,
  disabled: false,
  confirmed: false,
  archived: false,
  validity: "active",
  supersedes_id: null,
  contradicts_id: null,
  task_hint: null,
  emotion: null,
  metadata: null,
  external_id: null,
  conversation_id: null,
  spoken_at: "2026-05-12T10:00:00Z",
  version: 1,
  found_by: "meaning",
  created_at: "2026-05-12T10:00:00Z",
  updated_at: "2026-05-12T10:00:00Z",
  provenance: null,
  sources: [aSource()],
  ...facts,
});
