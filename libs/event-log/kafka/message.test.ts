import type { FetchedMessage } from "kafkajs/src/broker/index.js";
import { describe, expect, it } from "vitest";
import { batchOf, recordHeaders } from "./message.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const LOG_APPEND_TIME = 1;

describe("a message as a batch", () => {
  it("is what was sent", () => {
    const batch = { rows: Buffer.from('["a"]\n["b"]\n'), count: 2 };
    const sent = aMessage({
      value: batch.rows,
      headers: recordHeaders(batch, undefined),
      timestamp: String(Date.now()),
    });

    const found = batchOf(sent);

    expect(found).toEqual(batch);
  });

  it.each([
    ["was sent as a repetition", aMessage({ headers: { count: "1", sent: String(NOON), attempt: "3" } })],
    ["was appended long after it was sent", aMessage({ timestamp: String(NOON + 10_001) })],
    ["was appended before it was sent", aMessage({ timestamp: String(NOON - 1001) })],
    ["has no time of sending", aMessage({ headers: { count: "1" } })],
    ["has no time of the append", aMessage({ batchContext: { timestampType: 0 } })],
  ])("may repeat another when it %s", (_case, message) => {
    expect(batchOf(message).mayRepeat).toBe(true);
  });

  it("repeats nothing when it was appended within ten seconds", () => {
    expect(batchOf(aMessage({ timestamp: String(NOON + 10_000) })).mayRepeat).toBeUndefined();
  });

  it.each([
    ["nothing at all", null, "", 0],
    ["no bytes", Buffer.alloc(0), "", 0],
    ["a line that does not end", Buffer.from("garbage"), "garbage\n", 1],
    ["several lines", Buffer.from("a\nb\n"), "a\nb\n", 2],
  ])("is taken as it comes when a stranger wrote %s", (_case, value, rows, count) => {
    const found = batchOf(aMessage({ value, headers: {} }));

    expect([found.rows.toString(), found.count]).toEqual([rows, count]);
  });
});

function aMessage(given: Partial<FetchedMessage>): FetchedMessage {
  return {
    offset: "0",
    timestamp: String(NOON),
    value: Buffer.from('["a"]\n'),
    headers: { count: "1", sent: String(NOON) },
    batchContext: { timestampType: LOG_APPEND_TIME },
    ...given,
  };
}
