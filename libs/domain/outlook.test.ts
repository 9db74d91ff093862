import { expect, it } from "vitest";
import { processorTime } from "./moment.ts";
import { type OutlookFacts, outlook } from "./outlook.ts";

const DAY = 86_400_000;
const END = 100 * DAY;
const NOW = processorTime(95 * DAY);
const RUNNING: OutlookFacts = {
  status: "Active",
  chargeAt: "purchase",
  awaitsApproval: false,
  amount: 7_000,
  adStatus: "Approved",
  hasRun: true,
  currentPeriodEnd: END,
  cancelAtPeriodEnd: false,
  cancelAt: null,
  isPeriodVoid: false,
  isPaid: true,
  renewalFailedAt: null,
  graceDays: 3,
  graceChanges: [],
  stoppedAt: null,
  stopBill: null,
};
const OWED: OutlookFacts = { ...RUNNING, status: "PastDue", isPaid: false, renewalFailedAt: 94 * DAY };
const CANCELED = { cancelAtPeriodEnd: true };

it.each<[string, OutlookFacts, object]>([
  ["continues", RUNNING, { state: "running", end: null }],
  ["was canceled", { ...RUNNING, ...CANCELED }, { end: { at: new Date(END), isRenewed: false } }],
  ["has a fixed end", { ...RUNNING, cancelAt: END + DAY }, { end: { isRenewed: true } }],
  ["is in grace", OWED, { state: "owed", brings: "rest", liveUntil: new Date(97 * DAY) }],
  ["is off the air", { ...OWED, stoppedAt: 94 * DAY }, { brings: "rest", liveUntil: null }],
  ["has used its period up", { ...OWED, stoppedAt: END }, { brings: "new period" }],
  ["will have used it up", { ...OWED, graceDays: 9 }, { brings: "new period", liveUntil: new Date(END) }],
  ["has used it up, and was canceled", { ...OWED, ...CANCELED, stoppedAt: END }, { brings: "nothing" }],
  [
    "has used it up, and was canceled in the stop",
    { ...OWED, ...CANCELED, cancelAt: END + 7 * DAY, stoppedAt: END },
    { brings: "nothing" },
  ],
  ["ends before its grace", { ...OWED, cancelAt: 96 * DAY }, { brings: "nothing" }],
  ["was never shown", { ...OWED, hasRun: false }, { hasAd: false, liveUntil: null }],
  ["is paused", { ...RUNNING, status: "Paused", stopBill: "paid" }, { state: "paused", period: "paid" }],
  ["is paused at the processor and owed", { ...OWED, status: "Paused" }, { period: "owed" }],
  ["is paused in a void period", { ...RUNNING, status: "Paused", isPeriodVoid: true }, { period: "void" }],
  ["is paused and free", { ...RUNNING, status: "Paused", amount: 0 }, { period: "free", costs: "nothing" }],
])("tells what follows for a subscription that %s", (_name, facts, expected) => {
  expect(outlook(facts, NOW)).toMatchObject(expected);
});
