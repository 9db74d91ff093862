import { describe, expect, it } from "vitest";
import { aBatch, anEvent, type Fresh, judgementsOf, LIMITS, NOON } from "./events.ts";

/** What holds of a batch that is judged again under its id. */
export function describeBatchIds(adapter: string, fresh: Fresh): void {
  const first = anEvent({});
  const retry = anEvent({ occurredAt: NOON + 1_000 });
  const other = anEvent({ visitor: "another0visitor0" });

  describe(`${adapter}: a batch that is judged again`, () => {
    it("gets the same judgements and takes nothing more, until it is confirmed", async () => {
      const limits = await fresh({ ...LIMITS, impressionsPerMinute: 3 });
      const batch = aBatch();
      const events = [first, retry, other, other];

      const judged = await limits.judge(events, batch);
      const again = await limits.judge(events, batch);
      again.confirm();

      const visits = [anEvent({ adId: "ad_other" }), other];
      expect(judged.judgements).toEqual(["fresh", "duplicate", "fresh", "limited"]);
      expect(again.judgements).toEqual(judged.judgements);
      expect(await again.lostDuplicates()).toEqual(new Set());
      expect(await judgementsOf(limits, visits)).toEqual(["fresh", "limited"]);
    });

    it("gets the same judgements after it was confirmed, if it is repeatable", async () => {
      const limits = await fresh();
      const batch = aBatch({ isRepeatable: true });
      const judged = await limits.judge([first, retry], batch);
      judged.confirm();

      const again = await limits.judge([first, retry], batch);
      await again.drop();

      expect(again.judgements).toEqual(["fresh", "duplicate"]);
      expect(await judgementsOf(limits, [retry])).toEqual(["duplicate"]);
    });

    it("counts after it was dropped", async () => {
      const limits = await fresh({ ...LIMITS, impressionsPerMinute: 1 });
      const batch = aBatch({ isRepeatable: true });
      const failed = await limits.judge([first], batch);
      await failed.drop();

      const again = await limits.judge([first], batch);
      again.confirm();

      expect(again.judgements).toEqual(["fresh"]);
      expect(await judgementsOf(limits, [retry])).toEqual(["limited"]);
    });

    it("is refused with other events", async () => {
      const limits = await fresh();
      const batch = aBatch();
      await limits.judge([first], batch);

      await expect(limits.judge([first, other], batch)).rejects.toMatchObject({
        name: "LimitsError",
        code: "REFUSED",
        message: expect.stringContaining("judged with other events"),
      });
    });

    it("leaves nothing behind where it is refused, so that its events count under another id", async () => {
      const limits = await fresh();
      const batch = aBatch();
      await limits.judge([first], batch);
      const elsewhere = Array.from({ length: 20 }, (_, n) => anEvent({ address: `a${n}`, visitor: `v${n}` }));
      const events = [other, anEvent({ visitor: "a0third0visitor0" }), ...elsewhere];
      await expect(limits.judge(events, batch)).rejects.toMatchObject({ code: "REFUSED" });

      const again = await limits.judge(events, aBatch({ isLate: true }));

      expect(again.judgements).toEqual(events.map(() => "fresh"));
      expect(await again.lostDuplicates()).toEqual(new Set());
    });

    it("stays judged, once it is durable, whatever becomes of an attempt that is not", async () => {
      const limits = await fresh();
      const batch = aBatch();
      const attempt = await limits.judge([first], batch);
      const waiting = await limits.judge([retry], aBatch());
      const durable = await limits.judge([first], { ...batch, isDurable: true });

      await attempt.drop();

      expect(durable.judgements).toEqual(["fresh"]);
      expect(await waiting.lostDuplicates()).toEqual(new Set());
      expect(await judgementsOf(limits, [retry])).toEqual(["duplicate"]);
    });

    it("is not taken for stored by duplicates of it when it is dropped at the second time", async () => {
      const limits = await fresh();
      const batch = aBatch();
      await limits.judge([first], batch);
      const again = await limits.judge([first], batch);
      const duplicate = await limits.judge([retry], aBatch());

      await again.drop();

      expect(await duplicate.lostDuplicates()).toEqual(new Set([0]));
    });
  });
}
