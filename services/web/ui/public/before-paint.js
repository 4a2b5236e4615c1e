// Sets language and colours before the first paint, so that nothing flashes. A file, because the policy forbids inline scripts.
(() => {
  const scheme = localStorage.getItem("mantine-color-scheme-value") ?? "auto";
  const dark = scheme === "dark" || (scheme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
  const language = localStorage.getItem("language") ?? navigator.language;
  document.documentElement.lang = language.startsWith("zh") ? "zh-CN" : "en";
})();
