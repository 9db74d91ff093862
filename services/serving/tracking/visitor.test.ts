import { describe, expect, it } from "vitest";
import { createVisitors, hashVisitor } from "./visitor.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY = 86_400_000;

describe("visitor", () => {
  it("is identified by address, user agent and salt", () => {
    const { visitor } = hashVisitor("salt", "net 192.0.2.1", "Firefox");

    const others = [
      hashVisitor("salt", "net 192.0.2.2", "Firefox"),
      hashVisitor("salt", "net 192.0.2.1", "Safari"),
      hashVisitor("other salt", "net 192.0.2.1", "Firefox"),
    ];

    expect(visitor).toMatch(/^[0-9a-f]{16}$/);
    expect(hashVisitor("salt", "net 192.0.2.1", "Firefox").visitor).toBe(visitor);
    expect(others.map((other) => other.visitor)).not.toContain(visitor);
  });

  it("has an address that does not change with the user agent", () => {
    const one = hashVisitor("salt", "net 192.0.2.1", "Firefox");
    const other = hashVisitor("salt", "net 192.0.2.1", "Safari");

    expect(one.address).toMatch(/^[0-9a-f]{16}$/);
    expect(other.address).toBe(one.address);
    expect(one.address).not.toBe(hashVisitor("salt", "net 192.0.2.1", "").visitor);
  });

  it("is hashed by the salt of its UTC day", async () => {
    const visitorsOf = createVisitors({ of: async (day) => `salt of ${day}` });

    const days = await Promise.all([visitorsOf(NOON), visitorsOf(NOON + 1), visitorsOf(NOON + DAY)]);

    const visitors = days.map((identify) => identify("net 192.0.2.1", "Firefox"));
    expect(visitors[0]).toEqual(hashVisitor("salt of 2026-11-21", "net 192.0.2.1", "Firefox"));
    expect(visitors[1]).toEqual(visitors[0]);
    expect(visitors[2]).toEqual(hashVisitor("salt of 2026-11-22", "net 192.0.2.1", "Firefox"));
  });

  it("is hashed by the salt of now, also where it has been replaced during the day", async () => {
    let salt = "drawn while Redis was away";
    const visitorsOf = createVisitors({ of: async () => salt });
    await visitorsOf(NOON);
    salt = "shared";

    const identify = await visitorsOf(NOON + 1_000);

    expect(identify("net 192.0.2.1", "Firefox")).toEqual(hashVisitor("shared", "net 192.0.2.1", "Firefox"));
  });
});
