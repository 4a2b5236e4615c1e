export default import.meta.glob<object>("../../locales/en/*.json", { eager: true, import: "default" });
