import { BUILT_IN } from "./assistant";
import { createConversation, postMessages } from "@/client";

interface Sample {
  title: string;
  /** What is said and answered, in turn. */
  turns: readonly (readonly [said: string, answered: string])[];
}

/** Short conversations to look around with; their titles say that they are examples. */
export const SAMPLES: Record<"en" | "zh", readonly Sample[]> = {
  en: [
    {
      title: "Example: moving to Lisbon",
      turns: [
        ["Hi, I'm Ada. I moved to Lisbon in March and work as a structural engineer.", "Hello Ada. How is Lisbon?"],
        [
          "Lovely. I live in Alfama now, with my cat Miro. I go running by the river on Tuesday mornings.",
          "Alfama and the river, that sounds good.",
        ],
        ["My sister Clara visits me next week.", "I see. Enjoy the time together."],
      ],
    },
    {
      title: "Example: dinner",
      turns: [
        ["I'm allergic to peanuts, please remember that.", "I see: no peanuts."],
        ["And I prefer vegetarian food. I don't like coriander at all.", "I see: vegetarian, without coriander."],
      ],
    },
    {
      title: "Example: how to answer me",
      turns: [
        ["Please answer briefly, with the code first.", "I see: code first, and brief."],
        ["I write mostly Python at work, and I am learning Rust in the evenings.", "I see."],
      ],
    },
  ],
  zh: [
    {
      title: "示例：搬到杭州",
      turns: [
        ["你好，我叫林晚。我今年三月搬到了杭州，是一名结构工程师。", "你好，林晚。杭州住得还习惯吗？"],
        ["挺好的。我住在西湖边，养了一只叫米罗的猫，每周二早上沿湖跑步。", "沿湖跑步，听起来不错。"],
        ["我姐姐下周来看我。", "好的，祝你们玩得开心。"],
      ],
    },
    {
      title: "示例：晚饭",
      turns: [
        ["我对花生过敏，请记住。", "好的，不吃花生。"],
        ["我喜欢吃素，不喜欢香菜。", "好的，吃素，不要香菜。"],
      ],
    },
    {
      title: "示例：怎样回答我",
      turns: [
        ["回答请简短一些，先给代码。", "好的，先给代码，简短回答。"],
        ["我工作中主要写 Python，晚上在学 Rust。", "好的。"],
      ],
    },
  ],
};

/** Record one example; repeated with the same key it changes nothing. Returns the conversation's id. */
export async function addSample({ title, turns }: Sample, key: string): Promise<string> {
  const { data } = await createConversation({
    body: { title },
    headers: { "Idempotency-Key": key },
    throwOnError: true,
  });
  const messages = turns.flatMap(([said, answered], turn) => [
    { role: "user" as const, content: said, client_message_id: `${key}:${turn}` },
    { role: "assistant" as const, content: answered, name: BUILT_IN, client_message_id: `${key}:${turn}:answer` },
  ]);
  await postMessages({ body: { conversation_id: data.id, messages }, throwOnError: true });
  return data.id;
}
