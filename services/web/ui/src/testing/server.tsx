import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import type { ReactNode } from "react";

import { client } from "@/client/client.gen";
import "@/app/client";
import { Forgetting } from "@/shared/forgetting/Forgetting";

/** What a scripted server answers: a body for 200, or a problem with its status and code. */
export type Answer = object | { problem: string; status: number };

/**
 * A server that answers by script, in place of the network. What it is not told of is answered 404.
 *
 * @param answers by method and path, such as `POST /api/v1/memory/forget`; a function sees the request's body,
 *   and what it returns is waited for.
 * @returns what was asked, in order, as `METHOD path` with the body after it; and the keys under which, if any.
 */
export function aServer(answers: Record<string, Answer | ((body: unknown) => Answer)>): {
  asked: [string, unknown][];
  keys: (string | null)[];
} {
  const asked: [string, unknown][] = [];
  const keys: (string | null)[] = [];
  const answered = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    const flag = ["dry_run", "restore_forgotten"].find((name) => searchParams.has(name));
    const route = `${request.method} ${pathname}${flag === undefined ? "" : `?${flag}`}`;
    const text = await request.text();
    const isJson = request.headers.get("content-type") === "application/json";
    const body: unknown = text === "" ? undefined : isJson ? JSON.parse(text) : text;
    asked.push([route, body]);
    keys.push(request.headers.get("idempotency-key"));
    const scripted = answers[route] ?? { problem: "not_found", status: 404 };
    const answer = await (typeof scripted === "function" ? scripted(body) : scripted);
    return "problem" in answer
      ? Response.json({ ...answer, code: answer.problem }, answer as ResponseInit)
      : Response.json(answer);
  };
  client.setConfig({ baseUrl: "http://server.test", fetch: ((request: Request) => answered(request)) as typeof fetch });
  return { asked, keys };
}

/** Render with everything that stands around every screen, and nothing remembered from before. */
export function renderApp(children: ReactNode) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return render(
    <MantineProvider env="test">
      <QueryClientProvider client={queries}>
        <Notifications />
        <Forgetting>
          <main>
            <h1>Screen</h1>
            {children}
          </main>
        </Forgetting>
      </QueryClientProvider>
    </MantineProvider>,
  );
}

/** An answer that comes when it is told to. */
export function later(answer: Answer) {
  let come = (): void => undefined;
  const coming = new Promise<Answer>((resolve) => (come = () => resolve(answer)));
  return { come, coming };
}
