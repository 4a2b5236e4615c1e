/** What somebody types to show that they mean it: one phrase, in either language. */
export type Phrase = readonly string[];

/** What the server accepts before everything goes. */
export const FORGET_EVERYTHING: Phrase = ["FORGET EVERYTHING", "忘掉一切"];

/** What is typed here before everything leaves; the server only wants to be asked. */
export const EXPORT_EVERYTHING: Phrase = ["EXPORT EVERYTHING", "导出全部"];

/** Whether somebody typed the phrase, exactly. */
export const isPhrase = (typed: string, phrase: Phrase): boolean => phrase.includes(typed.trim());
