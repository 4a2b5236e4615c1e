import { byNamespace } from "./byNamespace";

export default byNamespace(import.meta.glob("../../locales/en/*.json", { eager: true, import: "default" }));
