import { Anchor, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";

import { useProblemWords } from "./useProblemWords";
import { getLongTermOptions } from "@/client/@tanstack/react-query.gen";

/** A memory of which only the id is known: its own words, which lead to it. */
export function MemoryLink({ id }: { id: string }) {
  const problem = useProblemWords();
  const memory = useQuery(getLongTermOptions({ path: { memory_id: id } }));
  if (memory.isError && memory.data === undefined) {
    return (
      <Text component="span" size="sm" c="dimmed">
        {problem(memory.error)}
      </Text>
    );
  }
  return (
    <Anchor component={Link} href={`/memories/${id}`} size="sm" className="words">
      {memory.data?.content ?? "…"}
    </Anchor>
  );
}
