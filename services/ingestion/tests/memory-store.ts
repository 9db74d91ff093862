import type { RowForm } from "#libs/domain/logged-event.ts";
import { StatsStoreError } from "#libs/stats-store/errors.ts";
import type { EventKey, RowRange, StoredRequest, Visit } from "#libs/stats-store/port.ts";
import { eventKeyOf, splitLines } from "../event-line.ts";
import type { IngestionStore } from "../exactly-once.ts";

/**
 * The stats store as the protocol sees it: it refuses a whole range for one bad line, and each of its tables keeps a
 * token's first rows, so that an insert that reached `events` alone is made good by a repetition of the same rows. `quarter` has
 * no rows without a source, `wide` none without a place.
 */
export class MemoryStore implements IngestionStore {
  readonly tokens = new Map<string, string[]>();
  readonly #daily = new Map<string, string[]>();
  readonly #quarter = new Map<string, string[]>();
  readonly #wide = new Map<string, string[]>();
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

  /** What `quarter` has of its view, and what is filled in. */
  get quarterLines(): string[] {
    return [...[...this.#quarter.values()].flat(), ...this.lines.filter(hasNoSource)];
  }

  /** What `wide` has of its view, and what is filled in. */
  get wideLines(): string[] {
    return [...[...this.#wide.values()].flat(), ...this.lines.filter(hasNoPlace)];
  }

  insertRange(range: RowRange): Promise<void> {
    return this.#insert(range, "whole", true);
  }

  /** An insert of an earlier release, which has no views of later ones. */
  insertAsBefore({ token, rows }: RowRange, form: RowForm): Promise<void> {
    const lacking = form === "without source" ? SOURCE_AND_PLACE : PLACE;
    const before = rows.map((row) =>
      Buffer.from(row.toString().replaceAll(lacking, (all) => all.replaceAll(/"\w*"/g, '""'))),
    );
    return this.#insert({ token, rows: before }, form, true);
  }

  /** An insert that is cut off between the tables. */
  insertIntoEventsAlone(range: RowRange): Promise<void> {
    return this.#insert(range, "whole", false);
  }

  storedIds(keys: readonly EventKey[]): Promise<Set<string>> {
    const stored = new Set(this.lines.map((line) => eventKeyOf(Buffer.from(line))?.id));
    return Promise.resolve(new Set(keys.map(({ id }) => id).filter((id) => stored.has(id))));
  }

  formOfRows(keys: readonly EventKey[]): Promise<RowForm> {
    const ids = new Set(keys.map(({ id }) => id));
    const asked = this.lines.filter((line) => ids.has(eventKeyOf(Buffer.from(line))?.id ?? ""));
    if (!asked.some(hasNoPlace)) return Promise.resolve("whole");
    return Promise.resolve(asked.some(hasNoSource) ? "without source" : "without place");
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

  #insert({ token, rows }: RowRange, form: RowForm, isWhole: boolean): Promise<void> {
    const lines = splitLines(rows).map((line) => line.toString().trimEnd());
    if (lines.some(this.#isRefused))
      return Promise.reject(new StatsStoreError("REFUSED", "cannot parse the range"));
    const put = (table: Map<string, string[]>, counted: string[]) => {
      if (counted.length > 0 && !table.has(token)) table.set(token, counted);
    };
    put(this.tokens, lines);
    if (!isWhole) return Promise.resolve();
    put(this.#daily, lines);
    if (form === "without source") return Promise.resolve();
    put(
      this.#quarter,
      lines.filter((line) => !hasNoSource(line)),
    );
    if (form === "whole")
      put(
        this.#wide,
        lines.filter((line) => !hasNoPlace(line)),
      );
    return Promise.resolve();
  }
}

const PLACE = /(?:,"\w*"){6}\]\n/g;
const SOURCE_AND_PLACE = /(?:,"\w*"){7}\]\n/g;

function hasNoPlace(row: string): boolean {
  return row.endsWith(',"","","","","",""]');
}

function hasNoSource(row: string): boolean {
  return row.endsWith(',"","","","","","",""]');
}
