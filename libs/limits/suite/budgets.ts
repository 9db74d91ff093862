import { describe, expect, it } from "vitest";
import type { Limits } from "../port.ts";

/** How often a caller may ask, and the secret that visitors are hashed with. */
export function describeBudgetsAndSalt(adapter: string, fresh: () => Promise<Limits>): void {
  describe(`${adapter}: budgets`, () => {
    const rule = { name: "calls", points: 5, durationSeconds: 60 };

    it("allows exactly the points of a rule, however many ask at once", async () => {
      const limits = await fresh();

      const verdicts = await Promise.all(Array.from({ length: 50 }, () => limits.consume(rule, "key_a")));

      expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(5);
      // Which of them comes first is not promised: a call can be sent twice while a script is loaded.
      const remaining = verdicts.map((verdict) => verdict.remaining).sort((a, b) => b - a);
      expect(remaining.slice(0, 6)).toEqual([4, 3, 2, 1, 0, 0]);
    });

    it("says how long until the budget is whole again, in milliseconds", async () => {
      const limits = await fresh();

      const verdict = await limits.consume(rule, "key_a");

      expect(verdict).toMatchObject({ allowed: true, limit: 5, remaining: 4 });
      expect(verdict.resetMs).toBeGreaterThan(50_000);
      expect(verdict.resetMs).toBeLessThanOrEqual(60_000);
    });

    it("keeps keys and rules apart", async () => {
      const limits = await fresh();
      const single = { ...rule, points: 1 };
      await limits.consume(single, "key_a");

      const again = await limits.consume(single, "key_a");
      const otherKey = await limits.consume(single, "key_b");
      const otherRule = await limits.consume({ ...single, name: "checkouts" }, "key_a");

      expect([again, otherKey, otherRule].map(({ allowed }) => allowed)).toEqual([false, true, true]);
    });

    it("takes what a call costs, and refuses one that costs more than is left", async () => {
      const limits = await fresh();

      const verdicts = [
        await limits.consume(rule, "key_a", 3),
        await limits.consume(rule, "key_a", 2),
        await limits.consume(rule, "key_a"),
        await limits.consume(rule, "key_b", 6),
      ];

      expect(verdicts.map(({ allowed }) => allowed)).toEqual([true, true, false, false]);
    });

    it("is whole again after its duration", async () => {
      const limits = await fresh();
      const short = { name: "short", points: 1, durationSeconds: 3 };
      await limits.consume(short, "key_a");

      const refused = await limits.consume(short, "key_a");

      expect(refused.allowed).toBe(false);
      await expect.poll(async () => (await limits.consume(short, "key_a")).allowed).toBe(true);
    });

    it("refuses nothing under a rule of 0 points", async () => {
      const limits = await fresh();

      const verdict = await limits.consume({ ...rule, points: 0 }, "key_a");

      expect(verdict.allowed).toBe(true);
    });
  });

  describe(`${adapter}: the day's salt`, () => {
    it("gives everyone who asks at once the same 32 bytes", async () => {
      const limits = await fresh();

      const salts = await Promise.all(Array.from({ length: 20 }, () => limits.visitorSalt("2026-11-21")));

      expect(new Set(salts).size).toBe(1);
      expect(salts[0]).toMatch(/^[0-9a-f]{32}$/);
    });

    it("makes a new one for another day, and still knows today's", async () => {
      const limits = await fresh();
      const today = await limits.visitorSalt("2026-11-21");

      const tomorrow = await limits.visitorSalt("2026-11-22");
      const todayAgain = await limits.visitorSalt("2026-11-21");

      expect(tomorrow).not.toBe(today);
      expect(todayAgain).toBe(today);
    });
  });
}
