import { expect, it, onTestFinished } from "vitest";
import type { EventKind, Verdict } from "#libs/domain/event.ts";
import { requestEventIds } from "#libs/domain/request-event-id.ts";
import { createStatsStore, type StatsStore } from "../index.ts";
import { NOON, type StatsStoreRig } from "./rig.ts";

const COLUMNS = "event_id, workspace_id, ad_id, kind, verdict, visitor, occurred_at, source";
/** Rows of a block of the table, the least that is read. */
const BLOCK = 8192;
const PREPARED = 100_000;

/** How much is read to look for an event among many that somebody has prepared, all of one ad and one moment. */
export function testLookups(rig: StatsStoreRig): void {
  const VISITOR = "fedcba9876543210";
  const { request, idOf } = requestEventIds(Buffer.alloc(14, 7), true);
  const asked = (name: string) => ({
    request: name,
    workspaceId: rig.workspaceId,
    adIds: ["ad_1"],
    from: NOON,
    to: NOON,
  });
  const visit = (visitor: string) => {
    const { verdict: _, ...event } = rig.anEvent({ visitor });
    return event;
  };

  /** The store, whose queries fail if they would read more than two blocks. */
  function sparing(): StatsStore {
    const url = `${rig.clickHouse.url}?clickhouse_setting_max_rows_to_read=${2 * BLOCK}`;
    const store = createStatsStore({ ...rig.clickHouse, url, database: rig.database });
    onTestFinished(() => store.close());
    return store;
  }

  /** `id` and `visitor` are expressions of a number. */
  async function prepare(id: string, verdict: Verdict, visitor: string): Promise<void> {
    const kind: EventKind = "impression";
    await rig.client.command({
      query: `INSERT INTO events (${COLUMNS}) SELECT ${id}, '${rig.workspaceId}', 'ad_1', '${kind}', '${verdict}',
        toFixedString(${visitor}, 16), fromUnixTimestamp64Milli(toInt64(${NOON})), 'page' FROM numbers(${PREPARED})`,
    });
  }

  it.each<[string, Verdict, string]>([
    ["events without a visitor", "valid", "''"],
    ["duplicates of one visitor", "duplicate", `'${VISITOR}'`],
    ["events that count of as many visitors", "valid", "leftPad(toString(number), 16, 'x')"],
  ])("finds an event that counts, or none, without reading %s", async (_, verdict, visitor) => {
    await prepare("'evt_0' || toString(number)", verdict, visitor);
    await rig.insert(rig.anEvent({ visitor: VISITOR }));

    const store = sparing();

    expect(await store.countedVisits([visit(VISITOR)], 10_000)).toMatchObject([{ visitor: VISITOR }]);
    expect(await store.countedVisits([visit("another0visitor0")], 10_000)).toEqual([]);
  });

  it("finds none of thousands of events that count, without reading events without a visitor", async () => {
    await prepare("'evt_0' || toString(number)", "valid", "''");
    const visits = Array.from({ length: 5_000 }, () => visit(rig.anEvent().visitor));

    expect(await sparing().countedVisits(visits, 10_000)).toEqual([]);
  });

  it.each([
    ["events without a request", "'evt_0' || toString(number)"],
    ["events of another request", "'evt_6' || repeat('z', 21) || leftPad(toString(number), 4, '0')"],
    ["events of as many requests", "'evt_6' || leftPad(toString(number), 21, 'z') || '0000'"],
  ])("finds the events of a request, or none, without reading %s", async (_, id) => {
    await prepare(id, "valid", "''");
    await rig.insert(rig.anEvent({ id: idOf(0) }), rig.anEvent({ id: idOf(1) }));
    const other = requestEventIds(Buffer.alloc(14, 8), true);

    const store = sparing();

    expect(await store.storedOfRequests([asked(request)])).toEqual(new Set([idOf(0), idOf(1)]));
    expect(await store.storedOfRequests([asked(other.request)])).toEqual(new Set());
  });
}
