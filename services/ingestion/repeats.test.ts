import { expect, it, vi } from "vitest";
import { requestEventIds } from "#libs/domain/request-event-id.ts";
import type { EventBatch, EventRange } from "#libs/event-log/port.ts";
import type { EventKey, StoredRequest } from "#libs/stats-store/port.ts";
import { keptBatches, leaveOut } from "./left-out.ts";
import { withoutRepeats } from "./repeats.ts";
import { aLine } from "./tests/events.ts";

const OCCURRED_AT = Date.UTC(2026, 10, 21);

/** The rows that are left, and how many lines are not. */
function rowsToInsert(range: Pick<EventRange, "origin" | "batches">) {
  const { batches, leftOut } = keptBatches(range);
  return { rows: [Buffer.concat(batches.map(({ rows }) => rows))], leftOut };
}

function aBatch(lines: readonly string[], mayRepeat = false): EventBatch {
  return { rows: Buffer.from(lines.join("")), count: lines.length, mayRepeat };
}

function storing(...ids: string[]) {
  return {
    storedOfRequests: vi.fn((requests: readonly StoredRequest[]) =>
      Promise.resolve(new Set(ids.filter((id) => requests.some(({ request }) => id.startsWith(request))))),
    ),
    storedIds: vi.fn((keys: readonly EventKey[]) =>
      Promise.resolve(new Set(keys.map(({ id }) => id).filter((id) => ids.includes(id)))),
    ),
  };
}

function aRange(batches: readonly EventBatch[]): EventRange {
  return { origin: "log:0", first: 7n, last: 6n + BigInt(batches.length), batches };
}

/** The pieces, with the rows that each inserts; null for a piece that is skipped. */
async function piecesOf(store: ReturnType<typeof storing>, batches: readonly EventBatch[]) {
  const pieces = await withoutRepeats(store, aRange(batches));
  return pieces.map(({ range, isRepeated }) => ({
    offsets: `${range.first}-${range.last}`,
    rows: isRepeated ? null : rowsToInsert(range).rows.join(""),
  }));
}

it("asks the store nothing about batches that cannot be repetitions", async () => {
  const store = storing("evt_1");
  const range = aRange([aBatch([aLine("evt_1")]), aBatch([aLine("evt_1")])]);

  const pieces = await withoutRepeats(store, range);

  expect(pieces).toEqual([{ range, isRepeated: false }]);
  expect(store.storedIds).not.toHaveBeenCalled();
});

it("inserts a range with many repeated requests at once, without them", async () => {
  const requests = Array.from({ length: 200 }, (_, n) => requestEventIds(Buffer.alloc(14, n), true));
  const batches = requests.map(({ idOf }) =>
    aBatch(Array.from({ length: 20 }, (_, index) => aLine(idOf(index)))),
  );
  const [first = aBatch([])] = batches;

  const pieces = await piecesOf(
    storing(),
    batches.flatMap((batch) => [batch, first, batch]),
  );

  expect(pieces).toEqual([{ offsets: "7-606", rows: batches.map(({ rows }) => rows.toString()).join("") }]);
});

it("leaves out those events of a repeated request that the store has, whatever is missing between them", async () => {
  const { idOf } = requestEventIds(Buffer.alloc(14, 7), true);
  const lines = [0, 1, 2, 3].map((index) => aLine(idOf(index)));
  const store = storing(idOf(1), idOf(2));
  const range = aRange([aBatch([aLine("evt_1")]), aBatch(lines), aBatch(lines)]);

  const [piece, ...others] = await withoutRepeats(store, range);

  expect(others).toEqual([]);
  const kept = [Buffer.from(`${aLine("evt_1")}${lines[0]}${lines[3]}`)];
  expect(piece && rowsToInsert(piece.range)).toEqual({ rows: kept, leftOut: 6 });
  // What a worker reads again after a crash has the same origin, and so the same rows.
  const { batches } = range;
  expect(rowsToInsert({ origin: piece?.range.origin ?? "", batches })).toEqual({ rows: kept, leftOut: 6 });
  expect(store.storedIds).not.toHaveBeenCalled();
});

it("recognizes an event of a request behind others in its batch", async () => {
  const { idOf } = requestEventIds(Buffer.alloc(14, 7), true);
  const lines = [aLine("evt_1"), aLine(idOf(0)), aLine("evt_2")];

  const pieces = await piecesOf(storing(idOf(0), "evt_1"), [aBatch(lines)]);

  expect(pieces).toEqual([{ offsets: "7-7", rows: `${lines[0]}${lines[2]}` }]);
});

it("cuts a range where an intent has no room for what is left out", async () => {
  const lines = Array.from({ length: 60_000 }, (_, n) => aLine(`evt_${n}`));
  // As if by chance: nothing to deflate.
  const isStored = (n: number) => Math.imul(n + 1, 2_654_435_761) >>> 31 === ((n * n) >> 7) % 2;
  const store = storing(...lines.flatMap((_, n) => (isStored(n) ? [`evt_${n}`] : [])));
  const batches = Array.from({ length: 60 }, (_, at) =>
    aBatch(lines.slice(at * 1_000, (at + 1) * 1_000), true),
  );

  const pieces = await withoutRepeats(store, aRange(batches));

  for (const { range } of pieces) expect(range.origin.length).toBeLessThanOrEqual(3_600);
  expect(pieces.length).toBeLessThanOrEqual(8);
  const inserted = pieces.flatMap(({ range }) => rowsToInsert(range).rows).join("");
  expect(inserted).toBe(lines.filter((_, n) => !isStored(n)).join(""));
  for (const [at, { range }] of pieces.entries())
    expect(range.first).toBe(at === 0 ? 7n : (pieces[at - 1]?.range.last ?? 0n) + 1n);
  expect(pieces.at(-1)?.range.last).toBe(66n);
});

