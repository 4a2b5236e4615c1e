/** What the server accepts before everything goes: one phrase, in either language. */
export const FORGET_EVERYTHING: readonly string[] = ["FORGET EVERYTHING", "忘掉一切"];

/** Whether somebody typed the phrase, exactly. */
export const isPhrase = (typed: string): boolean => FORGET_EVERYTHING.includes(typed.trim());
