import { setTimeout as wait } from "node:timers/promises";

const LOOK_EVERY_MS = 250;
/** Looking must not become a load of its own: after a long look there is as long a pause. */
const PAUSE_FOR_A_LOOK = 2;

/** Asks again and again until it is so; throwing is no. Throws when it is not so in time, with what was thrown last. */
export async function until(
  withinMs: number,
  otherwise: string,
  isSo: () => Promise<boolean>,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    let problem: unknown;
    const lookedAt = Date.now();
    const answer = await isSo().catch((error: unknown) => {
      problem = error;
      return false;
    });
    if (answer) return;
    if (Date.now() > deadline) {
      const why = problem instanceof Error ? ` (${problem.message})` : "";
      throw new Error(`The installation ${otherwise} within ${withinMs / 1000} s${why}.`, { cause: problem });
    }
    await wait(Math.max(LOOK_EVERY_MS, (Date.now() - lookedAt) * PAUSE_FOR_A_LOOK));
  }
}