it("leaves the same lines out of a range whose intent an earlier version recorded", () => {
  const batches = [aBatch([aLine("a"), aLine("b")]), aBatch([aLine("c"), aLine("d")])];
  const isLeftOut = [true, false, false, true];

  // Bits of the first and the fourth line, in base64url.
  const earlier = rowsToInsert({ origin: "log:0!CQ", batches });

  expect(earlier).toEqual(rowsToInsert(leaveOut(aRange(batches), isLeftOut)));
  expect(earlier).toEqual({ rows: [Buffer.from(`${aLine("b")}${aLine("c")}`)], leftOut: 2 });
});

it("finds an earlier attempt, of another time, of a request that was put together with other batches", async () => {
  const untimed = requestEventIds(Buffer.alloc(14, 7), false);
  const timed = requestEventIds(Buffer.alloc(14, 8), true);
  const later = OCCURRED_AT + 3_600_000;
  const lines = [
    aLine("evt_1"),
    aLine(untimed.idOf(0), { occurredAt: later }),
    aLine(untimed.idOf(1), { occurredAt: later }),
  ];
  const store = storing(untimed.idOf(0), timed.idOf(0));
  const batch = aBatch([...lines, aLine(timed.idOf(0))], true);

  const pieces = await withoutRepeats(store, { origin: "log:0", first: 7n, last: 7n, batches: [batch] });

  expect(pieces.map(({ range }) => rowsToInsert(range).rows.join(""))).toEqual([`${lines[0]}${lines[2]}`]);
  const at = { workspaceId: "ws_1", adIds: ["ad_1"] };
  const days = 48 * 3_600_000;
  expect(store.storedOfRequests.mock.calls).toEqual([
    [
      [
        { request: untimed.request, ...at, from: later - days, to: later + days },
        { request: timed.request, ...at, from: OCCURRED_AT, to: OCCURRED_AT },
      ],
    ],
  ]);
  expect(store.storedIds.mock.calls).toEqual([[[expect.objectContaining({ id: "evt_1" })]]]);
});

it("leaves out the second of two equal events of a batch, in which a spill may have put one batch twice", async () => {
  const lines = [aLine("a"), aLine("b"), aLine("a"), aLine("b")];

  const [piece] = await withoutRepeats(storing(), {
    origin: "log:0",
    first: 7n,
    last: 7n,
    batches: [aBatch(lines, true)],
  });

  expect(piece && rowsToInsert(piece.range)).toEqual({
    rows: [Buffer.from(`${lines[0]}${lines[1]}`)],
    leftOut: 2,
  });
});

it("looks up every event of a marked batch", async () => {
  const store = storing();

  await piecesOf(store, [
    aBatch(
      ["1", "2", "3"].map((n) => aLine(`evt_${n}`)),
      true,
    ),
    aBatch([aLine("evt_4")]),
  ]);

  const key = { workspaceId: "ws_1", adId: "ad_1", occurredAt: OCCURRED_AT };
  expect(store.storedIds.mock.calls).toEqual([
    [
      [
        { id: "evt_1", ...key },
        { id: "evt_2", ...key },
        { id: "evt_3", ...key },
      ],
    ],
  ]);
});

it("leaves out batches that are stored", async () => {
  const batches = ["a", "b", "c", "d", "e"].map((id) => aBatch([aLine(id)], true));

  const pieces = await piecesOf(storing("b", "c"), batches);

  expect(pieces).toEqual([{ offsets: "7-11", rows: ["a", "d", "e"].map((id) => aLine(id)).join("") }]);
});

it("skips a range of which nothing is left", async () => {
  const batches = ["a", "b"].map((id) => aBatch([aLine(id)], true));

  const pieces = await piecesOf(storing("a", "b"), batches);

  expect(pieces).toEqual([{ offsets: "7-8", rows: null }]);
});

it("recognizes a repetition of an earlier batch in the same range, even when that one is not marked", async () => {
  const pieces = await piecesOf(storing(), [
    aBatch([aLine("a")]),
    aBatch([aLine("a")], true),
    aBatch([aLine("b")], true),
    aBatch([aLine("b")], true),
  ]);

  expect(pieces).toEqual([{ offsets: "7-10", rows: `${aLine("a")}${aLine("b")}` }]);
});

it("leaves out lines that are no events with a repeated batch, and keeps them in a new one", async () => {
  const pieces = await piecesOf(storing("a"), [
    aBatch(["garbage\n", aLine("a"), '["short"]\n'], true),
    aBatch(["garbage\n", "\n"], true),
  ]);

  expect(pieces).toEqual([{ offsets: "7-8", rows: "garbage\n" }]);
});
