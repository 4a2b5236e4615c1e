import { Autocomplete, Radio, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { faultsOf, type MemoryFields } from "./fields";
import { getOverviewOptions } from "@/client/@tanstack/react-query.gen";

type Place = Pick<MemoryFields, "inProject" | "project">;

interface Props {
  place: Place;
  onChange: (place: Partial<Place>) => void;
  /** What is wrong with the project, if that is said already. */
  fault: ReturnType<typeof faultsOf>["project"];
}

/** Where a memory holds: everywhere, or in one project. */
export function Where({ place, onChange, fault }: Props) {
  const { t } = useTranslation("memories");
  const { data: overview } = useQuery(getOverviewOptions());
  return (
    <>
      <Radio.Group
        label={t("form.where")}
        value={place.inProject ? "project" : "global"}
        onChange={(value) => onChange({ inProject: value === "project" })}
      >
        <Stack gap="xs" mt={6}>
          <Radio value="global" label={t("form.everywhere")} />
          <Radio value="project" label={t("form.oneProject")} />
        </Stack>
      </Radio.Group>
      {place.inProject && (
        <Autocomplete
          label={t("form.project")}
          value={place.project}
          onChange={(project) => onChange({ project })}
          error={fault && t(`form.fault.project.${fault === "empty" ? "empty" : "characters"}`)}
          data={overview?.project_id.map(({ value }) => value) ?? []}
          maxLength={100}
        />
      )}
    </>
  );
}
