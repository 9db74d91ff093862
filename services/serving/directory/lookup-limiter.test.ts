import { expect, it } from "vitest";
import { LookupLimiter } from "./lookup-limiter.ts";

const HERE = "net 192.0.2.1";

function takeTimes(limiter: LookupLimiter, times: number): boolean[] {
  return Array.from({ length: times }, () => limiter.take(HERE));
}

it("gives each network 200 lookups per minute", () => {
  let now = 1_000_000;
  const limiter = new LookupLimiter(() => now);

  const taken = takeTimes(limiter, 201);
  const neighbour = limiter.take("net 2001:db8:0:1::/64");
  now += 60_000;

  expect(taken.filter(Boolean)).toHaveLength(200);
  expect([neighbour, limiter.take(HERE)]).toEqual([true, true]);
});

it("does not count refunded lookups", () => {
  const limiter = new LookupLimiter(() => 0);

  for (let count = 0; count < 1_000; count += 1) {
    limiter.take(HERE);
    limiter.refund(HERE);
  }

  expect(limiter.take(HERE)).toBe(true);
});

it("counts 20,000 networks one by one, and all others together", () => {
  const limiter = new LookupLimiter(() => 0);
  for (let count = 0; count < 20_000; count += 1) limiter.take(`net 10.0.${count >> 8}.${count & 255}`);

  const others = Array.from({ length: 300 }, (_, count) =>
    limiter.take(`net 10.1.${count >> 8}.${count & 255}`),
  );

  expect(others.filter(Boolean)).toHaveLength(200);
});
