import { z } from "zod";
import { retry } from "#libs/async/index.ts";
import { FIELD_TYPES } from "#libs/domain/field.ts";
import { type Caller, createCaller, signIn, withId } from "../../services/standalone/seed/caller.ts";

const aTier = withId.extend({ prices: z.array(withId).min(1) });
const anAd = z.object({ subscription: z.object({ advertiser: withId }) });
const aSession = z.object({ sessionId: z.string() });

/** What the fuzzer needs to get past the front door: a session, and things that exist. */
export interface Story {
  readonly cookie: string;
  /** Values of the path placeholders. */
  readonly ids: Readonly<Record<string, string>>;
  /** Other ones for the operations after which the thing is gone, so that the rest still finds it. */
  readonly victims: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The fields that the submitted ad has values of, by type. */
  readonly fields: Readonly<Record<string, { readonly id: string }>>;
}

/** Signs up and makes one of everything through the public interface. */
export async function prepareStory(origin: string): Promise<Story> {
  const cookie = await join(origin, person("Fuzz Example", "fuzz@example.com"));
  const owner = createCaller(origin, { cookie });
  const weekly = await openWorkspace(owner, "Fuzz Weekly");
  const newField = (name: string) =>
    owner.call("POST", `${weekly.path}/fields`, withId, { name, type: "Text" });
  const newKey = (name: string) => owner.call("POST", `${weekly.path}/api-keys`, withId, { name });
  const sold = await buy(origin, weekly);
  const ad = await submit(origin, sold);
  const { subscription } = await owner.call("GET", `${weekly.path}/ads/${ad}`, anAd);

  const submission = await prepareSubmission(origin);
  return {
    cookie,
    ids: {
      workspaceId: weekly.id,
      tierId: weekly.tierId,
      priceId: weekly.priceId,
      fieldId: (await newField("Tagline")).id,
      keyId: (await newKey("Fuzz")).id,
      sessionId: submission.sessionId,
      adId: ad,
      advertiserId: subscription.advertiser.id,
      invoiceId: await firstInvoice(owner, weekly.path),
    },
    victims: {
      "fields.delete": { fieldId: (await newField("Old tagline")).id },
      "apiKeys.revoke": { keyId: (await newKey("Old")).id },
      "trackingKeys.revoke": {
        keyId: (await owner.call("POST", `${weekly.path}/tracking-keys`, withId, { name: "Old" })).id,
      },
      "ads.reject": { adId: await submit(origin, await buy(origin, weekly)) },
    },
    fields: submission.fields,
  };
}

/** The id of the invoice of the first sale, once its webhook has come. */
async function firstInvoice(owner: Caller, path: string): Promise<string> {
  const read = async () => {
    const { items } = await owner.call("GET", `${path}/invoices`, z.object({ items: z.array(withId) }));
    const [invoice] = items;
    if (invoice === undefined) throw new Error("the first sale has no invoice");
    return invoice.id;
  };
  return await retry(read, { firstMs: 50, longestMs: 500, signal: AbortSignal.timeout(30_000) });
}

/**
 * A purchase in somebody else's workspace, with a field of every type: nobody changes what its ad's values have to be
 * while ads are submitted.
 */
async function prepareSubmission(origin: string) {
  const cookie = await join(origin, person("Other Example", "other@example.com"));
  const owner = createCaller(origin, { cookie });
  const daily = await openWorkspace(owner, "Fuzz Daily");
  const fields: Record<string, { id: string }> = {};
  for (const type of FIELD_TYPES) {
    const limits =
      type === "Number" ? { min: 0, max: 10 } : type === "Select" ? { options: ["Red", "Blue"] } : {};
    fields[type] = await owner.call("POST", `${daily.path}/fields`, withId, { name: type, type, ...limits });
  }
  return { fields, sessionId: await buy(origin, daily) };
}

function person(name: string, email: string) {
  return { name, email, password: "correct horse battery" };
}

async function join(origin: string, somebody: ReturnType<typeof person>): Promise<string> {
  await createCaller(origin).call("POST", "/api/auth/sign-up/email", z.unknown(), somebody);
  return await signIn(origin, somebody);
}

async function openWorkspace(owner: Caller, name: string) {
  const { id } = await owner.call("POST", "/v1/workspaces", withId, { name });
  const path = `/v1/workspaces/${id}`;
  const tier = await owner.call("POST", `${path}/tiers`, aTier, {
    name: "Gold",
    weight: 3,
    initialPrices: [{ amount: 4900, intervalCount: 1, currency: "usd" }],
  });
  return { id, path, tierId: tier.id, priceId: tier.prices[0]?.id ?? "" };
}

/** A checkout session that is paid. */
async function buy(
  origin: string,
  shop: { readonly path: string; readonly priceId: string },
): Promise<string> {
  const anybody = createCaller(origin);
  const { sessionId } = await anybody.call("POST", `${shop.path}/checkout-sessions`, aSession, {
    tierPriceId: shop.priceId,
  });
  await anybody.call("POST", `/sandbox/checkout/${sessionId}/complete`, z.unknown(), {
    email: "advertiser@example.com",
  });
  return sessionId;
}

async function submit(origin: string, sessionId: string): Promise<string> {
  const ad = await createCaller(origin).call("POST", `/v1/checkout-sessions/${sessionId}/ad`, withId, {
    name: "Example Coffee",
    websiteUrl: "https://coffee.example",
  });
  return ad.id;
}
