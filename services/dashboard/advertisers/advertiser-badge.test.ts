import { expect, it } from "vitest";
import { advertiserState } from "./advertiser-badge.tsx";

const active = {
  activeSubscriptions: 2,
  pastDueSubscriptions: 0,
  pausedSubscriptions: 0,
  canceling: false,
  churnedAt: null,
};

it("shows the most important state", () => {
  expect(advertiserState(active)).toBe("active");
  expect(advertiserState({ ...active, canceling: true })).toBe("canceling");
  expect(advertiserState({ ...active, activeSubscriptions: 0 })).toBe("waiting");
  expect(advertiserState({ ...active, activeSubscriptions: 0, churnedAt: "2026-11-01T00:00:00.000Z" })).toBe(
    "churned",
  );
  expect(advertiserState({ ...active, pastDueSubscriptions: 1, canceling: true })).toBe("pastDue");
  expect(advertiserState({ ...active, activeSubscriptions: 0, pausedSubscriptions: 1 })).toBe("paused");
});
