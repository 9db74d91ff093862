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

  it("is hashed with the salt of the UTC day", async () => {
    const asked: string[] = [];
    const visitorsOf = createVisitors({
      visitorSalt: async (day) => {
        asked.push(day);
        return `salt of ${day}`;
      },
    });

    const days = await Promise.all([visitorsOf(NOON), visitorsOf(NOON + 1), visitorsOf(NOON + DAY)]);

    const visitors = days.map((identify) => identify("net 192.0.2.1", "Firefox"));
    expect(visitors[0]).toEqual(hashVisitor("salt of 2026-11-21", "net 192.0.2.1", "Firefox"));
    expect(visitors[1]).toEqual(visitors[0]);
    expect(visitors[2]).toEqual(hashVisitor("salt of 2026-11-22", "net 192.0.2.1", "Firefox"));
    expect(asked).toEqual(["2026-11-21", "2026-11-21", "2026-11-22"]);
  });

  it("is hashed with another salt once the processes have agreed on that", async () => {
    let salt = "own salt";
    const visitorsOf = createVisitors({ visitorSalt: async () => salt });
    const before = (await visitorsOf(NOON))("net 192.0.2.1", "Firefox");
    salt = "shared salt";

    const after = (await visitorsOf(NOON + 1))("net 192.0.2.1", "Firefox");

    expect(before).toEqual(hashVisitor("own salt", "net 192.0.2.1", "Firefox"));
    expect(after).toEqual(hashVisitor("shared salt", "net 192.0.2.1", "Firefox"));
  });

  it("asks again after a failure", async () => {
    let isAway = true;
    const visitorsOf = createVisitors({
      visitorSalt: async () => {
        if (isAway) throw new Error("away");
        return "salt";
      },
    });

    await expect(visitorsOf(NOON)).rejects.toThrow("away");
    isAway = false;

    const identify = await visitorsOf(NOON);
    expect(identify("net 192.0.2.1", "Firefox")).toEqual(hashVisitor("salt", "net 192.0.2.1", "Firefox"));
  });
});
