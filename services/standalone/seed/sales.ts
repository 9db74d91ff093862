import type { Kysely } from "kysely";
import { z } from "zod";
import type { Tables } from "#libs/database/tables.ts";
import { backdate, before, REVIEW_MS } from "./backdating.ts";
import { type Caller, withId } from "./caller.ts";
import { DEMO_REVISION, DEMO_WAITING, type DemoAd, type DemoCreative } from "./content.ts";
import type { HistoryOfAd } from "./history.ts";

/** The demo workspace, for its advertisers. */
export interface Place {
  readonly db: Kysely<Tables>;
  /** When the demo is made, in milliseconds since the epoch. */
  readonly now: number;
  readonly workspaceId: string;
  /** The id of one price per tier. */
  readonly prices: readonly string[];
  /** The ids of the fields by their keys. */
  readonly fields: ReadonlyMap<string, string>;
  readonly publisher: Caller;
  readonly advertiser: Caller;
  readonly sandbox: Caller;
  /** Draws and stores the image of an ad; returns its URL. */
  readonly draw: (ad: DemoCreative) => Promise<string>;
}

/** An ad that was bought and approved when the demo says, for its history. */
export async function sell(place: Place, ad: DemoAd): Promise<HistoryOfAd> {
  const { db, workspaceId, publisher } = place;
  const boughtAt = before(place.now, ad.bought);
  // The first period waits for the review from the purchase on, as it would have then: renewals are earlier than the submission here.
  const { adId, submit } = await advertise(place, ad, boughtAt, true);
  await publisher.call("POST", `/v1/workspaces/${workspaceId}/ads/${adId}/approve`, withId);
  await backdate(db, workspaceId, adId, boughtAt);
  if (ad.name === DEMO_REVISION.of) await submit({ ...ad, tagline: DEMO_REVISION.tagline });
  return { workspaceId, adId, perDay: ad.perDay, since: boughtAt + REVIEW_MS };
}

/** The ad that waits for its review. */
export async function sellWaiting(place: Place): Promise<void> {
  const boughtAt = before(place.now, DEMO_WAITING.bought);
  const { adId } = await advertise(place, DEMO_WAITING, boughtAt);
  await backdate(place.db, place.workspaceId, adId, boughtAt);
}

/** Buys in the sandbox as of an earlier time, and submits the ad; returns its id and what submits again. */
async function advertise(place: Place, ad: Omit<DemoAd, "perDay">, boughtAt: number, isHeld = false) {
  const { sessionId } = await place.advertiser.call(
    "POST",
    `/v1/workspaces/${place.workspaceId}/checkout-sessions`,
    z.object({ sessionId: z.string() }),
    { tierPriceId: place.prices[ad.tier] ?? "" },
  );
  await place.sandbox.call("POST", `/sandbox/checkout/${sessionId}/complete-earlier`, z.unknown(), {
    email: `ads@${new URL(ad.site).hostname}.invalid`,
    name: ad.name,
    paidAt: Math.floor(boughtAt / 1000),
    ...(isHeld ? { metadata: { awaitsApproval: "yes" }, isPaused: true } : {}),
  });
  const image = await place.draw(ad);
  const submit = async (creative: DemoCreative) => {
    const values = { tagline: creative.tagline, image, button: creative.button };
    const { id } = await place.advertiser.call("POST", `/v1/checkout-sessions/${sessionId}/ad`, withId, {
      name: creative.name,
      websiteUrl: creative.site,
      meta: Object.entries(values).map(([key, value]) => ({ fieldId: place.fields.get(key) ?? "", value })),
    });
    return id;
  };
  return { adId: await submit(ad), submit };
}
