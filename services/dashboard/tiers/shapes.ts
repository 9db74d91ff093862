import type { z } from "zod";
import type { tierPrice } from "#libs/contract/price.ts";
import type { tier } from "#libs/contract/tiers.ts";

/** A tier as the management surface shows it. */
export type Tier = z.output<typeof tier>;
export type TierPrice = z.output<typeof tierPrice>;
