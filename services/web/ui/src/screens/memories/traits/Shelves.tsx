import { Text, Title } from "@mantine/core";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";

import { type Places, type Shelf, SHELVES } from "./places";
import { isThere, type Standing, TraitList } from "./TraitList";
import classes from "./traits.module.css";
import { useNumbers } from "@/shared/numbers";

/** Three shelves, and apart what is not used yet. */
export function Shelves({ places, ...standing }: Standing & { places: Places }) {
  const { t } = useTranslation("traits");
  const there = (ids: readonly string[]) => ids.filter((id) => isThere(standing, id));
  const shelves = SHELVES.filter((shelf) => there(places[shelf]).length > 0);
  const forming = there(places.forming);
  return (
    <>
      {shelves.length === 0 && <Text mb="lg">{t("noneSure")}</Text>}
      {shelves.map((shelf) => (
        <OneShelf key={shelf} shelf={shelf} ids={places[shelf]} {...standing} />
      ))}
      {forming.length > 0 && <Forming ids={forming} alone={shelves.length === 0} {...standing} />}
    </>
  );
}

function OneShelf({ shelf, ids, ...standing }: Standing & { shelf: Shelf; ids: readonly string[] }) {
  const { t } = useTranslation("traits");
  const id = useId();
  return (
    <section aria-labelledby={id} className={classes.shelf}>
      <Title order={3} id={id}>
        {t(`shelf.${shelf}`)}
      </Title>
      <TraitList ids={ids} label={id} {...standing} />
    </section>
  );
}

/** What too little was seen of; open at once only where there is nothing else. */
function Forming({ ids, alone, ...standing }: Standing & { ids: readonly string[]; alone: boolean }) {
  const { t } = useTranslation("traits");
  const number = useNumbers();
  const id = useId();
  const [open] = useState(alone);
  return (
    <details className={classes.forming} open={open}>
      <summary>
        <span id={id}>{t("forming.title")}</span>{" "}
        <Text span c="dimmed" fw={400}>
          {number(ids.length)}
        </Text>
      </summary>
      <Text size="sm" c="dimmed" mt={4}>
        {t("forming.about")}
      </Text>
      <TraitList ids={ids} label={id} {...standing} />
    </details>
  );
}
