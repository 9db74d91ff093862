import { adCalls } from "./ads.ts";
import { catalogueCalls } from "./catalogue.ts";
import { countCalls } from "./counts.ts";
import type { CallsByName, Ground } from "./ground.ts";
import { moneyCalls } from "./money.ts";
import { peopleCalls } from "./people.ts";
import { privacyCalls } from "./privacy.ts";
import { saleCalls } from "./sale.ts";

/** How every endpoint of the management contract is brought to each of its answers, by its name there. */
export function contractCalls(ground: Ground): CallsByName {
  return {
    ...adCalls(ground),
    ...catalogueCalls(ground),
    ...countCalls(ground),
    ...moneyCalls(ground),
    ...peopleCalls(ground),
    ...privacyCalls(ground),
    ...saleCalls(ground),
  };
}
