// mem0's own client in TypeScript, unchanged but for its host.
import { MemoryClient } from "mem0ai";

const { HOST, KEY, WHO } = process.env;
const client = new MemoryClient({ apiKey: KEY, host: HOST });
const of = { filters: { user_id: WHO } };
await client.add([{ role: "user", content: "I keep bees." }], { userId: WHO, infer: false, metadata: { topic: "hobby" } });
const all = await client.getAll(of);
const [bees] = all.results;
const found = await client.search("bees", of);
await client.delete(bees.id);
const after = await client.getAll(of);
console.log(
  JSON.stringify({
    all: all.results.map((one) => one.memory),
    metadata: bees.metadata,
    found: found.results.map((one) => one.memory),
    after: after.results.map((one) => one.memory),
  }),
);
