import { type ComponentType, createElement, lazy, useState } from "react";

/** A file of the app could not be fetched: the server does not answer, or has a newer version without that file. */
export class NotFetched extends Error {
  constructor(cause: unknown) {
    super("a part of the app could not be fetched", { cause });
  }
}

interface Part {
  fetch: () => Promise<unknown>;
  forgetFailure: () => void;
}

const parts: Part[] = [];

/**
 * A component in a file of its own, shown at once when the file is there already.
 *
 * While the file comes, the nearest `Suspense` stands in; when it cannot be had, the nearest `Boundary` says so. It is
 * asked for again after `forgetFailures`.
 *
 * @param load imports the file.
 */
export function part<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  let here: ComponentType<Props> | undefined;
  let coming: Promise<ComponentType<Props>> | undefined;
  let standIn: ComponentType<Props> | undefined;
  let failed = false;
  const fetch = () =>
    (coming ??= load().then(
      (file) => (here = file.default),
      (cause: unknown) => {
        failed = true;
        throw new NotFetched(cause);
      },
    ));
  const forgetFailure = () => {
    if (failed) coming = standIn = undefined;
    failed = false;
  };
  parts.push({ fetch, forgetFailure });

  function Part(props: Props) {
    // Chosen once: what is on the screen stays what it is.
    const [Component] = useState(() => here ?? (standIn ??= lazy(async () => ({ default: await fetch() }))));
    return createElement(Component, props);
  }
  return Part;
}

/** Let what could not be fetched be asked for again. */
export const forgetFailures = (): void => parts.forEach(({ forgetFailure }) => forgetFailure());

/** Fetch every file that is not here yet, so that no click has to wait for the network. What fails is left for later. */
export async function fetchAhead(): Promise<void> {
  forgetFailures();
  await Promise.allSettled(parts.map(({ fetch }) => fetch()));
  forgetFailures(); // who needs it asks again
}
