import { fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import i18next from "i18next";
import { afterEach, expect, it } from "vitest";

import { Import } from "./Import";
import { bringsSomething } from "./outcome";
import { refusalWords } from "./refusals";
import type { ImportPreview } from "@/client";
import { anOperation, aStep } from "@/testing/operations";
import { type Answer, aServer, renderApp } from "@/testing/server";

const LOOK = "POST /api/v1/memory/import?dry_run";
const BRING = "POST /api/v1/memory/import";
const BRING_BACK = "POST /api/v1/memory/import?restore_forgotten";
const PREVIEW: ImportPreview = {
  source: "memory-center",
  format: "zip",
  schema_version: 1,
  scope: "user",
  counts: { message: 5, memory: 3 },
  new: { message: 4, memory: 1 },
  present: { memory: 1 },
  erased: { message: 1 },
  switched_off: {},
  withheld: { memory: 1 },
  returning: [],
  settings: "kept",
};
const OPERATION = anOperation({
  type: "import",
  status: "succeeded",
  receipt_id: null,
  steps: [aStep("apply", { status: "succeeded", counts: { message: 4, memory: 1, present: 1 } })],
});

const aPerson = (look: Answer = PREVIEW) =>
  aServer({
    [LOOK]: look,
    [BRING]: { op_id: OPERATION.id, receipt_id: null },
    [`GET /api/v1/memory/ops/${OPERATION.id}`]: OPERATION,
  });

const FILE = new File(["content"], "ada.zip", { type: "application/zip" });

const choose = (file = FILE) => userEvent.upload(document.querySelector("input[type=file]") as HTMLInputElement, file);

afterEach(() => i18next.changeLanguage("en"));

it("shows what would become of everything before anything happens", async () => {
  const server = aPerson();
  renderApp(<Import />);
  await choose();
  expect(await screen.findByRole("heading", { name: "Import preview" })).toHaveFocus();
  expect(screen.getByRole("row", { name: "New 4 messages and 1 memory" })).toBeInTheDocument();
  expect(screen.getByRole("row", { name: "Already here, stays as it is 1 memory" })).toBeInTheDocument();
  expect(screen.getByRole("row", { name: "Forgotten here before, stays forgotten 1 message" })).toBeInTheDocument();
  expect(screen.getByRole("row", { name: /looks like a password or similar 1 memory/ })).toBeInTheDocument();
  expect(screen.queryByText(/switched off/)).toBeNull();
  expect(server.asked).toEqual([[LOOK, "content"]]);
});

it("brings in what was looked at, and says what came of it", async () => {
  const server = aPerson();
  renderApp(<Import />);
  await choose();
  await userEvent.click(await screen.findByRole("button", { name: "Import" }));
  expect(await screen.findByRole("heading", { name: "Imported a package" })).toHaveFocus();
  expect(screen.getByText("Added: 4 messages and 1 memory.")).toBeInTheDocument();
  expect(server.asked).toContainEqual([BRING, "content"]);
});

it("offers nothing to do when all of it is here", async () => {
  aPerson({ ...PREVIEW, new: {} });
  renderApp(<Import />);
  await choose();
  expect(await screen.findByRole("heading", { name: "This file has nothing new" })).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Import" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Choose another file" }));
  expect(screen.getByRole("button", { name: "Choose a file" })).toHaveFocus();
});

it("says what was forgotten with everything, and brings it back only when that is agreed to", async () => {
  const returning = [{ op_id: OPERATION.id, forgotten_at: "2026-01-02T03:04:05Z", records: 4 }];
  const server = aServer({
    [LOOK]: { ...PREVIEW, returning },
    [BRING_BACK]: { op_id: OPERATION.id, receipt_id: null },
    [`GET /api/v1/memory/ops/${OPERATION.id}`]: OPERATION,
  });
  renderApp(<Import />);
  await choose();
  expect(
    await screen.findByText(/You forgot everything. 4 records of this file were deleted then/),
  ).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Import" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Import and restore these" }));
  expect(await screen.findByRole("heading", { name: "Imported a package" })).toBeInTheDocument();
  expect(server.asked).toContainEqual([BRING_BACK, "content"]);
});

it("counts settings as something", () => {
  expect(bringsSomething({ ...PREVIEW, new: { memory: 0 }, settings: "restored" })).toBe(true);
  expect(bringsSomething({ ...PREVIEW, new: { memory: 0 } })).toBe(false);
});

it.each([
  ["en", "It is damaged or incomplete. Download it again.", "In memories.jsonl, entry 7"],
  ["zh", "文件已损坏或不完整，请重新下载。", "位于 memories.jsonl 第 7 条"],
])("says in %s why a file is refused, and where", async (language, words, place) => {
  await i18next.changeLanguage(language);
  const errors = [{ file: "memories.jsonl", record: 7 }];
  aPerson({ problem: "package_malformed", status: 422, errors });
  renderApp(<Import />);
  await choose();
  const alert = await screen.findByRole("alert");
  expect(alert).toHaveTextContent(words);
  expect(alert).toHaveTextContent(place);
  await waitFor(() => expect(screen.getByRole("button", { name: i18next.t("data:import.choose") })).toHaveFocus());
});

it("has words for a refusal it does not know, and says when the file is not to blame", () => {
  const problem = (code: string) => ({ code, status: 422, title: "", type: "about:blank" });
  expect(refusalWords(i18next.t, problem("package_new"))).toBe("Something in it is not valid.");
  expect(refusalWords(i18next.t, problem("busy"))).toBeNull();
  expect(refusalWords(i18next.t, new Error("unreachable"))).toBeNull();
});

it("takes one dropped file, and no several", async () => {
  const server = aPerson();
  renderApp(<Import />);
  const place = screen.getByText("or drop it here");
  fireEvent.drop(place, { dataTransfer: { files: [FILE, FILE] } });
  expect(await screen.findByText("One file at a time, please.")).toBeInTheDocument();
  expect(server.asked).toEqual([]);
  fireEvent.drop(place, { dataTransfer: { files: [FILE] } });
  expect(await screen.findByRole("heading", { name: "Import preview" })).toBeInTheDocument();
});
