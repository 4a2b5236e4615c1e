import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import i18next from "i18next";
import { afterEach, expect, it } from "vitest";

import { Export } from "./Export";
import { requestFor } from "./wanted";
import type { ExportOut, OperationOut } from "@/client";
import { anOperation, aStep } from "@/testing/operations";
import { type Answer, aServer, later, renderApp } from "@/testing/server";

const PACKED = anOperation({ type: "export_user", scope: "user", status: "succeeded", receipt_id: null, steps: [] });
const READY: ExportOut = {
  op_id: PACKED.id,
  scope: "user",
  conversation_id: null,
  format: "zip",
  language: "en",
  ready: true,
  bytes: 1_234_567,
  sha256: "ab12",
  exported_at: "2026-11-22T12:00:00Z",
  expires_at: "2999-11-23T12:00:00Z",
};

const KEPT: Answer = { counts: { postgres: { conversations: 3, messages: 18, memories: 1 } }, turns_learned_again: 0 };

const DINNER = { id: "c1", title: "Dinner", created_at: "2026-11-21T12:00:00Z", message_count: 1 };

const aPerson = (
  operations: readonly OperationOut[],
  found: Answer = READY,
  scripted: Parameters<typeof aServer>[0] = {},
) =>
  aServer({
    "POST /api/v1/memory/forget/dry-run": KEPT,
    "GET /api/v1/memory/overview": { conversations: 2 },
    "GET /api/v1/memory/ops": operations,
    [`GET /api/v1/memory/exports/${PACKED.id}`]: found,
    "GET /api/v1/conversations": [
      { id: "c2", title: "Berlin trip", created_at: "2026-11-22T12:00:00Z", message_count: 4 },
      DINNER,
    ],
    "GET /api/v1/conversations/c1": DINNER,
    "POST /api/v1/memory/export": { op_id: PACKED.id, receipt_id: null },
    ...scripted,
  });

const wishes = (server: ReturnType<typeof aServer>) =>
  server.asked.filter(([route]) => route === "POST /api/v1/memory/export").map(([, body]) => body);

afterEach(async () => {
  await i18next.changeLanguage("en");
  history.replaceState(null, "", "/");
});

it("asks for a conversation only by its id", () => {
  const wanted = { scope: "conversation", conversation: undefined, format: "zip", language: "en" } as const;
  expect(requestFor(wanted)).toBeUndefined();
  expect(requestFor({ ...wanted, conversation: "c1" })).toEqual({
    scope: "conversation",
    conversation_id: "c1",
    format: "zip",
    language: "en",
  });
  expect(requestFor({ ...wanted, scope: "user", conversation: "c1" })).not.toHaveProperty("conversation_id");
});

const ask = (words = "Export…") => userEvent.click(screen.getByRole("button", { name: words }));

const agree = async (words = "Export") =>
  userEvent.click(await within(await screen.findByRole("dialog")).findByRole("button", { name: words }));

it.each([
  ["en", "Export…", "Export"],
  ["zh", "导出…", "导出"],
])(
  "packs everything in the language that is shown, once it was asked, without a phrase: %s",
  async (language, ...texts) => {
    const [open, button] = texts;
    await i18next.changeLanguage(language);
    const server = aPerson([]);
    renderApp(<Export />);
    await ask(open);
    const dialog = await screen.findByRole("dialog");
    expect(within(dialog).queryByRole("textbox")).toBeNull();
    expect(wishes(server)).toEqual([]);

    await agree(button);
    await waitFor(() =>
      expect(wishes(server)).toEqual([{ scope: "user", format: "zip", language, confirmation: true }]),
    );
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
  },
);

it("says what leaves, and what that means, before everything does", async () => {
  aPerson([]);
  renderApp(<Export />);
  await ask();
  expect(await screen.findByText("2 conversations, 18 messages, and 1 memory")).toBeInTheDocument();
  expect(screen.queryByText(/could not be counted/)).toBeNull();
  expect(screen.getByText(/Anyone who has the file can read all of it/)).toBeInTheDocument();
  expect(
    screen.getByText(/Only you and the service that runs your assistant can download it here/),
  ).toBeInTheDocument();
  expect(screen.getByText(/If you forget something in it/)).toBeInTheDocument();
});

