import { expect, it } from "vitest";
import { processorTime } from "#libs/domain/moment.ts";
import { anAd } from "../tests/test-ads.ts";
import { endWords, paidTimeWords } from "./subscription-words.ts";

const PERIOD_END = "2026-12-01T09:00:00.000Z";
const EARLIER = "2026-11-20T09:00:00.000Z";
const LATER = "2026-11-25T09:00:00.000Z";

it.each([
  ["renews while nothing is said of an end", {}, { name: "Renews", at: PERIOD_END }],
  ["ends with its period", { cancelAtPeriodEnd: true }, { name: "Ends", at: PERIOD_END }],
  ["ends at a day of its own", { cancelAtPeriodEnd: true, cancelAt: EARLIER }, { name: "Ends", at: EARLIER }],
  ["has ended", { status: "Canceled", canceledAt: EARLIER, endedAt: LATER }, { name: "Ended", at: LATER }],
  [
    "ended at a time nobody told",
    { status: "Canceled", canceledAt: EARLIER },
    { name: "Ended", at: EARLIER },
  ],
  [
    "stands still since it was paused",
    { status: "Paused", stoppedAt: EARLIER },
    { name: "Stopped", at: EARLIER },
  ],
  ["does not renew while it is paused", { status: "Paused" }, { name: "Period ends", at: PERIOD_END }],
  ["has no period before it is paid", { status: "Incomplete" }, null],
  ["does not renew before its ad is approved", { awaitsApproval: true }, null],
  ["is not known to end", { currentPeriodEnd: null }, null],
] as const)("tells of a subscription that %s", (_name, facts, words) => {
  const { subscription } = anAd({ subscription: facts });

  expect(endWords(subscription)).toEqual(words);
});

it("shows the advertiser's reason in words, unless it says nothing", () => {
  const ending = (cancellationFeedback: string) =>
    endWords(anAd({ subscription: { cancelAtPeriodEnd: true, cancellationFeedback } }).subscription)?.why;

  expect(ending("too_expensive")).toBe("Too expensive");
  expect(ending("other")).toBeUndefined();
});

it("says until when an advertiser paid before the ad was approved, and then what an approval costs", () => {
  const { subscription } = anAd({
    subscription: { awaitsApproval: true, currentPeriodEnd: "2026-12-25T12:00:00.000Z" },
  });
  const before = processorTime(Date.parse("2026-12-24T12:00:00Z"));
  const after = processorTime(Date.parse("2026-12-26T12:00:00Z"));
  const over = "No paid time is left: approving the ad starts a new period and charges it.";

  expect(paidTimeWords(subscription, before)).toBe("Paid until Dec 25, 2026.");
  expect(paidTimeWords(subscription, after)).toBe(over);
  // As in each later period, whose invoice is void.
  expect(paidTimeWords({ ...subscription, awaitsCharge: true }, before)).toBe(over);
  // A saved card.
  expect(paidTimeWords({ ...subscription, status: "Trialing", awaitsCharge: true }, before)).toBeNull();
  expect(paidTimeWords({ ...subscription, awaitsApproval: false }, before)).toBeNull();
  // Renewals that were paid before: their time begins with the approval.
  expect(paidTimeWords({ ...subscription, stoppedAt: EARLIER }, after)).toBeNull();
});
