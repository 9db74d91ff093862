import { describe, expect, it } from "vitest";
import { aBatch, anEvent, type Fresh, judgementsOf, LIMITS, NOON } from "./events.ts";

/** What becomes of marks and limits when the events of a batch are stored, or are not. */
export function describeBatchEnds(adapter: string, fresh: Fresh): void {
  const first = anEvent({});
  const retry = anEvent({ occurredAt: NOON + 1_000 });
  const other = anEvent({ visitor: "another0visitor0" });

  describe(`${adapter}: the end of a batch`, () => {
    it("counts the retry of an event that was not stored", async () => {
      const limits = await fresh();
      const failed = await limits.judge([first, anEvent({ kind: "click" })], aBatch());

      await failed.drop();

      const later = [retry, anEvent({ kind: "click", occurredAt: NOON + 1_000 }), other];
      expect(await judgementsOf(limits, later)).toEqual(["fresh", "fresh", "fresh"]);
    });

    it("gives back what a batch that was not stored has taken from limits, and no more", async () => {
      const limits = await fresh({ ...LIMITS, impressionsPerMinute: 3 });
      await judgementsOf(limits, [other]);
      const failed = await limits.judge([first, first, first, first], aBatch());

      await failed.drop();

      const visits = ["a", "b", "c"].map((visitor) => anEvent({ visitor }));
      expect(failed.judgements).toEqual(["fresh", "duplicate", "limited", "limited"]);
      expect(await judgementsOf(limits, visits)).toEqual(["fresh", "fresh", "limited"]);
    });

    it("keeps the marks of other batches when one is dropped", async () => {
      const limits = await fresh();
      const early = anEvent({ occurredAt: NOON - 10_000 });
      await judgementsOf(limits, [early, other]);
      const failed = await limits.judge([first, other], aBatch());

      await failed.drop();

      const late = anEvent({ occurredAt: NOON - 5_000 });
      expect(failed.judgements).toEqual(["fresh", "duplicate"]);
      expect(await judgementsOf(limits, [late, other, retry])).toEqual(["duplicate", "duplicate", "fresh"]);
    });

    it("acknowledges duplicates of the same batch and of stored ones", async () => {
      const limits = await fresh();
      await judgementsOf(limits, [other]);

      const judged = await limits.judge([first, retry, other], aBatch());

      expect(judged.judgements).toEqual(["fresh", "duplicate", "duplicate"]);
      expect(await judged.lostDuplicates()).toEqual(new Set());
    });

    it("lets a duplicate wait for its original, and share its end", async () => {
      const limits = await fresh();
      const stored = await limits.judge([first], aBatch());
      const failed = await limits.judge([other], aBatch());
      const duplicates = await limits.judge([retry, anEvent({ adId: "ad_other" }), other], aBatch());

      const losing = duplicates.lostDuplicates();
      stored.confirm();
      await failed.drop();

      expect(duplicates.judgements).toEqual(["duplicate", "fresh", "duplicate"]);
      expect(await losing).toEqual(new Set([2]));
    });

    it("does not acknowledge duplicates of a batch whose end nobody knows", async () => {
      const limits = await fresh();
      await limits.judge([first], aBatch());

      const duplicates = await limits.judge([retry], aBatch());

      expect(duplicates.judgements).toEqual(["duplicate"]);
      expect(await duplicates.lostDuplicates()).toEqual(new Set([0]));
    });

    it("acknowledges duplicates of a batch that was durable before it was judged", async () => {
      const limits = await fresh();
      const durable = await limits.judge([first], aBatch({ isDurable: true }));

      const duplicates = await limits.judge([retry], aBatch());
      const acknowledged = await duplicates.lostDuplicates();
      await durable.drop();

      expect(duplicates.judgements).toEqual(["duplicate"]);
      expect(acknowledged).toEqual(new Set());
      expect(await judgementsOf(limits, [first])).toEqual(["fresh"]);
    });

    it("counts the visitor again once the window has passed, whatever became of the batch", async () => {
      const limits = await fresh();
      await limits.judge([first], aBatch());

      const later = await limits.judge([anEvent({ occurredAt: NOON + 10_000 })], aBatch());

      expect(later.judgements).toEqual(["fresh"]);
      expect(await later.lostDuplicates()).toEqual(new Set());
    });
  });
}
