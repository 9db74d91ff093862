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
    expectStatus: "2xx" as const,
  };

  const requests = requestsOf(ask, 256);

  expect(requests.map(({ path }) => path)).toEqual(["/a", "/b", "/a"]);
  expect(requests.map(({ headers }) => headers)).toEqual([
    { "user-agent": "a browser", "x-forwarded-for": "10.0.1.0" },
    { "user-agent": "a browser", "x-forwarded-for": "10.0.1.1" },
    { "user-agent": "a browser", "x-forwarded-for": "10.0.1.2" },
  ]);
});

it("goes through a mix in its order, each request with its own method and headers beside those of all", () => {
  const ask = {
    origin: "http://127.0.0.1",
    method: "GET" as const,
    paths: ["/unused"],
    headers: { "user-agent": "a browser" },
    mix: [
      { method: "GET" as const, path: "/a", headers: {} },
      { method: "POST" as const, path: "/b", headers: { authorization: "a key" }, body: "{}" },
    ],
    duration: 1,
    connections: 1,
    expectStatus: "2xx" as const,
  };

  expect(requestsOf(ask, 1)).toEqual([
    {
      method: "POST",
      path: "/b",
      headers: { "user-agent": "a browser", authorization: "a key" },
      body: "{}",
    },
    { method: "GET", path: "/a", headers: { "user-agent": "a browser" } },
  ]);
});

it("asks for each number once before any twice", () => {
  const ask = {
    origin: "http://127.0.0.1",
    method: "GET" as const,
    paths: ["/ads/ad_#"],
    headers: {},
    numbered: { first: 5, count: 1_000 },
    requestsPerConnection: 1_000,
    duration: 1,
    connections: 1,
    expectStatus: "2xx" as const,
  };

  const paths = requestsOf(ask, 3_000).map(({ path }) => path);

  expect(new Set(paths).size).toBe(1_000);
  expect(paths.toSorted()[0]).toBe("/ads/ad_00000000000000000000000005");
});
