import { Stack } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { LeftOut } from "./LeftOut";
import { Prompt } from "./Prompt";
import { Question } from "./Question";
import { RawPrompt } from "./RawPrompt";
import { Summary } from "./Summary";
import { Failed } from "@/shared/Failed";
import { type Asked, previewOptions } from "@/shared/preview";
import { Screen } from "@/shared/Screen";
import { Waiting } from "@/shared/Waiting";

/** Exactly what an assistant would be given for a question: each part, why it is there, and what is left out and why. */
export function Sees() {
  const [asked, setAsked] = useState<Asked>({});
  const shown = useQuery({ ...previewOptions(asked), placeholderData: keepPreviousData });
  return (
    <Screen name="sees">
      <Stack gap="xl">
        <Question ask={setAsked} busy={shown.isPlaceholderData} />
        {shown.isPending && <Waiting />}
        {shown.isError && shown.data === undefined && <Failed error={shown.error} again={() => void shown.refetch()} />}
        {shown.data !== undefined && (
          <>
            <Summary context={shown.data} />
            <Prompt context={shown.data} />
            <LeftOut leftOut={shown.data.left_out} />
            <RawPrompt prompt={shown.data.prompt} />
          </>
        )}
      </Stack>
    </Screen>
  );
}
