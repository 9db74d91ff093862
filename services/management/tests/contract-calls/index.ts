// How each endpoint of the management contract is brought to each of its answers: one table in four parts.
import { adCalls } from "./ads.ts";
import { catalogueCalls } from "./catalogue.ts";
import type { CallsByName, Ground } from "./ground.ts";
import { peopleCalls } from "./people.ts";
import { saleCalls } from "./sale.ts";

export type { Call } from "./ground.ts";
export { prepareGround } from "./ground.ts";

/** The calls of every endpoint, by its name in the contract. */
export function contractCalls(ground: Ground): CallsByName {
  return { ...adCalls(ground), ...catalogueCalls(ground), ...peopleCalls(ground), ...saleCalls(ground) };
}
