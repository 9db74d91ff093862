import { expect, expectTypeOf, it } from "vitest";
import type { z } from "zod";
import type { servingAd } from "#libs/contract/serving.ts";
import type * as Described from "./types/embed.d.mts";
import type * as DescribedReact from "./types/embed-react.d.mts";

it("describes the module that is built", async () => {
  const module = await import("./module.ts");

  expectTypeOf(module).toExtend<typeof Described>();
  expect(Object.keys(module).sort()).toEqual([
    "claimAds",
    "getAds",
    "trackClick",
    "trackImpression",
    "whenInView",
  ]);
});

it("describes the component that is built", async () => {
  const react = await import("./react.ts");

  expectTypeOf(react).toExtend<typeof DescribedReact>();
  expect(Object.keys(react)).toEqual(["Placard"]);
});

it("describes an ad as the contract does", () => {
  expectTypeOf<z.infer<typeof servingAd>>().toExtend<Described.Ad>();
  expectTypeOf<Described.Ad>().toExtend<Readonly<z.infer<typeof servingAd>>>();
});
