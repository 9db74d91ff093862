import type { z } from "zod";
import type { ad, adTraffic, eligibility, listedAd } from "#libs/contract/ad.ts";
import type { field } from "#libs/contract/fields.ts";

export type Ad = z.output<typeof ad>;
export type ListedAd = z.output<typeof listedAd>;
export type AdTraffic = z.output<typeof adTraffic>;
export type Eligibility = z.output<typeof eligibility>;
export type Field = z.output<typeof field>;
