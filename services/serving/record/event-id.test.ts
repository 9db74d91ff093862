import fc from "fast-check";
import { TypeID } from "typeid-js";
import { describe, expect, it } from "vitest";
import { isId } from "#libs/domain/ids.ts";
import { createEventIds } from "./event-id.ts";

const NOON = Date.UTC(2026, 10, 21, 12);

describe("event ids", () => {
  it("are TypeIDs that hold a UUIDv7 of their time", () => {
    const anyTime = fc.integer({ min: 1, max: 2 ** 48 - 1 });

    fc.assert(
      fc.property(anyTime, (time) => {
        const id = createEventIds()(time);
        const uuid = TypeID.fromString(id, "evt").toUUID();
        expect(isId("event", id)).toBe(true);
        expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(Number.parseInt(uuid.replaceAll("-", "").slice(0, 12), 16)).toBe(time);
      }),
    );
  });

  it("grow within a process, also when the clock stands still or goes back", () => {
    const newId = createEventIds();

    const ids = [0, 0, 1, 1, -5000, 1, 2].map((later) => newId(NOON + later));

    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("go on when the count of a millisecond runs out", () => {
    const newId = createEventIds();
    let last = newId(NOON);

    for (let made = 0; made < 1_100_000; made += 1) {
      const next = newId(NOON);
      if (next <= last) expect.unreachable(`${next} came after ${last}`);
      last = next;
    }

    expect(isId("event", last)).toBe(true);
  });

  it("never meet those of another process in the same millisecond", () => {
    const ids = Array.from({ length: 1_000 }, () => createEventIds()).flatMap((newId) => [
      newId(NOON),
      newId(NOON),
    ]);

    expect(new Set(ids.map((id) => id.slice(0, 26))).size).toBe(1_000);
  });
});
