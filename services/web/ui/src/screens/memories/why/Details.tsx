import type { EffectOut, MemoryOut } from "@/client";
import { TechnicalDetails } from "@/shared/TechnicalDetails";

/** The technical names of a memory, for who wants them. */
export const Details = ({ memory, effect }: { memory: MemoryOut; effect: EffectOut }) => (
  <TechnicalDetails
    rows={[
      ["id", memory.id],
      ["version", String(memory.version)],
      ["content_type", memory.content_type],
      ["origin", memory.origin],
      ["method", memory.method ?? "–"],
      ["importance", String(memory.importance)],
      ["confirmed", String(memory.confirmed)],
      ["mem0", String(effect.searchable)],
      ["created_at", memory.created_at],
      ["updated_at", memory.updated_at],
      ...(memory.external_id === null ? [] : [["external_id", memory.external_id] as [string, string]]),
      // What a program keeps with it: its person may see that too.
      ...Object.entries(memory.metadata ?? {}).map(([key, value]): [string, string] => [
        `metadata.${key}`,
        String(value),
      ]),
    ]}
  />
);
