import type { ActionIconProps } from "@mantine/core";
import { IconDotsVertical, IconPackageExport, IconTrash } from "@tabler/icons-react";
import { type RefObject, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";

import type { ConversationOut, ExportIn } from "@/client";
import { useForget } from "@/shared/forgetting/Forgetting";
import type { MenuEntry } from "@/shared/menu";
import { MenuButton } from "@/shared/MenuButton";
import { OnDemand } from "@/shared/OnDemand";
import { part } from "@/shared/parts";

const ConfirmExport = part(async () => ({ default: (await import("@/later")).ConfirmExport }));

interface Props extends ActionIconProps {
  conversation: Pick<ConversationOut, "id">;
  label: string;
  /** What stands above Export and Delete. */
  first?: readonly MenuEntry[];
  button?: RefObject<HTMLButtonElement | null>;
}

/** What can be done with a conversation, wherever it is named: take it along, and delete it (MC-15). */
export function ConversationMenu({ conversation: { id }, first = [], ...button }: Props) {
  const { t, i18n } = useTranslation("chat");
  const forget = useForget();
  const [, navigate] = useLocation();
  const [asked, setAsked] = useState<ExportIn | null>(null);
  const language = i18n.language.startsWith("zh") ? "zh" : "en";
  return (
    <>
      <MenuButton
        {...button}
        icon={<IconDotsVertical size={18} aria-hidden />}
        items={[
          ...first,
          {
            name: t("conversation.export"),
            Icon: IconPackageExport,
            onClick: () => setAsked({ scope: "conversation", conversation_id: id, format: "zip", language }),
          },
          {
            name: t("conversation.delete"),
            Icon: IconTrash,
            apart: true,
            onClick: () => forget({ target: { scope: "conversation", id } }),
          },
        ]}
      />
      {asked !== null && (
        <OnDemand onFailed={() => setAsked(null)}>
          <ConfirmExport
            request={asked}
            onClose={() => setAsked(null)}
            onAccepted={(operationId) => {
              setAsked(null);
              navigate(`/data/export#${operationId}`);
            }}
          />
        </OnDemand>
      )}
    </>
  );
}
