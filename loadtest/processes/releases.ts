/** Takes what has to be given back at the end; the last taken is given back first. */
export type Later = (release: () => Promise<unknown>) => void;

/** Runs `body` and then releases all that it has begun, also when it fails. A release that fails keeps none from its turn. */
export async function releasing<T>(body: (later: Later) => Promise<T>): Promise<T> {
  const releases: (() => Promise<unknown>)[] = [];
  let problem: unknown;
  try {
    return await body((release) => releases.push(release));
  } finally {
    for (const release of releases.reverse()) {
      await release().catch((error: unknown) => {
        problem ??= error;
      });
    }
    if (problem !== undefined) process.stderr.write(`Something did not stop as it should: ${problem}\n`);
  }
}
