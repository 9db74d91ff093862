import { expect, it } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { submittedAd } from "#libs/contract/checkout.ts";
import { actionsOn } from "../tests/audit-trail.ts";
import { startManagement } from "../tests/management.ts";
import { aField, anApprovedAd, aPendingAd, aPublisher, type Publisher } from "../tests/story.ts";

const service = await startManagement({ unlimited: true });
const ours = { isPublisherOnly: true };

function valuesOf({ meta }: { readonly meta: readonly { fieldId: string; value?: unknown }[] }) {
  return Object.fromEntries(meta.map(({ fieldId, value }) => [fieldId, value]));
}

async function set({ caller }: Pick<Publisher, "caller">, path: string, values: Record<string, unknown>) {
  const meta = Object.entries(values).map(([fieldId, value]) => ({ fieldId, value }));
  return valuesOf(await caller.ok(ad, "PATCH", path, { meta }));
}

it("sets the publisher's own values, leaves others alone and empties what is null or left out", async () => {
  const publisher = await aPublisher(service);
  const theirs = await aField(publisher, { name: "Claim" });
  const campaign = await aField(publisher, { name: "Campaign", ...ours });
  const rank = await aField(publisher, { name: "Rank", type: "Number", ...ours });
  const running = await anApprovedAd(service, publisher);
  await running.checkout.caller.ok(submittedAd, "POST", `${running.checkout.path}/ad`, {
    name: "Example Coffee",
    websiteUrl: "https://coffee.example",
    meta: [{ fieldId: theirs.id, value: "Fresh" }],
  });
  await publisher.caller.ok(ad, "POST", `${running.path}/revision/approve`);
  const before = await publisher.caller.ok(ad, "GET", running.path);

  const both = await set(publisher, running.path, { [campaign.id]: " Spring ", [rank.id]: 3 });
  const one = await set(publisher, running.path, { [campaign.id]: "Autumn" });
  const none = await set(publisher, running.path, { [campaign.id]: null });
  const left = await publisher.caller.ok(ad, "PATCH", running.path, { meta: [{ fieldId: rank.id }] });

  expect(both).toEqual({ [theirs.id]: "Fresh", [campaign.id]: "Spring", [rank.id]: 3 });
  expect(one).toEqual({ [theirs.id]: "Fresh", [campaign.id]: "Autumn", [rank.id]: 3 });
  expect(none).toEqual({ [theirs.id]: "Fresh", [rank.id]: 3 });
  expect({ ...left, updatedAt: before.updatedAt }).toEqual(before);
  expect((await actionsOn(service, running.id)).slice(-4)).toEqual(Array(4).fill("ad.update"));
});

it("refuses fields of the advertiser's and values that the field does not take, and changes nothing", async () => {
  const publisher = await aPublisher(service);
  const theirs = await aField(publisher, { name: "Claim", key: "claim" });
  const rank = await aField(publisher, { name: "Rank", key: "rank", type: "Number", max: 5, ...ours });
  const must = await aField(publisher, { name: "Owner", key: "owner", isRequired: true, ...ours });
  const image = await aField(publisher, { name: "Scan", key: "scan", type: "Image", ...ours });
  const pending = await aPendingAd(service, publisher);
  const missing = `${service.origin}/uploads/${publisher.workspace.id}/${"0".repeat(32)}.png`;

  for (const [fieldId, value, key] of [
    [theirs.id, "Fresh", "claim"],
    [rank.id, 6, "rank"],
    [rank.id, "3", "rank"],
    [must.id, null, "owner"],
    [image.id, "scan.png", "scan"],
    [image.id, missing, "scan"],
    ["field_nowhere", 1, "field_nowhere"],
  ] as const) {
    expect(
      await publisher.caller.invalid("PATCH", pending.path, {
        meta: [
          { fieldId: must.id, value: "Ada" },
          { fieldId, value },
        ].slice(fieldId === must.id ? 1 : 0),
      }),
    ).toEqual([`meta.${key}`]);
  }
  expect((await publisher.caller.ok(ad, "GET", pending.path)).meta).toEqual([]);
});

it("takes them until the ad is rejected", async () => {
  const publisher = await aPublisher(service);
  const campaign = await aField(publisher, { name: "Campaign", ...ours });
  const pending = await aPendingAd(service, publisher);
  const body = { meta: [{ fieldId: campaign.id, value: "Spring" }] };

  expect(await set(publisher, pending.path, { [campaign.id]: "Spring" })).toEqual({
    [campaign.id]: "Spring",
  });
  await publisher.caller.ok(ad, "POST", `${pending.path}/reject`, { note: "No." });
  const { data } = await publisher.caller.refused(409, "PATCH", pending.path, body);
  expect(data?.formErrors).toEqual(["The ad is rejected, so its values can no longer be changed."]);
});

it("gives a new ad the defaults of the publisher's own fields, and its advertiser sees none of them", async () => {
  const publisher = await aPublisher(service);
  const before = await aPendingAd(service, publisher);
  const rank = await aField(publisher, { name: "Rank", type: "Number", default: "3", ...ours });
  const isHouse = await aField(publisher, { name: "House", type: "Switch", default: "false", ...ours });
  await aField(publisher, { name: "Campaign", ...ours });

  const pending = await aPendingAd(service, publisher);

  const shown = await publisher.caller.ok(ad, "GET", pending.path);
  expect(valuesOf(shown)).toEqual({ [rank.id]: 3, [isHouse.id]: false });
  expect(pending.meta).toEqual([]);
  expect((await publisher.caller.ok(ad, "GET", before.path)).meta).toEqual([]);
  await set(publisher, pending.path, { [rank.id]: null });
  await pending.checkout.caller.ok(submittedAd, "POST", `${pending.checkout.path}/ad`, {
    name: "Submitted again",
    websiteUrl: "https://coffee.example",
  });
  const again = await publisher.caller.ok(ad, "GET", pending.path);
  expect([again.name, valuesOf(again)]).toEqual(["Submitted again", { [isHouse.id]: false }]);
});
