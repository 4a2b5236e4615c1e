import { Alert, Text } from "@mantine/core";
import { IconFileAlert } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";

import { faultOf, refusalWords } from "./refusals";
import { Failed } from "@/shared/Failed";
import { codeOf } from "@/shared/problems";

/** What the server takes by default; above it an answer that never came probably was a refusal. */
const USUAL_MOST = 256 * 1024 * 1024;

interface Props {
  file: File;
  error: unknown;
  onAgain: () => void;
}

/** Why a file cannot be brought in, in plain words, and that nothing has changed. */
export function Refused({ file, error, onAgain }: Props) {
  const { t } = useTranslation("data");
  // A server that refuses early hangs up while the browser still sends: then the answer is lost on the way.
  const cutOff = codeOf(error) === "unreachable" && file.size > USUAL_MOST;
  const words = cutOff ? t("refused.package_too_large") : refusalWords(t, error);
  const fault = faultOf(error);
  if (words === null) return <Failed error={error} again={onAgain} />;
  return (
    <Alert color="gray" variant="outline" icon={<IconFileAlert aria-hidden />} role="alert" title={t("refused.title")}>
      <Text size="sm" className="words">
        {file.name}
      </Text>
      <Text size="sm" mt={6}>
        {words}
      </Text>
      {fault !== null && (
        <Text size="sm" c="dimmed" mt={4} className="words">
          {fault.record === null
            ? t("refused.inFile", { file: fault.file })
            : t("refused.inRecord", { file: fault.file, record: fault.record })}
        </Text>
      )}
      <Text size="sm" mt={6}>
        {t("refused.nothing")}
      </Text>
    </Alert>
  );
}
