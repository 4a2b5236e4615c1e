import { Anchor, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";

import { useProblemWords } from "./useProblemWords";
import { getTraitOptions } from "@/client/@tanstack/react-query.gen";

/** A trait of which only the id is known: what it says, which leads to why. */
export function TraitLink({ id }: { id: string }) {
  const { i18n } = useTranslation();
  const problem = useProblemWords();
  const { data, error } = useQuery(getTraitOptions({ path: { trait_id: id } }));
  if (error !== null && data === undefined) {
    return (
      <Text component="span" size="sm" c="dimmed">
        {problem(error)}
      </Text>
    );
  }
  return (
    <Anchor component={Link} href={`/memories/traits/${id}`} size="sm" className="words">
      {data === undefined ? "…" : (data.wordings?.[i18n.language] ?? data.content)}
    </Anchor>
  );
}
