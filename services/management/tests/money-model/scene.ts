import type { Publisher } from "../story.ts";
import type { Life } from "./life.ts";
import type { World } from "./passing.ts";
import type { Rig } from "./rig.ts";

/** A purchase of the walk: what it should be, and where it is found. */
export interface Sold {
  readonly life: Life;
  readonly email: string;
  readonly sessionId: string;
  readonly subscription: string;
  readonly customer: string;
  /** The id of the subscription here; empty before the ad is submitted. */
  ourId: string;
  /** Empty before the ad is submitted. */
  adId: string;
  path: string;
  /** Amounts of refunds that have a letter of their own. */
  readonly refunds: number[];
  /** Where the publisher ends it, that has a letter of its own too. */
  isEndedHere: boolean;
  readonly history: string[];
}

export interface Scene {
  readonly rig: Rig;
  readonly publisher: Publisher;
  readonly world: World;
  readonly random: () => number;
}

export interface Step {
  readonly name: string;
  readonly weight: number;
  can(life: Life): boolean;
  /** Does it at the service or the processor and in the model; returns what it did, in words. */
  take(scene: Scene, sold: Sold): Promise<string>;
}

/** What the product does not do yet by the rule: steps by their name, and comparisons. */
export const LEFT_OUT: readonly string[] = [];

const CARD_DIGITS = { works: "4242", fails: "0341" } as const;

/** The end of the number of a card that does so. */
export function cardDigits(card: Life["card"]): string {
  return CARD_DIGITS[card];
}

/** Sends a form of the sandbox's pages. Throws unless it is taken. */
export async function form({ rig }: Scene, path: string, body: object): Promise<void> {
  const { status, body: said } = await rig.post(path, body);
  if (status !== 200) throw new Error(`POST ${path} answered ${status}: ${JSON.stringify(said)}`);
}
