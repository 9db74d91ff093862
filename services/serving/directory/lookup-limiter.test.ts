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

it("does not count ids that exist", () => {
  const limiter = new LookupLimiter(() => 0);

  for (let count = 0; count < 1_000; count += 1) {
    limiter.take(HERE);
    limiter.settle(HERE, 0);
  }

  expect(limiter.take(HERE)).toBe(true);
});

it("counts 20,000 networks one by one, and all others together as a hundred", () => {
  const limiter = new LookupLimiter(() => 0);
  for (let count = 0; count < 20_000; count += 1) limiter.take(`net 10.0.${count >> 8}.${count & 255}`);

  const others = Array.from({ length: 20_100 }, (_, count) =>
    limiter.take(`net 10.1.${count >> 8}.${count & 255}`),
  );

  expect(others.filter(Boolean)).toHaveLength(20_000);
});

it("leaves lookups to new networks when each network of a site has asked for one unknown id", () => {
  const limiter = new LookupLimiter(() => 0);

  for (let count = 0; count < 30_000; count += 1) limiter.take(`net 2001:db8:1:${count.toString(16)}::/64`);

  expect(takeTimes(limiter, 200)).not.toContain(false);
});

it("gives all networks of a site ten times as many lookups as one of them", () => {
  const limiter = new LookupLimiter(() => 0);

  const taken = Array.from({ length: 2_001 }, (_, n) =>
    limiter.take(`net 2001:db8:1:${n.toString(16)}::/64`),
  );
  limiter.settle("net 2001:db8:1:0::/64", 0);

  expect(taken.filter(Boolean)).toHaveLength(2_000);
  expect(limiter.take("net 2001:db8:1:ffff::/64")).toBe(true);
  expect(limiter.take("net 2001:db8:2:0::/64")).toBe(true);
});
