import { expect, it } from "vitest";
import { describeJudge } from "./judge-suite.ts";
import { createMemoryJudge } from "./memory.ts";
import { anEvent, aRange, judgementsOf, NOON } from "./suite/events.ts";

describeJudge("memory", () => createMemoryJudge(), 100);

it("keeps marks for three minutes of real time, however many events come between", async () => {
  let now = 0;
  const judge = createMemoryJudge({ now: () => now });
  await judgementsOf(judge, [{}]);

  now = 179_000;
  for (let n = 1; n <= 100; n += 1)
    await judgementsOf(judge, [{ visitor: "v", occurredAt: NOON + n * 60_000 }]);

  expect(await judgementsOf(judge, [{}])).toEqual(["duplicate"]);
});

it("drops the oldest marks, and none of the youngest, when there are too many", async () => {
  const judge = createMemoryJudge({ maxKeys: 1_000 });
  const visits = Array.from({ length: 2_000 }, (_, n) => ({ visitor: `v${n}` }));
  await judgementsOf(judge, visits);

  const again = await judgementsOf(judge, visits.slice(-400));

  expect(new Set(again)).toEqual(new Set(["duplicate"]));
});

it("keeps late events from pushing out marks of events of now", async () => {
  const judge = createMemoryJudge({ maxKeys: 1_000 });
  await judgementsOf(judge, [{}]);
  const late = Array.from({ length: 5_000 }, (_, n) => ({ visitor: `v${n}`, lateMs: 90_000 }));
  await judgementsOf(judge, late);

  expect(await judgementsOf(judge, [{}])).toEqual(["duplicate"]);
});

it("judges the open ranges of twelve partitions alike when their owner finishes them", async () => {
  const judge = createMemoryJudge();
  const partitions = Array.from({ length: 12 }, (_, n) => n);
  const judgeAll = () =>
    Promise.all(
      partitions.map((n) =>
        judge.judge([anEvent({ adId: `ad_${n}` }), anEvent({ adId: `ad_${n}` })], aRange(1, `${n}`)),
      ),
    );

  const first = await judgeAll();

  expect(await judgeAll()).toEqual(first);
  expect(first).toEqual(partitions.map(() => ["fresh", "duplicate"]));
});

it("keeps the mark of an event that a server's clock ahead of ours has reported, until its time has come", async () => {
  let now = 0;
  const judge = createMemoryJudge({ now: () => now });
  now = 100_000;
  await judgementsOf(judge, [{ lateMs: -290_000 }]);

  now += 290_000;

  expect(await judgementsOf(judge, [{}])).toEqual(["duplicate"]);
});

it("lets others go on while it judges a long range", async () => {
  const judge = createMemoryJudge();
  const events = Array.from({ length: 20_000 }, (_, n) => anEvent({ visitor: `v${n}` }));
  let rounds = 0;
  const countRounds = () => {
    rounds += 1;
    round = setImmediate(countRounds);
  };
  let round = setImmediate(countRounds);

  await judge.judge(events, aRange(1));
  clearImmediate(round);

  expect(rounds).toBeGreaterThanOrEqual(9);
});
