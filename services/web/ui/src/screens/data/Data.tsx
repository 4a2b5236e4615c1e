import { Redirect } from "wouter";
import type { ComponentType } from "react";

import { ForgetConversation } from "./ForgetConversation";
import { ForgetEverything } from "./ForgetEverything";
import { ForgetSomething } from "./ForgetSomething";
import { Operations } from "./Operations";
import { type Section, Sections } from "./Sections";
import { Screen } from "@/shared/Screen";

const CONTENT: Record<Section, ComponentType> = {
  something: ForgetSomething,
  conversation: ForgetConversation,
  everything: ForgetEverything,
  operations: Operations,
};

const isSection = (name: string): name is Section => name in CONTENT;

/** Where things are made to go, and where one sees that they are gone. */
export default function Data({ section = "something" }: { section: string | undefined }) {
  if (!isSection(section)) return <Redirect to="/data" replace />;
  const Content = CONTENT[section];
  return (
    <Screen name="data" width={760}>
      <Sections here={section} />
      <Content />
    </Screen>
  );
}
