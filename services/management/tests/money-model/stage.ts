import { z } from "zod";
import { workspaceSettings } from "#libs/contract/settings.ts";
import { tier } from "#libs/contract/tiers.ts";
import { aPublisher, type Publisher } from "../story.ts";
import { shown } from "./calendar.ts";
import { buy, type Life, PROMOTIONS, type Promotion, type Terms } from "./life.ts";
import { graceEnd, type World } from "./passing.ts";
import type { Rig } from "./rig.ts";
import { cardDigits, type Scene, type Sold } from "./scene.ts";

const PRICES = [
  { interval: "Day", intervalCount: 1, amount: 700, currency: "usd" },
  { interval: "Day", intervalCount: 20, amount: 9_900, currency: "eur" },
  { interval: "Week", intervalCount: 1, amount: 3_000, currency: "usd" },
  { interval: "Week", intervalCount: 3, amount: 12_345, currency: "jpy" },
  { interval: "Month", intervalCount: 1, amount: 4_900, currency: "usd" },
  { interval: "Month", intervalCount: 1, amount: 49_990, currency: "kwd" },
  { interval: "Month", intervalCount: 3, amount: 13_001, currency: "eur" },
  { interval: "Year", intervalCount: 1, amount: 120_001, currency: "usd" },
  { interval: "Month", intervalCount: 1, amount: 0, currency: "eur" },
] as const satisfies readonly Omit<Terms, "promotion" | "chargeAt" | "trialDays">[];
const GRACES = [0, 1, 3, 3, 9, 14];

/** A publisher with all that was sold there. */
export interface Stage {
  readonly rig: Rig;
  readonly scene: Scene;
  readonly publisher: Publisher;
  readonly priceIds: ReadonlyMap<string, string>;
  readonly sold: Sold[];
  chargeAt: Terms["chargeAt"];
  /** Whether webhooks are still on their way. */
  isBehind: boolean;
  latest: Sold | null;
}

export async function openStage(rig: Rig, world: World, random: () => number): Promise<Stage> {
  const publisher = await aPublisher(rig.service);
  const prices = PRICES.map((price) => price);
  const made = await publisher.caller.ok(tier, "POST", `${publisher.path}/tiers`, {
    name: "Gold",
    weight: 3,
    initialPrices: prices,
  });
  const priceIds = new Map(
    made.prices.map(({ id, interval, intervalCount, currency, amount }) => [
      `${interval} ${intervalCount} ${currency} ${amount}`,
      id,
    ]),
  );
  world.now = rig.now();
  world.graceDays = GRACES[Math.floor(random() * GRACES.length)] ?? 3;
  const chargeAt = random() < 0.5 ? "purchase" : "approval";
  world.afterRetries =
    (["cancel", "cancel", "unpaid", "past_due"] as const)[Math.floor(random() * 4)] ?? "cancel";
  await rig.setAfterRetries(world.afterRetries);
  await publisher.caller.ok(workspaceSettings, "PATCH", `${publisher.path}/settings`, {
    chargeAt,
    renewalGraceDays: world.graceDays,
  });
  const scene: Scene = { rig, publisher, world, random };
  return { rig, scene, publisher, priceIds, sold: [], chargeAt, isBehind: false, latest: null };
}

/** Changes the settings while purchases live: a new `chargeAt` is for new ones only, a new grace for all. */
export async function changeSettings(
  stage: Stage,
  { chargeAt, graceDays }: Pick<Stage, "chargeAt"> & Pick<World, "graceDays">,
): Promise<void> {
  const { publisher, scene, sold } = stage;
  const { world } = scene;
  stage.chargeAt = chargeAt;
  const inGrace = sold.filter(({ life }) => (graceEnd(life, world) ?? 0) > world.now);
  world.graceDays = graceDays;
  for (const { life } of inGrace) {
    // Cut short in its middle: off the air from now on.
    if ((graceEnd(life, world) ?? 0) <= world.now) life.stop = { reason: "unpaid", at: world.now };
  }
  await publisher.caller.ok(workspaceSettings, "PATCH", `${publisher.path}/settings`, {
    chargeAt,
    renewalGraceDays: graceDays,
  });
}

/** Sells a random price with a random promotion to a random card. */
export async function sell(stage: Stage, name: string): Promise<Sold> {
  const { rig, scene } = stage;
  const { random } = scene;
  const price = pick(PRICES, random) ?? PRICES[0];
  const isPromoted = rig.trialDays === null && price.amount > 0 && random() < 0.4;
  const promotions = Object.keys(PROMOTIONS).filter(isPromotion);
  const promotion = (isPromoted ? pick(promotions, random) : undefined) ?? "none";
  const terms: Terms = {
    ...price,
    promotion,
    chargeAt: price.amount === 0 ? "purchase" : stage.chargeAt,
    trialDays: rig.trialDays,
  };
  return await sellOn(stage, name, terms, random() < 0.55 ? "works" : "fails");
}

/** Sells on those terms. */
export async function sellOn(stage: Stage, name: string, terms: Terms, card: Life["card"]): Promise<Sold> {
  const { rig, scene, publisher, priceIds } = stage;
  const { interval, intervalCount, currency, amount, promotion } = terms;
  const email = `buyer-${name}@example.com`;
  const tierPriceId = priceIds.get(`${interval} ${intervalCount} ${currency} ${amount}`);
  const session = z.object({ url: z.string(), sessionId: z.string() });
  const { sessionId } = await rig.anybody.ok(session, "POST", `${publisher.path}/checkout-sessions`, {
    tierPriceId,
  });
  const { status, body } = await rig.post(`/sandbox/checkout/${sessionId}/complete`, {
    email,
    name,
    card: cardDigits(card),
    ...(promotion === "none" ? {} : { promotionCode: promotion }),
  });
  if (status !== 200) throw new Error(`paying answered ${status}: ${JSON.stringify(body)}`);
  const { stripe } = rig.service.processor;
  const { subscription, customer } = await stripe.checkout.sessions.retrieve(sessionId);
  const life = buy(name, terms, scene.world.now, card);
  const sold: Sold = {
    life,
    email,
    sessionId,
    subscription: String(subscription),
    customer: String(customer),
    ourId: "",
    adId: "",
    path: "",
    refunds: [],
    isEndedHere: false,
    history: [],
  };
  note(
    stage,
    sold,
    `buys ${JSON.stringify(terms)} with a card that ${card}; grace ${scene.world.graceDays}, after retries ${scene.world.afterRetries}`,
  );
  stage.sold.push(sold);
  return sold;
}

function isPromotion(word: string): word is Promotion {
  return word in PROMOTIONS;
}

export function pick<T>(among: readonly T[], random: () => number): T | undefined {
  return among[Math.floor(random() * among.length)];
}

export function note({ scene }: Stage, sold: Sold, what: string): void {
  sold.history.push(`${shown(scene.world.now)} ${what}`);
}
