// The AI SDK with the middleware: prints what the model answered, whole and streamed.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, streamText, wrapLanguageModel } from "ai";

import { memoryMiddleware } from "../../../services/clients/typescript/src/ai-sdk.ts";
import { MemoryCenter } from "../../../services/clients/typescript/src/index.ts";

const { UPSTREAM = "", URL: url = "", TOKEN = "", CONVERSATION = "", MEMORY_URL = url } = process.env;
const provider = createOpenAICompatible({ name: "scripted", baseURL: `${UPSTREAM}/v1` });
const memory = new MemoryCenter(MEMORY_URL, { token: TOKEN, retries: 0 });
const problems: string[] = [];
const model = wrapLanguageModel({
  model: provider("m"),
  middleware: memoryMiddleware(memory, {
    conversationId: CONVERSATION,
    onError: (problem) => problems.push((problem as Error).name),
  }),
});
const system = "You are kind.";
const whole = await generateText({ model, system, prompt: "May I eat satay?" });
const streaming = streamText({ model, system, prompt: "I moved to Lisbon last week. May I eat satay there?" });
let streamed = "";
for await (const text of streaming.textStream) streamed += text;
console.log(JSON.stringify({ whole: whole.text, streamed: streamed.trim(), problems }));
