import i18next from "i18next";
import { initReactI18next } from "react-i18next";

const files = import.meta.glob<Record<string, unknown>>("../locales/*/*.json", { eager: true, import: "default" });

type Resources = Record<string, Record<string, Record<string, unknown>>>;

/** Locale files by language and namespace: `locales/en/chat.json` is the namespace `chat` in English. */
function resources(): Resources {
  const found: Resources = {};
  for (const [path, texts] of Object.entries(files)) {
    const [language, file] = path.split("/").slice(-2);
    if (language === undefined || file === undefined) continue;
    (found[language] ??= {})[file.replace(".json", "")] = texts;
  }
  return found;
}

export type Language = "en" | "zh";
export const LANGUAGES: readonly Language[] = ["en", "zh"];

/** The tag of a language for `lang` and `Intl`. */
export const localeOf = (language: string): string => (language.startsWith("zh") ? "zh-CN" : "en");

const firstLanguage = (): Language =>
  (localStorage.getItem("language") ?? navigator.language).startsWith("zh") ? "zh" : "en";

i18next.on("languageChanged", (language) => {
  document.documentElement.lang = localeOf(language);
  localStorage.setItem("language", language);
});

await i18next.use(initReactI18next).init({
  resources: resources() as never,
  lng: firstLanguage(),
  fallbackLng: false,
  defaultNS: "common",
  interpolation: { escapeValue: false },
  returnNull: false,
});

export default i18next;