it("lets nothing leave when somebody thinks better of it", async () => {
  const server = aPerson([]);
  renderApp(<Export />);
  for (const leave of [() => userEvent.click(screen.getByRole("button", { name: "Not now" })), escape]) {
    await ask();
    await screen.findByRole("dialog");
    await leave();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await waitFor(() => expect(screen.getByRole("button", { name: "Export…" })).toHaveFocus());
  }
  expect(wishes(server)).toEqual([]);
});

const escape = () => userEvent.keyboard("{Escape}");

it("is not closed while it is being asked for, however somebody tries", async () => {
  const { come, coming } = later({ op_id: PACKED.id, receipt_id: null });
  const server = aPerson([], READY, { "POST /api/v1/memory/export": () => coming });
  renderApp(<Export />);
  await ask();
  await agree();
  await waitFor(() => expect(wishes(server)).toHaveLength(1));
  const dialog = screen.getByRole("dialog");
  const notNow = within(dialog).getByRole("button", { name: "Not now" });
  await waitFor(() => expect(notNow).toBeDisabled());
  expect(within(dialog).getByRole("button", { name: "Close" })).toBeDisabled();
  await escape();
  expect(dialog).toBeInTheDocument();
  come();
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  expect(wishes(server)).toHaveLength(1);
});

