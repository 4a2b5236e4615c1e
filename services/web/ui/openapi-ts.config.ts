import { defineConfig } from "@hey-api/openapi-ts";

// The client is generated from the committed document on every build, so it cannot drift from it.
export default defineConfig({
  input: "../../../docs/openapi.json",
  output: { path: "src/client" },
  plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk", "@tanstack/react-query"],
});
