// Chat completions and responses, streamed and not, through the proxy: prints one JSON line of what was answered.
import OpenAI from "openai";

const { PROXY, TOKEN, CONVERSATION } = process.env;
const client = new OpenAI({
  baseURL: `${PROXY}/openai/v1`,
  apiKey: "none",
  defaultHeaders: { "Memory-Authorization": `Bearer ${TOKEN}`, "Memory-Conversation": CONVERSATION },
});
const messages = [{ role: "user", content: "May I eat satay?" }];
const whole = await client.chat.completions.create({ model: "m", messages });
let streamed = "";
for await (const event of await client.chat.completions.create({ model: "m", messages, stream: true })) {
  streamed += event.choices[0]?.delta?.content ?? "";
}
const response = await client.responses.create({ model: "m", input: "May I eat satay?" });
console.log(
  JSON.stringify({ whole: whole.choices[0].message.content, streamed: streamed.trim(), response: response.output_text }),
);
