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

  it("has keys that tell neither the address nor the visitor apart elsewhere", () => {
    const { limitKey, privateKeys, ofVisitor } = hashesWith("salt");
    const view = { adId: "ad_1", kind: "impression" as const, occurredAt: NOON };
    const elsewhere = [
      { ...view, adId: "ad_2" },
      { ...view, kind: "click" as const },
      { ...view, occurredAt: NOON + DAY },
    ];

    const limit = limitKey("net 192.0.2.1", view);
    const both = privateKeys("net 192.0.2.1", "Firefox", view, 10_000);

    expect(limit).toMatch(/^[0-9a-f]{16}$/);
    expect(limitKey("net 192.0.2.1", { ...view, occurredAt: NOON + 59_999 })).toBe(limit);
    expect(elsewhere.map((event) => limitKey("net 192.0.2.1", event))).not.toContain(limit);
    const behind = privateKeys("net 192.0.2.1", "Firefox", { ...view, occurredAt: NOON + 10_000 }, 10_000);
    expect(behind.slice(16)).toBe(both.slice(0, 16));
    for (const event of elsewhere)
      expect(privateKeys("net 192.0.2.1", "Firefox", event, 10_000)).not.toContain(both.slice(0, 16));
    expect(both).not.toContain(ofVisitor("net 192.0.2.1", "Firefox"));
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

    const { ofVisitor } = await visitorsOf(NOON + 1_000);

    expect(ofVisitor("net 192.0.2.1", "Firefox")).toBe(
      hashesWith("shared").ofVisitor("net 192.0.2.1", "Firefox"),
    );
  });
});
