import { expect, it } from "vitest";
import { adsAddress } from "./ads-address.ts";

const BASE = "https://ads.example.com/";

it("asks for one ad of a workspace where nothing else is said", () => {
  const address = adsAddress(BASE, { workspace: "ws_1" });

  expect(address).toBe("https://ads.example.com/v1/workspaces/ws_1/ads/serving?count=1&proof=1");
});

it("names weights, tiers and what is excluded as the service does", () => {
  const { searchParams } = new URL(
    adsAddress(BASE, {
      workspace: "ws_1",
      count: 3,
      weightGte: 0,
      weightLt: 2.5,
      tierId: ["tier_1", "tier_2"],
      excludeIds: ["ad_1", "ad_2"],
    }),
  );

  expect(Object.fromEntries(searchParams)).toEqual({
    count: "3",
    proof: "1",
    "weight[gte]": "0",
    "weight[lt]": "2.5",
    tierId: "tier_1,tier_2",
    excludeIds: "ad_1,ad_2",
  });
});

it("keeps the difference between no tier given and a tier that is empty", () => {
  expect(adsAddress(BASE, { workspace: "ws_1", tierId: "" })).toContain("tierId=");
  expect(adsAddress(BASE, { workspace: "ws_1", tierId: undefined })).not.toContain("tierId");
});

it("excludes 200 ads at most, the latest", () => {
  const excludeIds = Array.from({ length: 250 }, (_, index) => `ad_${index}`);

  const excluded = new URL(adsAddress(BASE, { workspace: "ws_1", excludeIds })).searchParams.get(
    "excludeIds",
  );

  expect(excluded?.split(",")).toEqual(excludeIds.slice(50));
});

it("lets a workspace's id out of its place nowhere", () => {
  const { pathname, search } = new URL(adsAddress(BASE, { workspace: "../x?y#z" }));

  expect(pathname + search).toBe("/v1/workspaces/..%2Fx%3Fy%23z/ads/serving?count=1&proof=1");
});
