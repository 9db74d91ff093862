import { ad } from "#libs/contract/ad.ts";
import { submittedAd } from "#libs/contract/checkout.ts";
import { uploadGrant } from "#libs/contract/uploads.ts";
import { type EventKind, encodeEventRow } from "#libs/domain/event.ts";
import { NO_PLACE } from "#libs/domain/event-place.ts";
import type { FieldType } from "#libs/domain/field.ts";
import { newId } from "#libs/domain/ids.ts";
import type { ManagementUnderTest } from "../../tests/management.ts";
import {
  aField,
  aPaidCheckout,
  aPublisher,
  aTier,
  chargingSettles,
  type Publisher,
} from "../../tests/story.ts";
import { aPicture } from "./picture.ts";

const DAY_MS = 86_400_000;

const FIELD_OF_TYPE: Readonly<Record<FieldType, Readonly<Record<string, unknown>>>> = {
  Text: { name: "Tagline", isRequired: true, maxLength: 60, description: "One line below the name." },
  Textarea: { name: "About", maxLength: 300, placeholder: "What makes it worth a click?" },
  Url: { name: "Shop" },
  Email: { name: "Contact", description: "Not shown." },
  Number: { name: "Discount", min: 0, max: 90 },
  Switch: { name: "Ships abroad", default: "true" },
  Select: { name: "Category", options: ["Coffee", "Tea & cake", "Other"] },
  Image: { name: "Logo", description: "Square works best." },
  Date: { name: "Starts on" },
  Color: { name: "Background", default: "#ff8800" },
};
/** A field of each type. */
export const EVERY_FIELD = Object.entries(FIELD_OF_TYPE).map(([type, field]) => ({ type, ...field }));

/** Where the pages of a session are. */
export function pathOf(publisher: Publisher, { sessionId }: { readonly sessionId: string }): string {
  return `/advertise/${publisher.workspace.id}/checkout/${sessionId}`;
}

/** A publisher with two tiers of several prices each, one that is free, and a field of each type. */
export async function aWholePublisher(service: ManagementUnderTest) {
  const publisher = await aPublisher(service, "Heron Weekly");
  const gold = await aTier(publisher, {
    description: "The large place beside every article.",
    features: [
      { label: "On every page", type: "positive" },
      { label: "In the newsletter", type: "positive" },
      { label: "One advertiser at a time", type: "neutral" },
      { label: "Video", type: "negative" },
    ],
    initialPrices: [
      { amount: 4900, intervalCount: 1, currency: "usd" },
      { amount: 49_000, intervalCount: 1, currency: "usd", interval: "Year" },
    ],
  });
  const silver = await aTier(publisher, {
    name: "Silver",
    weight: 1,
    description: "A line in the sidebar.",
    initialPrices: [
      { amount: 1900, intervalCount: 1, currency: "usd" },
      { amount: 19_000, intervalCount: 1, currency: "usd", interval: "Year" },
    ],
    features: [{ label: "In the sidebar", type: "neutral" }],
  });
  await aTier(publisher, {
    name: "Friends",
    weight: 1,
    initialPrices: [{ amount: 0, intervalCount: 1, currency: "usd" }],
  });
  const fields = [];
  for (const field of EVERY_FIELD) fields.push(await aField(publisher, field));
  return { publisher, gold, silver, fields };
}

type Whole = Awaited<ReturnType<typeof aWholePublisher>>;

/** A submission with a value for each field, its image uploaded. */
export async function aWholeSubmission(
  { fields }: Whole,
  checkout: Awaited<ReturnType<typeof aPaidCheckout>>,
  changes: Readonly<Record<string, unknown>> = {},
) {
  const bytes = aPicture(160, [200, 120, 40]);
  const grant = await checkout.caller.ok(uploadGrant, "POST", `${checkout.path}/uploads`, {
    fileName: "logo.png",
    contentType: "image/png",
    contentLength: bytes.length,
  });
  await fetch(grant.uploadUrl, { method: "PUT", headers: grant.headers, body: new Uint8Array(bytes) });
  const values: Readonly<Record<string, unknown>> = {
    tagline: "Roasted this morning",
    about: "Beans from three farms.\nShipped the day they are roasted.",
    shop: "https://coffee.example/shop",
    contact: "ads@coffee.example",
    discount: 15,
    ships_abroad: true,
    category: "Tea & cake",
    logo: grant.publicUrl,
    starts_on: "2026-12-01",
    background: "#ff8800",
    ...changes,
  };
  return {
    name: "Example Coffee",
    websiteUrl: "https://www.coffee.example/beans",
    meta: fields.map(({ id, key }) => ({ fieldId: id, value: values[key] ?? null })),
  };
}

/** Buys in the publisher's first tier, and submits. */
export async function aWholeAd(service: ManagementUnderTest, whole: Whole) {
  const { publisher, gold } = whole;
  const checkout = await aPaidCheckout(service, publisher, gold.prices[0]?.id ?? "");
  const creative = await aWholeSubmission(whole, checkout);
  const submit = (changes: Partial<typeof creative> = {}) =>
    checkout.caller.ok(submittedAd, "POST", `${checkout.path}/ad`, { ...creative, ...changes });
  const { id } = await submit();
  const path = `${publisher.path}/ads/${id}`;
  return {
    id,
    path,
    checkout,
    page: pathOf(publisher, checkout),
    submit,
    /** Sends the publisher's request for an action, with a note if the action takes one. */
    decide: (action: string, note?: string) =>
      publisher.caller.request("POST", `${path}/${action}`, note === undefined ? undefined : { note }),
    approve: () => publisher.caller.ok(ad, "POST", `${path}/approve`),
    /** Writes a state that the processor would report. Later webhooks would overwrite it. */
    bill: async (changes: Readonly<Record<string, unknown>>) => {
      await chargingSettles(service);
      await service.services.db
        .updateTable("subscriptions")
        // A sync that has begun already does not overwrite it.
        .set({ ...changes, sync_version: Number.MAX_SAFE_INTEGER })
        .where("id", "in", (select) =>
          select.selectFrom("ads").where("ads.id", "=", id).select("subscription_id"),
        )
        .execute();
    },
  };
}

/** Counts events for an ad: impressions and clicks per day, the first entry being today. */
export async function count(
  { services }: ManagementUnderTest,
  { workspaceId, adId }: { readonly workspaceId: string; readonly adId: string },
  days: readonly (readonly [impressions: number, clicks: number])[],
): Promise<void> {
  const midnight = Math.floor(services.now() / DAY_MS) * DAY_MS;
  const event = (kind: EventKind, daysAgo: number, visitor: number) =>
    Buffer.from(
      encodeEventRow({
        id: newId("event"),
        workspaceId,
        adId,
        kind,
        verdict: "valid",
        visitor: visitor.toString(16).padStart(16, "0"),
        occurredAt: midnight - daysAgo * DAY_MS + 1000,
        source: "page",
        place: NO_PLACE,
      }),
    );
  const rows = days.flatMap(([impressions, clicks], daysAgo) => [
    ...Array.from({ length: impressions }, (_none, visitor) => event("impression", daysAgo, visitor)),
    ...Array.from({ length: clicks }, (_none, visitor) => event("click", daysAgo, visitor)),
  ]);
  await services.stats.insertRange({ token: crypto.randomUUID(), rows });
}
