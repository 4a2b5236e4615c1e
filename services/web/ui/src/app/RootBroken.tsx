import i18n from "./i18n";

/** In place of everything: it may need nothing of the app, not even its looks. */
export const RootBroken = () => (
  <main style={{ maxWidth: 560, margin: "0 auto", padding: 24, fontFamily: "system-ui, sans-serif" }}>
    <h1>{i18n.t("product")}</h1>
    <p role="alert">{i18n.t("broken.everything")}</p>
    <button type="button" onClick={() => location.reload()}>
      {i18n.t("broken.reload")}
    </button>
  </main>
);
