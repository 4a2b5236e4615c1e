// Types of all requests and answers, made from the committed document whenever the client is built or tested.
export default {
  input: "../../../docs/openapi.json",
  output: { path: "src/generated", clean: true, indexFile: false },
  plugins: ["@hey-api/typescript"],
};
