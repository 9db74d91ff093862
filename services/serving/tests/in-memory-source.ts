import type { Snapshot, SnapshotSource } from "#libs/placements/index.ts";

/** Stands where Postgres stands: answers from a map, counts how often it is asked, and can be away. */
export class InMemorySource implements SnapshotSource {
  readonly #snapshots: Map<string, Snapshot>;
  isAway = false;
  loads = 0;
  searches = 0;

  constructor(snapshots: readonly Snapshot[]) {
    this.#snapshots = new Map(snapshots.map((snapshot) => [snapshot.workspaceId, snapshot]));
  }

  put(snapshot: Snapshot): void {
    this.#snapshots.set(snapshot.workspaceId, snapshot);
  }

  async loadSnapshot(workspaceId: string): Promise<Snapshot | null> {
    this.loads += 1;
    if (this.isAway) throw new Error("the database is away");
    return this.#snapshots.get(workspaceId) ?? null;
  }

  async workspacesOfAds(adIds: readonly string[]): Promise<Map<string, string>> {
    this.searches += 1;
    if (this.isAway) throw new Error("the database is away");
    const asked = new Set(adIds);
    const found = new Map<string, string>();
    for (const { workspaceId, ads } of this.#snapshots.values()) {
      for (const { id } of ads) if (asked.has(id)) found.set(id, workspaceId);
    }
    return found;
  }

  async versions(workspaceIds: readonly string[]): Promise<Map<string, number>> {
    if (this.isAway) throw new Error("the database is away");
    return new Map(
      [...this.#snapshots.values()]
        .filter(({ workspaceId }) => workspaceIds.includes(workspaceId))
        .map(({ workspaceId, version }) => [workspaceId, version]),
    );
  }

  async workspacesAfter(after: string | null, count: number): Promise<Map<string, number>> {
    const ids = [...this.#snapshots.keys()].sort().filter((id) => after === null || id > after);
    return this.versions(ids.slice(0, count));
  }
}
