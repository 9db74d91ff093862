import { describe, expect, it } from "vitest";
import { createVisitors, hashesWith } from "./visitor.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY = 86_400_000;

describe("visitor", () => {
  it("is identified by address, user agent and salt", () => {
    const visitor = hashesWith("salt").ofVisitor("net 192.0.2.1", "Firefox");

    const others = [
      hashesWith("salt").ofVisitor("net 192.0.2.2", "Firefox"),
      hashesWith("salt").ofVisitor("net 192.0.2.1", "Safari"),
      hashesWith("other salt").ofVisitor("net 192.0.2.1", "Firefox"),
    ];

    expect(visitor).toMatch(/^[0-9a-f]{16}$/);
    expect(hashesWith("salt").ofVisitor("net 192.0.2.1", "Firefox")).toBe(visitor);
    expect(others).not.toContain(visitor);
  });

  it("has an address with a hash of its own", () => {
    const { ofAddress, ofVisitor } = hashesWith("salt");

    expect(ofAddress("net 192.0.2.1")).toMatch(/^[0-9a-f]{16}$/);
    expect(ofAddress("net 192.0.2.2")).not.toBe(ofAddress("net 192.0.2.1"));
    expect(hashesWith("other salt").ofAddress("net 192.0.2.1")).not.toBe(ofAddress("net 192.0.2.1"));
    expect(ofAddress("net 192.0.2.1")).not.toBe(ofVisitor("net 192.0.2.1", ""));
  });

  it("is hashed by the salt of its UTC day", async () => {
    const visitorsOf = createVisitors({ of: async (day) => `salt of ${day}` });

    const days = await Promise.all([visitorsOf(NOON), visitorsOf(NOON + 1), visitorsOf(NOON + DAY)]);

    const [first, later, next] = days.map((hashes) => hashes.ofVisitor("net 192.0.2.1", "Firefox"));
    expect(first).toBe(hashesWith("salt of 2026-11-21").ofVisitor("net 192.0.2.1", "Firefox"));
    expect(later).toBe(first);
    expect(next).toBe(hashesWith("salt of 2026-11-22").ofVisitor("net 192.0.2.1", "Firefox"));
  });

  it("is hashed by the salt of now, also where it has been replaced during the day", async () => {
    let salt = "drawn while Redis was away";
    const visitorsOf = createVisitors({ of: async () => salt });
    await visitorsOf(NOON);
    salt = "shared";

    const { ofAddress } = await visitorsOf(NOON + 1_000);

    expect(ofAddress("net 192.0.2.1")).toBe(hashesWith("shared").ofAddress("net 192.0.2.1"));
  });
});
