import { expect, it } from "vitest";
import { anAd } from "../tests/test-ads.ts";
import { allowedActions, decisionWords, EXPLAINED_ACTIONS } from "./decisions.ts";

const pending = anAd({ status: "Pending" });
const free = { id: "price_1", interval: "Month", intervalCount: 1, amount: 0, currency: "usd" } as const;

it("offers the decisions that the ad allows, and no others", () => {
  expect(allowedActions(pending, false)).toEqual(["approve", "request-changes", "reject"]);
  expect(allowedActions(anAd(), true)).toEqual(["pause", "reject"]);
  expect(allowedActions(anAd({ subscription: { status: "Paused" } }), false)).toEqual(["resume", "reject"]);
  expect(allowedActions(anAd({ status: "Rejected", subscription: { status: "Canceled" } }), false)).toEqual(
    [],
  );
});

it("offers of an ad that ended unreviewed only the rejection, which decides about its refund", () => {
  const ended = anAd({ status: "Pending", subscription: { status: "Canceled" } });

  expect(allowedActions(ended, false)).toEqual(["reject"]);
});

it("explains the effects of a rejection on the ad and the subscription", () => {
  expect(said("reject", anAd())).toMatch(/stops showing.*canceled immediately: nothing more is charged/s);
  expect(said("reject", pending)).not.toContain("stops showing");
  expect(said("reject", anAd({ subscription: { status: "Canceled" } }))).toContain("has already ended");
});

it("says before a pause of a canceled ad, and before its end, what becomes of the paid period", () => {
  const end = { cancelAtPeriodEnd: true, currentPeriodEnd: "2026-12-24T00:00:00.000Z" };
  const paused = { status: "Paused" } as const;

  expect(said("pause", anAd())).toContain("The rest of the current period runs then.");
  expect(said("pause", anAd({ subscription: { status: "PastDue" } }))).toContain(
    "payment that’s due is made",
  );
  expect(said("pause", anAd({ subscription: end }))).toMatch(
    /ends on Dec 24, 2026. If you resume the ad before that, the rest/,
  );
  expect(said("resume", anAd({ subscription: { ...paused, ...end } }))).toContain(
    "runs from now, then the subscription ends",
  );
  expect(said("resume", anAd({ subscription: { ...paused, awaitsCharge: true } }))).toContain(
    "A new billing period begins, and is charged now.",
  );
  expect(said("resume", anAd({ subscription: { ...paused, ...end, awaitsCharge: true } }))).toContain(
    "ends immediately",
  );
});

it("does not mention money if the tier is free", () => {
  const ad = anAd({ subscription: { tierPrice: free } });

  for (const action of EXPLAINED_ACTIONS) expect(said(action, ad)).not.toMatch(/charged|billed|paid|refund/);
});

function said(...[action, ad]: Parameters<typeof decisionWords>): string {
  return decisionWords(action, ad).effects.join("\n");
}