it("can be closed again when it could not be packed", async () => {
  const { come, coming } = later({ problem: "busy", status: 503 });
  aPerson([], READY, { "POST /api/v1/memory/export": () => coming });
  renderApp(<Export />);
  await ask();
  await agree();
  const notNow = await screen.findByRole("button", { name: "Not now" });
  await waitFor(() => expect(notNow).toBeDisabled());
  come();
  await waitFor(() => expect(notNow).toBeEnabled());
  await escape();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

const UNCOUNTED = {
  en: "All conversations, messages and memories. They could not be counted just now.",
  zh: "全部会话、消息和记忆。具体数量暂时无法统计。",
};

it.each([
  ["en", "POST /api/v1/memory/forget/dry-run"],
  ["en", "GET /api/v1/memory/overview"],
  ["zh", "GET /api/v1/memory/overview"],
] as const)("says in %s that it could not be counted: %s", async (language, broken) => {
  await i18next.changeLanguage(language);
  aPerson([], READY, { [broken]: { problem: "busy", status: 503 } });
  renderApp(<Export />);
  await ask(language === "en" ? "Export…" : "导出…");
  expect(await screen.findByText(UNCOUNTED[language])).toBeInTheDocument();
});

it("lets everything leave though it cannot be counted, and says when it could not be packed", async () => {
  const refused = { problem: "too_many_exports", status: 429 };
  const broken = { problem: "busy", status: 503 };
  const server = aPerson([], READY, {
    "POST /api/v1/memory/forget/dry-run": broken,
    "POST /api/v1/memory/export": refused,
  });
  renderApp(<Export />);
  await ask();
  await agree();
  expect(await screen.findByText(/You have as many packages as you can keep/)).toBeInTheDocument();
  expect(screen.getByRole("dialog")).toBeInTheDocument();
  expect(wishes(server)).toHaveLength(1);
  await escape();
  await ask();
  expect(screen.queryByText(/You have as many packages as you can keep/)).toBeNull();
});

it("packs the conversation that is chosen, the newest at first", async () => {
  const server = aPerson([]);
  renderApp(<Export />);
  await userEvent.click(screen.getByLabelText("One conversation"));
  const which = await screen.findByLabelText("Which conversation");
  await waitFor(() => expect(which).toHaveValue("c2"));
  await userEvent.selectOptions(which, "Dinner");
  await userEvent.click(screen.getByLabelText("Markdown"));
  await ask();
  expect(await screen.findByText("“Dinner”, 1 message")).toBeInTheDocument();
  expect(wishes(server)).toEqual([]);
  await userEvent.click(screen.getByRole("button", { name: "Export" }));
  await waitFor(() =>
    expect(wishes(server)).toEqual([
      { scope: "conversation", conversation_id: "c1", format: "markdown", language: "en" },
    ]),
  );
});

const askForDinner = async () => {
  await userEvent.click(screen.getByLabelText("One conversation"));
  await userEvent.selectOptions(await screen.findByLabelText("Which conversation"), "Dinner");
  await ask();
};

it("lets no conversation leave before it is known by its name", async () => {
  const { come, coming } = later(DINNER);
  const server = aPerson([], READY, { "GET /api/v1/conversations/c1": () => coming });
  renderApp(<Export />);
  await askForDinner();
  const button = await screen.findByRole("button", { name: "Export" });
  expect(button).toBeDisabled();
  expect(screen.queryByText(/Also its summary/)).toBeNull();
  come();
  expect(await screen.findByText("“Dinner”, 1 message")).toBeInTheDocument();
  expect(button).toBeEnabled();
  expect(wishes(server)).toEqual([]);
});

it("says when a conversation is not there any more, and lets nothing leave", async () => {
  const server = aPerson([], READY, { "GET /api/v1/conversations/c1": { problem: "not_found", status: 404 } });
  renderApp(<Export />);
  await askForDinner();
  expect(await screen.findByText("There is nothing here, or it is not yours.")).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Export" })).toBeDisabled();
  expect(wishes(server)).toEqual([]);
});

it("shows how large a package is, and the way to it", async () => {
  aPerson([PACKED]);
  renderApp(<Export />);
  const link = await screen.findByRole("link", { name: "Download" });
  expect(link).toHaveAttribute("href", `/api/v1/memory/exports/${PACKED.id}/package`);
  expect(screen.getByText(/1\.2.MB/)).toBeInTheDocument();
  expect(screen.getByText("ab12")).toBeInTheDocument();
});

it("tells what is packed already, in Chinese with its spaces", async () => {
  await i18next.changeLanguage("zh");
  const step = aStep("package", { status: "running", counts: { summary: 1, feedback: 8 } });
  aPerson([anOperation({ ...PACKED, status: "running", steps: [step] })]);
  renderApp(<Export />);
  expect(await screen.findByText("目前已有：1 份摘要和 8 条反馈")).toBeInTheDocument();
});

it("tells what is packed already while it runs", async () => {
  const step = aStep("package", { status: "running", counts: { message: 300, memory: 2 } });
  aPerson([anOperation({ ...PACKED, status: "running", steps: [step] })]);
  renderApp(<Export />);
  expect(await screen.findByText("So far: 300 messages and 2 memories")).toBeInTheDocument();
  expect(screen.queryByRole("link", { name: "Download" })).toBeNull();
});

it.each<[string, Answer]>([
  ["withdrawn", { problem: "export_gone", status: 410 }],
  ["over its time", { ...READY, expires_at: "2020-01-01T00:00:00Z" }],
])("says that a package is gone that was %s, and offers another", async (_, found) => {
  aPerson([PACKED], found);
  renderApp(<Export />);
  expect(await screen.findByText(/This package can no longer be downloaded/)).toBeInTheDocument();
  expect(screen.queryByRole("link", { name: "Download" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Export again" }));
  expect(screen.getByRole("button", { name: "Export…" })).toHaveFocus();
});

it("asks for the same conversation again, not for the one opened last", async () => {
  const over = { ...READY, scope: "conversation", conversation_id: "c1", expires_at: "2020-01-01T00:00:00Z" };
  const server = aPerson([{ ...PACKED, type: "export_conversation", scope: "conversation" }], over);
  renderApp(<Export />);
  await userEvent.click(await screen.findByRole("button", { name: "Export again" }));
  await ask();
  await agree();
  await waitFor(() => expect(wishes(server)).toMatchObject([{ scope: "conversation", conversation_id: "c1" }]));
});

it.each(["export_selection", "export_conversation"])("offers nothing again that it does not know: %s", async (type) => {
  aPerson([{ ...PACKED, type, scope: "selection" }], { problem: "export_gone", status: 410 });
  renderApp(<Export />);
  await screen.findByText(/can no longer be downloaded/);
  expect(screen.queryByRole("button", { name: "Export again" })).toBeNull();
});

it("says why an export that was cut off has no package", async () => {
  aPerson([anOperation({ ...PACKED, status: "cancelled" })]);
  renderApp(<Export />);
  const card = await screen.findByRole("article");
  expect(within(card).getByText(/something in it was forgotten meanwhile/)).toBeInTheDocument();
  expect(within(card).getByRole("button", { name: "Export again" })).toBeInTheDocument();
});
