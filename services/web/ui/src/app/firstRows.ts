import { LIST_OF } from "./firstReads";

export const TITLES = { en: "Long-term memory", zh: "长期记忆" } as const;
const ROWS = 12;

/**
 * Show what is remembered as soon as it is read, which is long before the app is there: sentences only, where their
 * cards will be. The app takes their place.
 */
export async function drawFirstRows(place: string): Promise<void> {
  const address = LIST_OF[place];
  const early = address === undefined ? undefined : window.firstReads?.get(address);
  const answer = (await early)?.clone();
  if (answer?.ok !== true) return;
  const memories = (await answer.json()) as { content: string }[];
  const root = document.getElementById("root");
  if (memories.length === 0 || root === null || root.querySelector("main:not([data-before])") !== null) return;
  const main = document.createElement("main");
  main.dataset["before"] = "rows";
  const title = document.createElement("h1");
  title.textContent = TITLES[document.documentElement.lang.startsWith("zh") ? "zh" : "en"];
  const rows = memories.slice(0, ROWS).map(({ content }) => {
    const row = document.createElement("article");
    row.className = "card words";
    row.textContent = content;
    return row;
  });
  main.append(title, ...rows);
  root.replaceChildren(main);
}
