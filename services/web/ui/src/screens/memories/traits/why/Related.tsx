import { Anchor, Stack, Text } from "@mantine/core";
import { Link } from "wouter";

import { Part } from "../../why/Part";
import { useTraitWords } from "../words";
import type { TraitOut } from "@/client";

/** Traits that a trait rests on, or that rest on it; each opens its own explanation. Nothing when there are none. */
export function Related({ title, traits }: { title: string; traits: readonly TraitOut[] }) {
  const words = useTraitWords();
  if (traits.length === 0) return null;
  return (
    <Part title={title}>
      <Stack gap="sm">
        {traits.map((trait) => (
          <div key={trait.id}>
            <Anchor component={Link} href={`/memories/traits/${trait.id}`} size="sm" className="words">
              {words.sentence(trait)}
            </Anchor>
            <Text size="xs" c="dimmed">
              {words.line(trait)}
            </Text>
          </div>
        ))}
      </Stack>
    </Part>
  );
}
