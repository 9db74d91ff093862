import { StatsStoreError } from "#libs/stats-store/errors.ts";
import type { EventKey, RowRange, StoredRequest, Visit } from "#libs/stats-store/port.ts";
import { eventKeyOf, splitLines } from "../event-line.ts";
import type { IngestionStore } from "../exactly-once.ts";

/**
 * The stats store as the protocol sees it: it refuses a whole range for one bad line, and each of its tables keeps a
 * token's first rows, so that an insert that reached `events` alone is made good by a repetition of the same rows. `quarter` has
 * no rows without a source.
 */
export class MemoryStore implements IngestionStore {
  readonly tokens = new Map<string, string[]>();
  readonly #daily = new Map<string, string[]>();
  readonly #quarter = new Map<string, string[]>();
  readonly #isRefused: (line: string) => boolean;

  constructor(isRefused: (line: string) => boolean = () => false) {
    this.#isRefused = isRefused;
  }

  get lines(): string[] {
    return [...this.tokens.values()].flat();
  }

  get dailyLines(): string[] {
    return [...this.#daily.values()].flat();
  }

  /** What `quarter` has of its view, and what `fillQuarter` adds. */
  get quarterLines(): string[] {
    return [...[...this.#quarter.values()].flat(), ...this.lines.filter(hasNoSource)];
  }

  insertRange(range: RowRange): Promise<void> {
    return this.#insert(range, [this.tokens, this.#daily], [this.#quarter]);
  }

  /** An insert of an earlier release, without sources. */
  insertAsBefore({ token, rows }: RowRange): Promise<void> {
    const withoutSources = rows.map((row) => Buffer.from(row.toString().replaceAll(/,"\w+"\]\n/g, ',""]\n')));
    return this.#insert({ token, rows: withoutSources }, [this.tokens, this.#daily], []);
  }

  /** An insert that is cut off between the tables. */
  insertIntoEventsAlone(range: RowRange): Promise<void> {
    return this.#insert(range, [this.tokens], []);
  }

  storedIds(keys: readonly EventKey[]): Promise<Set<string>> {
    const stored = new Set(this.lines.map((line) => eventKeyOf(Buffer.from(line))?.id));
    return Promise.resolve(new Set(keys.map(({ id }) => id).filter((id) => stored.has(id))));
  }

  hasRowsWithoutSource(keys: readonly EventKey[]): Promise<boolean> {
    const ids = new Set(keys.map(({ id }) => id));
    const isAsked = (line: string) => ids.has(eventKeyOf(Buffer.from(line))?.id ?? "");
    return Promise.resolve(this.lines.some((line) => hasNoSource(line) && isAsked(line)));
  }

  storedOfRequests(requests: readonly StoredRequest[]): Promise<Set<string>> {
    const keys = this.lines.map((line) => eventKeyOf(Buffer.from(line))).filter((key) => key !== null);
    const isAsked = ({ id, adId, occurredAt }: EventKey) =>
      requests.some(
        ({ request, adIds, from, to }) =>
          id.startsWith(request) && adIds.includes(adId) && occurredAt >= from && occurredAt <= to,
      );
    return Promise.resolve(new Set(keys.filter(isAsked).map(({ id }) => id)));
  }

  countedVisits(visits: readonly Visit[], aroundMs: number): Promise<Visit[]> {
    const stored = this.lines.flatMap((line) => {
      const [id, workspaceId, adId, kind, verdict, visitor, occurredAt] = JSON.parse(line);
      return verdict === "valid" ? [{ id, workspaceId, adId, kind, visitor, occurredAt }] : [];
    });
    const isAsked = (one: Visit) =>
      visits.some(
        ({ adId, visitor, occurredAt }) =>
          one.adId === adId && one.visitor === visitor && Math.abs(one.occurredAt - occurredAt) <= aroundMs,
      );
    return Promise.resolve(stored.filter(isAsked));
  }

  #insert(
    { token, rows }: RowRange,
    tables: readonly Map<string, string[]>[],
    ofSources: readonly Map<string, string[]>[],
  ): Promise<void> {
    const lines = splitLines(rows).map((line) => line.toString().trimEnd());
    if (lines.some(this.#isRefused))
      return Promise.reject(new StatsStoreError("REFUSED", "cannot parse the range"));
    for (const table of tables) if (!table.has(token)) table.set(token, lines);
    const withSource = lines.filter((line) => !hasNoSource(line));
    for (const table of ofSources)
      if (withSource.length > 0 && !table.has(token)) table.set(token, withSource);
    return Promise.resolve();
  }
}

function hasNoSource(row: string): boolean {
  return row.endsWith(',""]');
}
