import i18next, { type BackendModule } from "i18next";
import { initReactI18next } from "react-i18next";

import { byNamespace, type Texts } from "./byNamespace";
import { toast } from "@/shared/toast";

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

/** All texts of a language are one file, fetched when somebody reads that language. */
async function textsOf(language: string): Promise<Texts> {
  const { default: texts } = language === "zh" ? await import("./texts/zh") : await import("./texts/en");
  return byNamespace(texts);
}

/** Change the language once its texts are here; without them only their names would be shown. */
export async function speak(language: Language): Promise<void> {
  try {
    await textsOf(language);
  } catch {
    toast({ message: i18next.t("languageAway"), color: "gray" });
    return;
  }
  await i18next.changeLanguage(language);
}

/** Fetch the texts of the other language, so that no network is needed to change to it. */
export const fetchOtherLanguage = (): Promise<unknown> => textsOf(i18next.language === "zh" ? "en" : "zh");

const backend: BackendModule = {
  type: "backend",
  init: () => undefined,
  read: async (language: string, namespace: string) => (await textsOf(language))[namespace] ?? {},
};

const language = firstLanguage();
await i18next
  .use(backend)
  .use(initReactI18next)
  .init({
    lng: language,
    ns: Object.keys(await textsOf(language)),
    fallbackLng: false,
    defaultNS: "common",
    interpolation: { escapeValue: false },
    returnNull: false,
    returnEmptyString: true, // Chinese has no space between sentences
  });

export default i18next;
