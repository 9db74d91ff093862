import { expect, it } from "vitest";
import { Oracle, type StoredEvent } from "./oracle.ts";
import { sentEvent, visitorOf } from "./sent-event.ts";
import { SentLog } from "./sent-log.ts";

const AD_IDS = ["ad_1", "ad_2", "ad_3"];
const SALT = "a salt";
const [DAY, NEXT_DAY] = ["2026-11-21", "2026-11-22"];

/** A sentLog of promised requests, and the rows that the store should have. */
function promised(count: number, salt = SALT) {
  const sentLog = new SentLog();
  const oracle = new Oracle(sentLog, AD_IDS);
  oracle.addSalt(salt, DAY);
  for (let index = 0; index < count; index += 1) sentLog.settle(sentLog.send(), "promised");
  return { sentLog, oracle, rows: Array.from({ length: count }, (_, number) => rowOf(number, salt)) };
}

function rowOf(number: number, salt = SALT): StoredEvent {
  const { adId, kind } = sentEvent(number, AD_IDS);
  return { visitor: visitorOf(number, salt), adId, kind, verdict: "valid" };
}

const NONE = { missing: [], doubled: [], refusedAndStored: [], unlike: [], changed: [], strangers: [] };

it("finds nothing where every promised event is stored once", () => {
  const { oracle, rows } = promised(1_000);

  expect(oracle.compare(rows)).toEqual(NONE);
});

it("finds the one that is lost and the one that is there twice", () => {
  const { oracle, rows } = promised(1_000);
  const found = oracle.compare([...rows.filter((_, number) => number !== 17), rowOf(400), rowOf(400)]);

  expect(found).toEqual({ ...NONE, missing: [17], doubled: [400] });
});

it("holds an event that was sent to two processes to count once, with one duplicate", () => {
  const { oracle, sentLog, rows } = promised(4);
  for (const number of [0, 1, 2]) {
    sentLog.sendTwin(number);
    sentLog.settleTwin(number, Date.now(), true);
  }
  const duplicate = (number: number) => ({ ...rowOf(number), verdict: "duplicate" });

  expect(oracle.compare([...rows, ...[0, 1, 2].map(duplicate)])).toEqual(NONE);
  expect(oracle.compare([...rows, rowOf(0), duplicate(1)])).toEqual({
    ...NONE,
    doubled: [0],
    unlike: [0, 2],
  });
});

it("holds an event that was sent to two processes on two days to count on both, and on one day only once", () => {
  const { oracle, sentLog, rows } = promised(3);
  oracle.addSalt("the next day's", NEXT_DAY);
  oracle.addSalt("another of the day", DAY);
  for (const number of [0, 1, 2]) {
    sentLog.sendTwin(number);
    sentLog.settleTwin(number, Date.now(), true);
  }
  const duplicateOf2 = { ...rowOf(2, "the next day's"), verdict: "duplicate" };
  const stored = [...rows, rowOf(0, "the next day's"), rowOf(1, "another of the day"), duplicateOf2];

  expect(oracle.compare(stored)).toEqual({ ...NONE, doubled: [1], unlike: [1, 2] });
});

it("lets what was not promised be stored once or not at all, but not twice", () => {
  const { oracle, sentLog, rows } = promised(10);
  for (const fate of ["unavailable", "broken", "broken"] as const) sentLog.settle(sentLog.send(), fate);

  expect(oracle.compare(rows)).toEqual(NONE);
  expect(oracle.compare([...rows, rowOf(10), rowOf(11)])).toEqual(NONE);
  expect(oracle.compare([...rows, rowOf(12), rowOf(12)])).toEqual({ ...NONE, doubled: [12] });
});

it("holds a request that was sent again to be counted, as often as it was sent at most", () => {
  const { oracle, sentLog, rows } = promised(2);
  for (const number of [0, 1]) sentLog.retry(number);
  const duplicate = { ...rowOf(0), verdict: "duplicate" };

  expect(oracle.compare([...rows, duplicate, duplicate])).toEqual(NONE);
  expect(oracle.compare([duplicate, rowOf(1), rowOf(1)])).toEqual({ ...NONE, missing: [0] });
  expect(oracle.compare([...rows, rowOf(1), rowOf(1)])).toEqual({ ...NONE, doubled: [1] });
});

it("finds what was refused and stored all the same, what was changed, and what nobody has sent", () => {
  const { oracle, sentLog, rows } = promised(10);
  sentLog.settle(sentLog.send(), "refused");
  const changed = rows.map((row, number) => (number === 3 ? { ...row, verdict: "duplicate" } : row));
  const found = oracle.compare([...changed, rowOf(10), { ...rowOf(0), visitor: "0123456789abcdef" }]);

  expect(found).toEqual({ ...NONE, refusedAndStored: [10], changed: [3], strangers: ["0123456789abcdef"] });
});

it("knows a visitor under each salt, and counts two salts of one request as two rows of it", () => {
  const { oracle, rows } = promised(10);
  oracle.addSalt("the next day's", NEXT_DAY);

  expect(
    oracle.compare([...rows.slice(0, 5), ...[5, 6, 7, 8, 9].map((n) => rowOf(n, "the next day's"))]),
  ).toEqual(NONE);
  expect(oracle.compare([...rows, rowOf(4, "the next day's")])).toEqual({ ...NONE, doubled: [4] });
});
