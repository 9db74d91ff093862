import fc from "fast-check";
import { expect, it } from "vitest";
import { startManagement } from "../../tests/management.ts";
import { forgetProcessorFacts, processorFacts } from "../../tests/processor-facts.ts";
import {
  allRecorded,
  liveThrough,
  type RecordedEvent,
  recordEvents,
  seededNumbers,
} from "../../tests/recorded-events.ts";
import { aPublisher } from "../../tests/story.ts";
import { applied, deliver } from "../../tests/webhook-story.ts";

const service = await startManagement({ unlimited: true, webhooks: "by hand" });
const publisher = await aPublisher(service);

const LIVES = 4;
const SEED = 7;
const RUNS = 12;

/** Clears the service's state, sends it the events `atATime` at a time, and returns the resulting state. */
async function outcomeOf(events: readonly RecordedEvent[], atATime: number) {
  await forgetProcessorFacts(service.database);
  for (let n = 0; n < events.length; n += atATime) {
    await Promise.all(events.slice(n, n + atATime).map((event) => deliver(service, event)));
  }
  await applied(service, ...new Set(events.map(({ id }) => id)));
  return await processorFacts(service.database);
}

it("reaches the same state for every order of the events, each sent once or twice", async () => {
  const recorded = await recordEvents(service);
  await liveThrough(service, publisher, LIVES, seededNumbers(SEED));
  await allRecorded(service, recorded);
  const inOrder = await outcomeOf(recorded, 1);
  const twice = [...recorded, ...recorded];
  const orders = fc.shuffledSubarray(twice, { minLength: recorded.length });

  await fc.assert(
    fc.asyncProperty(orders, fc.integer({ min: 1, max: 8 }), async (some, atATime) => {
      // Events missing from the shuffle are sent last, so that each arrives.
      const missing = recorded.filter((event) => !some.includes(event));
      const shuffled = await outcomeOf([...some, ...missing], atATime);

      expect(shuffled).toEqual(inOrder);
    }),
    { numRuns: RUNS, seed: SEED },
  );
  expect(inOrder.subscriptions).toHaveLength(LIVES);
});
