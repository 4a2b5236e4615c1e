import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type ComponentType, Suspense, useState } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { Boundary } from "./Boundary";
import { OnDemand } from "./OnDemand";
import { fetchAhead, part } from "./parts";

type File = { default: ComponentType };

const here = (): Promise<File> => Promise.resolve({ default: () => <p>here</p> });
const away = (): Promise<File> => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));

beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => undefined)); // React tells of what a boundary caught
afterEach(() => vi.restoreAllMocks());

/** A file that comes, or cannot be had, as the server is at that moment. */
function aFile() {
  const load = vi.fn(here);
  return { load, Part: part<object>(load) };
}

function Screen({ Part, place }: { Part: ComponentType; place: string }) {
  return (
    <>
      <nav>elsewhere</nav>
      <Boundary place={place} broken={({ again }) => <button onClick={again}>again</button>}>
        <Suspense fallback="coming">
          <Part />
        </Suspense>
      </Boundary>
    </>
  );
}

it("a screen whose file cannot be had leaves what is around it, and appears when it is asked for again", async () => {
  const { load, Part } = aFile();
  load.mockImplementation(away);
  render(<Screen Part={Part} place="/a" />);
  await userEvent.click(await screen.findByText("again"));
  await waitFor(() => expect(load).toHaveBeenCalledTimes(2));
  expect(await screen.findByText("again")).toBeVisible();
  expect(screen.getByText("elsewhere")).toBeVisible();

  load.mockImplementation(here);
  await userEvent.click(screen.getByText("again"));
  expect(await screen.findByText("here")).toBeVisible();
});

it("going elsewhere and back asks for it again", async () => {
  const { load, Part } = aFile();
  load.mockImplementationOnce(away);
  const { rerender } = render(<Screen Part={Part} place="/a" />);
  await screen.findByText("again");
  rerender(<Screen Part={Part} place="/b" />);
  expect(await screen.findByText("here")).toBeVisible();
});

it("a file that was fetched ahead is shown at once, and asked for only once", async () => {
  const { load, Part } = aFile();
  load.mockImplementationOnce(away);
  await fetchAhead();
  await fetchAhead();
  render(<Screen Part={Part} place="/a" />);
  expect(screen.getByText("here")).toBeVisible();
  expect(load).toHaveBeenCalledTimes(2);
});

function Opener({ Part }: { Part: ComponentType }) {
  const [open, setOpen] = useState(false);
  return (
    <MantineProvider env="test">
      <Notifications />
      <button onClick={() => setOpen(true)}>open</button>
      {open && (
        <OnDemand onFailed={() => setOpen(false)}>
          <Part />
        </OnDemand>
      )}
    </MantineProvider>
  );
}

it("what cannot be opened over a screen is said, and can be opened later", async () => {
  const { load, Part } = aFile();
  load.mockImplementationOnce(away);
  render(<Opener Part={Part} />);
  await userEvent.click(screen.getByText("open"));
  expect(await screen.findByText(/This could not be opened/)).toBeVisible();
  await userEvent.click(screen.getByText("open"));
  expect(await screen.findByText("here")).toBeVisible();
});
