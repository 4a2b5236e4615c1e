// Runs before everything else. A file, because the policy forbids inline scripts.

// Language and colours before the first paint, so that nothing flashes.
(() => {
  const scheme = localStorage.getItem("mantine-color-scheme-value") ?? "auto";
  const dark = scheme === "dark" || (scheme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
  const language = localStorage.getItem("language") ?? navigator.language;
  document.documentElement.lang = language.startsWith("zh") ? "zh-CN" : "en";
})();

// As long as nothing of the app is on the page: words after two seconds, and another try when a file of it cannot be had.
(() => {
  const AGAIN_MILLISECONDS = 3000;
  const WORDS_MILLISECONDS = 2000;
  const chinese = document.documentElement.lang === "zh-CN";
  const words = {
    loading: chinese ? "正在加载……" : "Loading…",
    away: chinese
      ? "服务器没有应答。这个页面会自动重试。"
      : "The server does not answer. This page tries again by itself.",
  };
  const say = (name) => {
    const root = document.getElementById("root");
    const there = root === null ? null : root.querySelector("main");
    if (root === null || (there !== null && (there.dataset.before === undefined || name === "loading"))) return false;
    const main = document.createElement("main");
    main.dataset.before = "";
    main.style.cssText = "max-width: 560px; margin: 0 auto; padding: 15dvh 16px 16px; font-family: system-ui, sans-serif";
    const title = document.createElement("h1");
    title.textContent = "Memory Center";
    const line = document.createElement("p");
    line.setAttribute("role", "status");
    line.textContent = words[name];
    main.append(title, line);
    root.replaceChildren(main);
    return true;
  };
  let away = false;
  const tryAgain = () => {
    if (away || !say("away")) return;
    away = true;
    setTimeout(() => location.reload(), AGAIN_MILLISECONDS);
  };
  addEventListener("vite:preloadError", tryAgain);
  addEventListener(
    "error",
    ({ target }) => {
      const isNeeded = target instanceof HTMLScriptElement || (target instanceof HTMLLinkElement && target.rel === "stylesheet");
      if (isNeeded) tryAgain();
    },
    true,
  );
  setTimeout(() => away || say("loading"), WORDS_MILLISECONDS);
})();
