import type { Placements, SnapshotSource } from "./port.ts";

const PAGE = 200;
const AT_ONCE = 4;

export interface RebuildOptions {
  readonly source: SnapshotSource;
  readonly placements: Placements;
  /** `all` rewrites every snapshot; `outdated` only those that the store has in an older version. */
  readonly which: "all" | "outdated";
  /** Stops early, without an error. */
  readonly signal?: AbortSignal;
}

/**
 * Synchronizes the store with the database, a page of workspaces at a time. Returns the number of snapshots written.
 * Rejects when the store or the database is away.
 */
export async function rebuildSnapshots(options: RebuildOptions): Promise<number> {
  const { source, placements, which, signal } = options;
  let written = 0;

  async function publish(workspaceIds: string[]): Promise<void> {
    for (let next = workspaceIds.pop(); next !== undefined; next = workspaceIds.pop()) {
      if (signal?.aborted) return;
      const snapshot = await source.loadSnapshot(next);
      if (snapshot !== null && (await placements.publish(snapshot))) written += 1;
    }
  }

  let after: string | null = null;
  while (!signal?.aborted) {
    const current: ReadonlyMap<string, number> = await source.workspacesAfter(after, PAGE);
    const workspaceIds = [...current.keys()];
    after = workspaceIds.at(-1) ?? null;
    if (after === null) break;
    const stored = which === "all" ? undefined : await placements.versions(workspaceIds);
    const due = workspaceIds.filter((id) => isDue(current.get(id), stored?.get(id), which));
    await Promise.all(Array.from({ length: AT_ONCE }, () => publish(due)));
  }
  return written;
}

function isDue(
  current: number | undefined,
  stored: number | undefined,
  which: RebuildOptions["which"],
): boolean {
  if (which === "all") return true;
  // A missing snapshot is loaded when it is requested.
  return current !== undefined && stored !== undefined && stored < current;
}
