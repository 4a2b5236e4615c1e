import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { useTraitRefusal } from "./refusals";
import { requestAReflectionMutation } from "@/client/@tanstack/react-query.gen";
import { toast } from "@/shared/toast";

/** Asks that what was said is looked over now, and not only when it is time. */
export function Reflect() {
  const { t } = useTranslation("traits");
  const refusal = useTraitRefusal();
  const ask = useMutation({
    ...requestAReflectionMutation(),
    onSuccess: () => toast({ message: t("reflect.asked") }),
    onError: (error) => toast({ message: refusal(error), color: "gray" }),
  });
  return (
    <Button variant="default" size="xs" loading={ask.isPending} onClick={() => ask.mutate({ body: {} })}>
      {t("reflect.ask")}
    </Button>
  );
}
