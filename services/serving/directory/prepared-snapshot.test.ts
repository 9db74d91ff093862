import { expect, it, onTestFinished } from "vitest";
import { anAd, aSnapshot } from "../tests/builders.ts";
import { prepareInRounds } from "./prepared-snapshot.ts";

it("gives others rounds of the event loop while it prepares ads that take long", async () => {
  const meta = {
    toJSON() {
      const since = performance.now();
      while (performance.now() - since < 6);
      return {};
    },
  };
  let rounds = 0;
  const count = () => {
    rounds += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  onTestFinished(() => clearImmediate(next));

  const { ads } = await prepareInRounds(aSnapshot({ ads: Array.from({ length: 10 }, () => anAd({ meta })) }));

  expect(ads).toHaveLength(10);
  expect(rounds).toBeGreaterThanOrEqual(4);
});
