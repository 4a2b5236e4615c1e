import { byNamespace } from "./byNamespace";

export default byNamespace(import.meta.glob("../../locales/zh/*.json", { eager: true, import: "default" }));
