import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { isId, newId } from "./ids.ts";
import { requestEventIds, requestOfEventId } from "./request-event-id.ts";

const digestOf = (text: string) => createHash("sha256").update(text).digest();

it("gives each event of a request an id of its own, the same each time", () => {
  const once = requestEventIds(digestOf("a"), true);
  const again = requestEventIds(digestOf("a"), true);

  const ids = Array.from({ length: 1000 }, (_, index) => once.idOf(index));

  expect(new Set(ids).size).toBe(1000);
  expect(ids.map((_, index) => again.idOf(index))).toEqual(ids);
  for (const id of ids) expect(isId("event", id)).toBe(true);
  expect(() => once.idOf(2 ** 20)).toThrow(RangeError);
});

it("names the request of an id, and none of an event that came alone", () => {
  const timed = requestEventIds(digestOf("a"), true);
  const untimed = requestEventIds(digestOf("a"), false);

  expect(requestOfEventId(timed.idOf(999))).toEqual({ request: timed.request, isTimed: true });
  expect(requestOfEventId(untimed.idOf(0))).toEqual({ request: untimed.request, isTimed: false });
  expect(requestOfEventId(newId("event"))).toBeNull();
  expect(requestEventIds(digestOf("b"), true).request).not.toBe(timed.request);
});
