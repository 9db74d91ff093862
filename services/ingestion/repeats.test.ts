import { expect, it, vi } from "vitest";
import { encodeEventRow } from "#libs/domain/event.ts";
import { requestEventIds } from "#libs/domain/request-event-id.ts";
import type { EventBatch } from "#libs/event-log/port.ts";
import type { EventKey, StoredRequest } from "#libs/stats-store/port.ts";
import { rowsToInsert } from "./left-out.ts";
import { cutAtRepeats } from "./repeats.ts";

const OCCURRED_AT = Date.UTC(2026, 10, 21);

function aLine(id: string, occurredAt = OCCURRED_AT): string {
  return encodeEventRow({
    id,
    workspaceId: "ws_1",
    adId: "ad_1",
    kind: "impression",
    verdict: "valid",
    visitor: "0123456789abcdef",
    occurredAt,
  });
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

async function cut(store: ReturnType<typeof storing>, batches: readonly EventBatch[]) {
  const pieces = await cutAtRepeats(store, {
    origin: "log:0",
    first: 7n,
    last: 6n + BigInt(batches.length),
    batches,
  });
  return pieces.map(({ range, isRepeated }) => ({
    offsets: `${range.first}-${range.last}`,
    batches: range.batches.length,
    isRepeated,
  }));
}

it("asks the store nothing about batches that cannot be repetitions", async () => {
  const store = storing("evt_1");

  const pieces = await cut(store, [aBatch([aLine("evt_1")]), aBatch([aLine("evt_1")])]);

  expect(pieces).toEqual([{ offsets: "7-8", batches: 2, isRepeated: false }]);
  expect(store.storedIds).not.toHaveBeenCalled();
});

it("leaves out those events of a repeated request that the store has, whatever is missing between them", async () => {
  const { idOf } = requestEventIds(Buffer.alloc(14, 7), true);
  const lines = [0, 1, 2, 3].map((index) => aLine(idOf(index)));
  const store = storing(idOf(1), idOf(2));
  const range = {
    origin: "log:0",
    first: 7n,
    last: 9n,
    batches: [aBatch([aLine("evt_1")]), aBatch(lines), aBatch(lines)],
  };

  const pieces = await cutAtRepeats(store, range);

  expect(pieces.map(({ isRepeated }) => isRepeated)).toEqual([false, false, true]);
  expect(pieces.map((piece) => `${piece.range.first}-${piece.range.last}`)).toEqual(["7-7", "8-8", "9-9"]);
  const cutPiece = pieces[1]?.range ?? range;
  expect(rowsToInsert(cutPiece)).toEqual({ rows: [Buffer.from(`${lines[0]}${lines[3]}`)], leftOut: 2 });
  // What a worker reads again after a crash has the same origin, and so the same rows.
  expect(rowsToInsert({ origin: cutPiece.origin, batches: [aBatch(lines)] })).toEqual(rowsToInsert(cutPiece));
  expect(store.storedIds).not.toHaveBeenCalled();
});

it("finds an earlier attempt, of another time, of a request that was put together with other batches", async () => {
  const untimed = requestEventIds(Buffer.alloc(14, 7), false);
  const timed = requestEventIds(Buffer.alloc(14, 8), true);
  const later = OCCURRED_AT + 3_600_000;
  const lines = [aLine("evt_1"), aLine(untimed.idOf(0), later), aLine(untimed.idOf(1), later)];
  const store = storing(untimed.idOf(0), timed.idOf(0));
  const batch = aBatch([...lines, aLine(timed.idOf(0))], true);

  const pieces = await cutAtRepeats(store, { origin: "log:0", first: 7n, last: 7n, batches: [batch] });

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

  const [piece] = await cutAtRepeats(storing(), {
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

  await cut(store, [
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

it("cuts a range around the batches that are stored", async () => {
  const batches = ["a", "b", "c", "d", "e"].map((id) => aBatch([aLine(id)], true));

  const pieces = await cut(storing("b", "c"), batches);

  expect(pieces).toEqual([
    { offsets: "7-7", batches: 1, isRepeated: false },
    { offsets: "8-9", batches: 2, isRepeated: true },
    { offsets: "10-11", batches: 2, isRepeated: false },
  ]);
});

it("recognises a repetition of an earlier batch in the same range, even when that one is not marked", async () => {
  const pieces = await cut(storing(), [
    aBatch([aLine("a")]),
    aBatch([aLine("a")], true),
    aBatch([aLine("b")], true),
    aBatch([aLine("b")], true),
  ]);

  expect(pieces.map(({ offsets, isRepeated }) => [offsets, isRepeated])).toEqual([
    ["7-7", false],
    ["8-8", true],
    ["9-9", false],
    ["10-10", true],
  ]);
});

it("ignores lines that are no events, and treats a batch of only such lines as new", async () => {
  const store = storing("a");

  const pieces = await cut(store, [
    aBatch(["garbage\n", aLine("a"), '["short"]\n'], true),
    aBatch(["garbage\n", "\n"], true),
  ]);

  expect(pieces.map(({ isRepeated }) => isRepeated)).toEqual([true, false]);
});

it("tries again what the store has refused of a batch, and nothing else", async () => {
  const pieces = await cut(storing("b"), [aBatch([aLine("a"), aLine("b")], true)]);

  expect(pieces.map(({ isRepeated }) => isRepeated)).toEqual([false]);
});
