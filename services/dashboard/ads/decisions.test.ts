import { expect, it } from "vitest";
import { AD_ACTIONS, allowedActions, decisionWords } from "./decisions.ts";
import { anAd } from "./test-ads.ts";

const pending = anAd({ status: "Pending" });
const free = { id: "price_1", interval: "Month", intervalCount: 1, amount: 0, currency: "usd" } as const;

it("offers what the ad allows, and nothing that would be refused", () => {
  expect(allowedActions(pending, false)).toEqual(["approve", "request-changes", "reject"]);
  expect(allowedActions(anAd(), true)).toEqual(["reject", "pause"]);
  expect(allowedActions(anAd({ subscription: { status: "Paused" } }), false)).toEqual(["reject", "resume"]);
  expect(allowedActions(anAd({ status: "Rejected", subscription: { status: "Canceled" } }), false)).toEqual(
    [],
  );
});

it("says what a rejection does to the subscription and to the money", () => {
  expect(said("reject", anAd())).toMatch(/off the air.*canceled at once: nothing more is charged.*refund/s);
  expect(said("reject", pending)).not.toContain("off the air");
  expect(said("reject", anAd({ subscription: { status: "Canceled" } }))).toContain("has ended already");
});

it("speaks of no money where the price is nothing", () => {
  const ad = anAd({ subscription: { tierPrice: free } });

  for (const action of AD_ACTIONS) expect(said(action, ad)).not.toMatch(/charged|billed|paid|refund/);
});

function said(...[action, ad]: Parameters<typeof decisionWords>): string {
  return decisionWords(action, ad).effects.join("\n");
}
