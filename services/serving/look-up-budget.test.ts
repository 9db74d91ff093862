import { expect, it } from "vitest";
import { LookUpBudget } from "./look-up-budget.ts";

const HERE = "net 192.0.2.1";

function takeTimes(budget: LookUpBudget, times: number): boolean[] {
  return Array.from({ length: times }, () => budget.take(HERE));
}

it("gives each network 200 look-ups a minute", () => {
  let now = 1_000_000;
  const budget = new LookUpBudget(() => now);

  const taken = takeTimes(budget, 201);
  const neighbour = budget.take("net 2001:db8:0:1::/64");
  now += 60_000;

  expect(taken.filter(Boolean)).toHaveLength(200);
  expect([neighbour, budget.take(HERE)]).toEqual([true, true]);
});

it("takes nothing for look-ups that are given back", () => {
  const budget = new LookUpBudget(() => 0);

  for (let count = 0; count < 1_000; count += 1) {
    budget.take(HERE);
    budget.giveBack(HERE);
  }

  expect(budget.take(HERE)).toBe(true);
});

it("holds 20,000 networks, and lets all others share one budget", () => {
  const budget = new LookUpBudget(() => 0);
  for (let count = 0; count < 20_000; count += 1) budget.take(`net 10.0.${count >> 8}.${count & 255}`);

  const others = Array.from({ length: 300 }, (_, count) =>
    budget.take(`net 10.1.${count >> 8}.${count & 255}`),
  );

  expect(others.filter(Boolean)).toHaveLength(200);
});
