/** More changes than that, each while the processor is being asked, are no coincidence. */
const ATTEMPTS = 10;

/**
 * Takes down the processor's current word without holding a lock, or a connection, while it is asked. `attempt` notes the
 * row's `sync_version`, asks, and writes only over that version; when another writer was faster it answers `outdated`,
 * and looks again: so what was read earlier never overwrites what was read later. Throws when that does not end.
 */
export async function untilCurrent<T>(attempt: () => Promise<T | "outdated">): Promise<T> {
  for (let n = 0; n < ATTEMPTS; n += 1) {
    const outcome = await attempt();
    if (outcome !== "outdated") return outcome;
  }
  throw new Error(`the processor's word was out of date ${ATTEMPTS} times in a row`);
}
