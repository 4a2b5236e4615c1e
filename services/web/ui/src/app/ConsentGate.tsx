import { useSessionStorage } from "@mantine/hooks";

import { useConsent } from "@/shared/consent/consents";
import { OnDemand } from "@/shared/OnDemand";
import { part } from "@/shared/parts";

const ConsentDialog = part(async () => ({ default: (await import("@/later")).ConsentDialog }));

/** Asks for consent where it is required and was never asked for, or the wording changed, once in a visit. */
export function ConsentGate({ person }: { person: string }) {
  const consent = useConsent();
  const [skipped, setSkipped] = useSessionStorage({
    key: `consent-skipped ${person}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const standing = consent.data;
  const asks = (standing?.required === true && standing.state === "new") || standing?.state === "outdated";
  if (standing === undefined || !asks || skipped) return null;
  const skip = () => setSkipped(true);
  return (
    <OnDemand onFailed={skip}>
      <ConsentDialog standing={standing} onClose={skip} />
    </OnDemand>
  );
}
