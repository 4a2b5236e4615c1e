import react from "@vitejs/plugin-react";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import postcss from "postcss";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const COMPRESSED = /\.(html|js|css|svg)$/;

const STREAMS = ["src/screens/chat/exchange.test.ts"];

/**
 * Takes the styles of Mantine's components that no script uses out of the style sheet: their classes are named by
 * hashes, so a rule whose classes no script names is not needed.
 */
const withoutUnusedStyles = (): Plugin => ({
  name: "without-unused-styles",
  apply: "build",
  enforce: "post",
  generateBundle(_, bundle) {
    const files = Object.values(bundle);
    const scripts = files.map((file) => (file.type === "chunk" ? file.code : "")).join("");
    const isUsed = (selector: string): boolean => {
      const names = selector.match(/(?<=\.)m_[0-9a-f]+/g);
      return names === null || names.some((name) => scripts.includes(name));
    };
    for (const file of files) {
      if (file.type !== "asset" || !file.fileName.endsWith(".css")) continue;
      const styles = postcss.parse(file.source.toString());
      styles.walkRules((rule) => {
        const used = rule.selectors.filter(isUsed);
        if (used.length === 0) rule.remove();
        else if (used.length < rule.selectors.length) rule.selectors = used;
      });
      styles.walkAtRules((rule) => {
        if (rule.nodes?.length === 0) rule.remove();
      });
      file.source = styles.toString();
    }
  },
});

/** Lets the page ask for the files the app begins with beside its script, not after it. */
const withAppPreloaded = (): Plugin => ({
  name: "with-app-preloaded",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler(_, { bundle = {} }) {
      const chunks = Object.values(bundle).flatMap((file) => (file.type === "chunk" ? [file] : []));
      const start = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith("/src/app/start.tsx"));
      if (start === undefined) throw new Error("the app's first file is not in the build");
      const first = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith("/index.html"));
      const before = (first?.imports ?? []).map((name) => chunks.find((one) => one.fileName === name)?.name);
      if (before.some((name) => name !== "fetching"))
        throw new Error(`the page's first script waits for ${before.join(", ")}`);
      const needed = new Set([
        ...(first?.imports ?? []),
        start.fileName,
        ...start.imports.filter((name) => !chunks.find((one) => one.fileName === name)?.isEntry),
      ]);
      return [...needed].map((name) => ({
        tag: "link",
        attrs: { rel: "modulepreload", crossorigin: true, href: `/${name}` },
        injectTo: "head",
      }));
    },
  },
});

/** Writes a smaller twin of every file for browsers that take Brotli; the build hook adds those for gzip. */
const withBrotli = (): Plugin => ({
  name: "with-brotli",
  apply: "build",
  writeBundle({ dir = "" }, bundle) {
    for (const name of Object.keys(bundle).filter((one) => COMPRESSED.test(one))) {
      const path = join(dir, name);
      writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path)));
    }
  },
});

export default defineConfig({
  plugins: [react(), withoutUnusedStyles(), withAppPreloaded(), withBrotli()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  build: {
    outDir: "../dist",
    emptyOutDir: true,
    sourcemap: false,
    assetsInlineLimit: 0,
    // One style sheet: a screen's own would have to be fetched, and is not asked for again when that failed.
    cssCodeSplit: false,
    modulePreload: false,
    // Few files: what the app begins with, what comes later, what both use, and what fetches the others: that is all
    // the page's first script may need.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "fetching", test: /preload-helper/, priority: 1 },
            { name: "shared", test: /src\/|node_modules/, minShareCount: 2 },
          ],
        },
      },
    },
  },
  server: {
    // The host stays as the browser says it: the gateway compares it with the origin of whatever changes something.
    proxy: Object.fromEntries(
      ["/api", "/readyz"].map((path) => [
        path,
        { target: process.env["GATEWAY"] ?? "http://127.0.0.1:8765", changeOrigin: false },
      ]),
    ),
  },
  test: {
    environment: "jsdom",
    setupFiles: ["src/testing/setup.ts"],
    testTimeout: 30_000,
    projects: [
      // A page for each file, in a worker that goes on: half the time of a worker for each.
      {
        extends: true,
        test: { name: "app", pool: "vmThreads", include: ["src/**/*.test.{ts,tsx}"], exclude: STREAMS },
      },
      // There a page has no streams of its own, and takes the worker's for somebody else's.
      { extends: true, test: { name: "streams", include: STREAMS } },
    ],
  },
});
