import react from "@vitejs/plugin-react";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  build: { outDir: "../dist", emptyOutDir: true, sourcemap: false, assetsInlineLimit: 0 },
  server: {
    // The host stays as the browser says it: the gateway compares it with the origin of whatever changes something.
    proxy: Object.fromEntries(
      ["/api", "/readyz"].map((path) => [
        path,
        { target: process.env["GATEWAY"] ?? "http://127.0.0.1:8765", changeOrigin: false },
      ]),
    ),
  },
  test: { environment: "jsdom", setupFiles: ["src/testing/setup.ts"] },
});
