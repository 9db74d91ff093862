import { expect, it } from "vitest";
import { endOfLost, isLostSince } from "./lost-account.ts";
import { processorTime } from "./moment.ts";

const NOW = processorTime(1_000);
const RUNNING = {
  status: "Active",
  chargeAt: "purchase",
  awaitsApproval: false,
  isPeriodVoid: false,
  isStopped: false,
  cancelAtPeriodEnd: false,
  cancelAt: null,
  currentPeriodEnd: 5_000,
} as const;

it.each([
  ["with the period that is paid", RUNNING, 5_000],
  ["with its trial", { ...RUNNING, status: "Trialing" }, 5_000],
  ["as it was canceled before", { ...RUNNING, cancelAt: 3_000 }, 3_000],
  ["with a period that has passed", { ...RUNNING, currentPeriodEnd: 500 }, 500],
  ["now if it is owed", { ...RUNNING, status: "PastDue" }, 1_000],
  ["now if its time stands still", { ...RUNNING, isStopped: true }, 1_000],
  ["now if its period was voided", { ...RUNNING, isPeriodVoid: true }, 1_000],
  [
    "now if its card is only saved",
    { ...RUNNING, status: "Trialing", chargeAt: "approval", awaitsApproval: true },
    1_000,
  ],
] as const)("ends a subscription %s once its account is gone", (_when, lost, end) => {
  expect(endOfLost(lost, NOW)).toBe(end);
});

it("takes an account for lost after a day", () => {
  const day = 86_400_000;
  expect([isLostSince(0, processorTime(day - 1)), isLostSince(0, processorTime(day))]).toEqual([false, true]);
});
