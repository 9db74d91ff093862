import { expect, it, vi } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { submittedAd } from "#libs/contract/checkout.ts";
import { acknowledged, field } from "#libs/contract/fields.ts";
import { versionOf } from "../../tests/catalogue-facts.ts";
import { startManagement } from "../../tests/management.ts";
import {
  aField,
  aPaidCheckout,
  aPublisher,
  aTier,
  chargingSettles,
  type Publisher,
} from "../../tests/story.ts";

const service = await startManagement({ unlimited: true });

/** An approved ad that holds a value of the field. */
async function anAdWith(publisher: Publisher, fieldId: string, value: unknown) {
  const { caller, path } = publisher;
  const { prices } = await aTier(publisher);
  const checkout = await aPaidCheckout(service, publisher, prices[0]?.id ?? "");
  const submitted = await checkout.caller.ok(submittedAd, "POST", `${checkout.path}/ad`, {
    name: "Example Coffee",
    websiteUrl: "https://coffee.example",
    meta: [{ fieldId, value }],
  });
  const approved = await caller.ok(ad, "POST", `${path}/ads/${submitted.id}/approve`);
  // What the processor is told of an approval may publish the ad once more.
  await chargingSettles(service);
  return approved;
}

async function servedMeta({ workspace }: Publisher, adId: string) {
  const snapshot = await service.placements.read(workspace.id);
  return snapshot?.ads.find(({ id }) => id === adId)?.meta;
}

it("refuses another type while an ad or a revision holds a value, and takes it afterwards", async () => {
  const publisher = await aPublisher(service);
  const { caller, path } = publisher;
  const made = await aField(publisher);
  const at = `${path}/fields/${made.id}`;
  const held = await anAdWith(publisher, made.id, "Roasted this morning");

  const byAd = await caller.refused(409, "PATCH", at, { type: "Textarea" });
  await caller.ok(field, "PATCH", at, { maxLength: 5, isRequired: true });
  const { pool } = service.database;
  await pool.query("update ads set meta = '{}' where id = $1", [held.id]);
  await pool.query(
    `insert into revisions (ad_id, workspace_id, name, website_url, meta)
     values ($1, $2, 'Example Coffee', 'https://coffee.example', jsonb_build_object($3::text, 'Fresh'))`,
    [held.id, publisher.workspace.id, made.id],
  );
  const byRevision = await caller.refused(409, "PATCH", at, { type: "Textarea" });
  await pool.query("delete from revisions where ad_id = $1", [held.id]);
  const changed = await caller.ok(field, "PATCH", at, { type: "Textarea" });

  for (const { data } of [byAd, byRevision]) expect(Object.keys(data?.fieldErrors ?? {})).toEqual(["type"]);
  expect(changed).toMatchObject({ type: "Textarea", maxLength: 5 });
});

it("publishes a new key, a field that becomes publisher-only and a deletion, and no other change", async () => {
  const publisher = await aPublisher(service);
  const { caller, path } = publisher;
  const made = await aField(publisher, { key: "teaser" });
  const at = `${path}/fields/${made.id}`;
  const { id } = await anAdWith(publisher, made.id, "Hot");
  await vi.waitFor(async () => expect(await servedMeta(publisher, id)).toEqual({ teaser: "Hot" }), 20_000);
  const version = await versionOf(service, publisher);

  await caller.ok(field, "PATCH", at, { name: "Teaser", placeholder: "Hot", isRequired: true });
  expect(await versionOf(service, publisher)).toBe(version);
  await caller.ok(field, "PATCH", at, { key: "lure" });
  await vi.waitFor(async () => expect(await servedMeta(publisher, id)).toEqual({ lure: "Hot" }), 20_000);
  await caller.ok(field, "PATCH", at, { isPublisherOnly: true });
  await vi.waitFor(async () => expect(await servedMeta(publisher, id)).toEqual({}), 20_000);
  await caller.ok(field, "PATCH", at, { isPublisherOnly: false });
  await vi.waitFor(async () => expect(await servedMeta(publisher, id)).toEqual({ lure: "Hot" }), 20_000);
  await caller.ok(acknowledged, "DELETE", at);
  await vi.waitFor(async () => expect(await servedMeta(publisher, id)).toEqual({}), 20_000);

  expect((await caller.ok(ad, "GET", `${path}/ads/${id}`)).meta).toEqual([]);
  await caller.refused(404, "GET", at);
  await caller.refused(404, "DELETE", at);
});
