const WAITS_AT_MOST_MS = 20_000;

/** Asks until there is an answer. Throws with `complaint` after `withinMs`, and as soon as asking throws. */
export async function until<T>(
  ask: () => Promise<T | undefined>,
  complaint: string,
  withinMs: number = WAITS_AT_MOST_MS,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > deadline) throw new Error(complaint);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
