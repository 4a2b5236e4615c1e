import type { ComponentType } from "react";
import { Redirect } from "wouter";

import { Export } from "./export/Export";
import { ForgetConversation } from "./ForgetConversation";
import { ForgetEverything } from "./ForgetEverything";
import { ForgetSomething } from "./ForgetSomething";
import { Import } from "./import/Import";
import { Operations } from "./Operations";
import { type Section, Sections } from "./Sections";
import { Screen } from "@/shared/Screen";

const CONTENT: Record<Section, ComponentType> = {
  something: ForgetSomething,
  conversation: ForgetConversation,
  everything: ForgetEverything,
  export: Export,
  import: Import,
  operations: Operations,
};

const isSection = (name: string): name is Section => name in CONTENT;

/** Where things are made to go, taken along and brought in, and where one sees what became of it. */
export function Data({ section = "something" }: { section: string | undefined }) {
  if (!isSection(section)) return <Redirect to="/data" replace />;
  const Content = CONTENT[section];
  return (
    <Screen name="data" width={760}>
      <Sections here={section} />
      <Content />
    </Screen>
  );
}
