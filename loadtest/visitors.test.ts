import fc from "fast-check";
import { expect, it } from "vitest";
import { addressOf, requestsOf } from "./visitors.ts";

it("gives every visitor an address of their own", () => {
  const visitor = fc.integer({ min: 0, max: 2 ** 24 - 1 });
  fc.assert(
    fc.property(visitor, visitor, (one, other) => {
      expect(addressOf(one) === addressOf(other)).toBe(one === other);
    }),
  );
});

it("sends each visitor of a connection to the next path", () => {
  const ask = {
    origin: "http://127.0.0.1",
    method: "POST" as const,
    paths: ["/a", "/b"],
    headers: { "user-agent": "a browser" },
    visitorsPerConnection: 3,
    duration: 1,
    connections: 4,
  };

  const requests = requestsOf(ask, 256);

  expect(requests.map(({ path }) => path)).toEqual(["/a", "/b", "/a"]);
  expect(requests.map(({ headers }) => headers)).toEqual([
    { "user-agent": "a browser", "x-forwarded-for": "10.0.1.0" },
    { "user-agent": "a browser", "x-forwarded-for": "10.0.1.1" },
    { "user-agent": "a browser", "x-forwarded-for": "10.0.1.2" },
  ]);
});
