/** What the server accepts before everything goes, in either language. */
const PHRASES: readonly string[] = ["FORGET EVERYTHING", "忘掉一切"];

/** Whether somebody typed the phrase, exactly. */
export const isPhrase = (typed: string): boolean => PHRASES.includes(typed.trim());
