import { expect, it } from "vitest";
import { zoneNamed } from "#libs/domain/report-zone.ts";
import { zonesByName } from "./time-zones.ts";

it("has each zone once, by the name that it has now", () => {
  expect(zonesByName(["Europe/Kiev", "Asia/Calcutta", "Asia/Kolkata", "UTC"])).toEqual([
    "Asia/Kolkata",
    "Europe/Kyiv",
    "UTC",
  ]);
});

it("has only names that reports take", () => {
  const unknown = zonesByName(Intl.supportedValuesOf("timeZone")).filter((zone) => zoneNamed(zone) === null);

  expect(unknown).toEqual([]);
});
