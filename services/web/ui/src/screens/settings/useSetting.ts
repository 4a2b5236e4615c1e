import { useMutation, useQueryClient } from "@tanstack/react-query";

import type { SettingsOut, SettingsPatch } from "@/client";
import { getSettingsQueryKey, patchSettingsMutation } from "@/client/@tanstack/react-query.gen";

/** The settings a person can change. */
export type Changeable = Exclude<keyof SettingsPatch, "user_id">;

/**
 * One setting, saved as soon as it is changed.
 *
 * While it is being saved `value` is what was chosen; if that fails it is what holds again, and `error` says why.
 */
export function useSetting<Name extends Changeable>(name: Name, settings: SettingsOut) {
  const queries = useQueryClient();
  const save = useMutation({
    ...patchSettingsMutation(),
    onSuccess: (saved) => queries.setQueryData(getSettingsQueryKey(), saved),
    // Two changes may be answered in the other order than they were made.
    onSettled: () => queries.invalidateQueries({ queryKey: getSettingsQueryKey() }),
  });
  const chosen = save.isPending ? save.variables.body[name] : undefined;
  return {
    value: (chosen ?? settings[name]) as SettingsOut[Name],
    set: (value: SettingsOut[Name]) => save.mutate({ body: { [name]: value } }),
    saving: save.isPending,
    saved: save.isSuccess,
    error: save.error,
  };
}
