import { z } from "zod";
import { createCaller, signUp } from "../../services/standalone/seed/caller.ts";

const withId = z.object({ id: z.string() });
const aTier = withId.extend({ prices: z.array(withId).min(1) });
const anAd = z.object({ subscription: z.object({ advertiser: withId }) });

/** What the fuzzer needs to get past the front door: a session, and things that exist. */
export interface Story {
  readonly cookie: string;
  /** Values of the path placeholders. */
  readonly ids: Readonly<Record<string, string>>;
}

/** Signs up and makes one of everything through the public interface. */
export async function prepareStory(origin: string): Promise<Story> {
  const cookie = await signUp(origin, {
    name: "Fuzz Example",
    email: "fuzz@example.com",
    password: "correct horse battery",
  });
  const owner = createCaller(origin, { cookie });
  const anybody = createCaller(origin);
  const workspace = await owner.call("POST", "/v1/workspaces", withId, { name: "Fuzz Weekly" });
  const path = `/v1/workspaces/${workspace.id}`;
  const tier = await owner.call("POST", `${path}/tiers`, aTier, {
    name: "Gold",
    weight: 3,
    initialPrices: [{ amount: 4900, intervalCount: 1, currency: "usd" }],
  });
  const field = await owner.call("POST", `${path}/fields`, withId, { name: "Tagline", type: "Text" });
  const key = await owner.call("POST", `${path}/api-keys`, withId, { name: "Fuzz" });
  const priceId = tier.prices[0]?.id ?? "";
  const { sessionId } = await anybody.call(
    "POST",
    `${path}/checkout-sessions`,
    z.object({ sessionId: z.string() }),
    { tierPriceId: priceId },
  );
  await anybody.call("POST", `/sandbox/checkout/${sessionId}/complete`, z.unknown(), {
    email: "advertiser@example.com",
  });
  const submitted = await anybody.call("POST", `/v1/checkout-sessions/${sessionId}/ad`, withId, {
    name: "Example Coffee",
    websiteUrl: "https://coffee.example",
  });
  const ad = await owner.call("GET", `${path}/ads/${submitted.id}`, anAd);
  return {
    cookie,
    ids: {
      workspaceId: workspace.id,
      tierId: tier.id,
      priceId,
      fieldId: field.id,
      keyId: key.id,
      sessionId,
      adId: submitted.id,
      advertiserId: ad.subscription.advertiser.id,
    },
  };
}
