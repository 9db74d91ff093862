import { expect, it, vi } from "vitest";
import { encodeLoggedEvent, type LoggedEvent } from "#libs/domain/logged-event.ts";
import { eventsOf, readLines } from "#libs/judge/index.ts";
import type { Visit } from "#libs/stats-store/port.ts";
import { markKnownDuplicates } from "./known-duplicates.ts";
import { A_LOGGED_EVENT } from "./tests/events.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;
const EVENT: LoggedEvent = { ...A_LOGGED_EVENT, occurredAt: NOON };

/** Which of the events are known to be duplicates, and what the store was asked for. */
async function known(
  events: readonly Partial<LoggedEvent>[],
  lateMs: number,
  stored: readonly Visit[] = [],
  knowsSince = 0,
) {
  const countedVisits = vi.fn((_visits: readonly Visit[], _around: number) => Promise.resolve(stored));
  const lines = await readLines(
    events.map((event) => {
      const line = { ...EVENT, ...event };
      return { rows: Buffer.from(encodeLoggedEvent(line)), appendedAt: line.occurredAt + lateMs };
    }),
  );
  const marked = await markKnownDuplicates({ countedVisits }, { knowsSince }, lines, eventsOf(lines));
  const asked = countedVisits.mock.calls.flatMap(([visits]) => visits.map(({ id }) => id));
  const around = countedVisits.mock.calls.map(([visits, ms]) => [visits.map(({ id }) => id).join(), ms]);
  return { duplicates: marked.map(({ isDuplicate }) => isDuplicate === true), asked, around };
}

it("asks the store nothing about events that came in time", async () => {
  expect(await known([{}], 100_000)).toMatchObject({ duplicates: [false], asked: [] });
});

it("finds the original of an event that came late, within its window alone", async () => {
  const events = [
    { id: "evt_1" },
    { id: "evt_2", occurredAt: NOON + 10_000 },
    { id: "evt_3", kind: "click" as const, windowMs: 2_000 },
    { id: "evt_4", visitor: "another0visitor0" },
  ];

  const found = await known(events, HOUR, [{ ...EVENT, id: "evt_stored" }]);

  expect(found).toEqual({
    duplicates: [true, false, false, false],
    asked: ["evt_1", "evt_2", "evt_4", "evt_3"],
    around: [
      ["evt_1,evt_2,evt_4", 10_000],
      ["evt_3", 2_000],
    ],
  });
});

it("finds the original that a judge was started too late to see, of an event that came in time", async () => {
  const stored = [{ ...EVENT, id: "evt_stored" }];
  const events = [
    { id: "evt_1", occurredAt: NOON + 9_000 },
    { id: "evt_2", occurredAt: NOON + 20_000 },
  ];

  const found = await known(events, 5, stored, NOON + 8_000);

  expect(found).toMatchObject({ duplicates: [true, false], asked: ["evt_1"] });
});

it("takes no row of the range itself for an original: the range may be inserted again", async () => {
  const events = [{ id: "evt_1" }, { id: "evt_2", occurredAt: NOON + 1_000 }];

  expect((await known(events, HOUR, [EVENT])).duplicates).toEqual([false, false]);
});

it("looks for no original of visitors who are in no row, and of events that cannot count", async () => {
  const events = [{ visitor: "", privateKeys: "0".repeat(32) }, { visitor: "" }, { verdict: "bot" as const }];

  expect((await known(events, HOUR, [EVENT])).asked).toEqual([]);
});

it("looks among as many events of one visitor as a day may have, without walking through all for each", async () => {
  const HALF_MINUTE = 30_000;
  const number = 100_000;
  const at = (n: number) => NOON + n * HALF_MINUTE;
  const stored = Array.from({ length: number }, (_, n) => ({
    ...EVENT,
    id: `evt_stored${n}`,
    occurredAt: at(n) + HALF_MINUTE / 2,
  }));
  const events = Array.from({ length: number }, (_, n) => ({ id: `evt_${n}`, occurredAt: at(n) }));
  const near = { id: "evt_near", occurredAt: at(number / 2) + HALF_MINUTE / 2 + 9_999 };

  const { duplicates } = await known([...events, near], HOUR, stored);

  expect(duplicates.indexOf(true)).toBe(number);
}, 10_000);
