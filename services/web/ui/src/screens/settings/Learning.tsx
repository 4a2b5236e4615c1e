import { useQuery } from "@tanstack/react-query";

import { ClearLearned } from "./ClearLearned";
import { Counters } from "./Counters";
import { Setting } from "./Setting";
import classes from "./settings.module.css";
import { Threshold } from "./Threshold";
import type { SettingsOut } from "@/client";
import { getPreferencesOptions } from "@/client/@tanstack/react-query.gen";
import { Failed } from "@/shared/Failed";
import { Waiting } from "@/shared/Waiting";

/** What feedback may teach, what it has taught so far, and how to make that go. */
export function Learning({ settings }: { settings: SettingsOut }) {
  const learned = useQuery(getPreferencesOptions());
  return (
    <>
      <Setting name="preference_learning_enabled" settings={settings} />
      <Setting name="privacy_mode_enabled" settings={settings} />
      <Threshold settings={settings} />
      <div className={classes.row}>
        {learned.isPending && <Waiting lines={1} />}
        {learned.isError && <Failed error={learned.error} again={() => void learned.refetch()} />}
        {learned.data !== undefined && (
          <>
            <Counters learned={learned.data} />
            <ClearLearned learned={learned.data} />
          </>
        )}
      </div>
    </>
  );
}
