import { expect, it } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { checkoutContract, submittedAd } from "#libs/contract/checkout.ts";
import { pageOf } from "#libs/contract/query.ts";
import { listedSubscription } from "#libs/contract/subscriptions.ts";
import { FIELD_TYPES } from "#libs/domain/field.ts";
import { mailsTo } from "../../mail/tests/sent-mails.ts";
import { auditTrail } from "../../tests/audit-trail.ts";
import { versionOf } from "../../tests/catalogue-facts.ts";
import { webhooksApplied } from "../../tests/ledger-story.ts";
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
const publisher = await aPublisher(service);
const priceId = await aPriceOf(publisher);
const creative = { name: "Example Coffee", websiteUrl: "https://coffee.example" };

async function aPriceOf(seller: Publisher): Promise<string> {
  return (await aTier(seller)).prices[0]?.id ?? "";
}

const FIELDS = [
  {
    key: "text",
    type: "Text",
    good: " One line ",
    kept: "One line",
    bad: [5, "a\nb", "x".repeat(501), "\u0000"],
  },
  { key: "short", type: "Text", maxLength: 3, good: "añ💥", kept: "añ💥", bad: ["four"] },
  { key: "area", type: "Textarea", good: "a\r\nb", kept: "a\nb", bad: [{}, "x".repeat(10_001)] },
  { key: "url", type: "Url", good: "https://a.example/b", bad: ["javascript:alert(1)", "a.example", 1] },
  { key: "mail", type: "Email", good: "a@b.example", bad: ["a@", "@b.example", true] },
  { key: "number", type: "Number", min: 1, max: 10, good: 2.5, bad: ["2", 0, 11, [1]] },
  { key: "switch", type: "Switch", good: false, bad: ["true", 1] },
  { key: "select", type: "Select", options: ["Red", "Blue"], good: "Blue", bad: ["red", "Green", 0] },
  { key: "image", type: "Image", good: "https://a.example/i.png", bad: ["data:image/png;base64,x", "i.png"] },
  { key: "date", type: "Date", good: "2028-02-29", bad: ["2027-02-29", "29.02.2028", 20280229] },
  { key: "color", type: "Color", good: "#ABC", kept: "#aabbcc", bad: ["red", "#ab", "#12345g"] },
] as const;

const seller = await aPublisher(service, "All Fields Weekly");
const sellersPrice = await aPriceOf(seller);
const ids = new Map<string, string>();
for (const { good: _good, bad: _bad, ...rules } of FIELDS) {
  const { kept: _kept, ...values } = { kept: null, ...rules };
  ids.set(rules.key, (await aField(seller, { name: rules.key, ...values })).id);
}
const idOf = (key: string) => ids.get(key) ?? "";

it("takes a value of every type of field in its stored form", async () => {
  expect(new Set<string>(FIELDS.map(({ type }) => type))).toEqual(new Set(FIELD_TYPES));
  const checkout = await aPaidCheckout(service, seller, sellersPrice);

  const submitted = await checkout.caller.ok(submittedAd, "POST", `${checkout.path}/ad`, {
    ...creative,
    meta: FIELDS.map(({ key, good }) => ({ fieldId: idOf(key), value: good })),
  });

  expect(new Map(submitted.meta.map(({ fieldId, value }) => [fieldId, value]))).toEqual(
    new Map(FIELDS.map((field) => [idOf(field.key), "kept" in field ? field.kept : field.good])),
  );
});

it.each(FIELDS)("refuses a wrong value of $key with 422 at meta.$key", async ({ key, bad }) => {
  const checkout = await aPaidCheckout(service, seller, sellersPrice);

  for (const value of bad) {
    const { data } = await checkout.caller.refused(422, "POST", `${checkout.path}/ad`, {
      ...creative,
      meta: [{ fieldId: idOf(key), value }],
    });
    expect(Object.keys(data?.fieldErrors ?? {})).toEqual([`meta.${key}`]);
  }
});

it("refuses missing required, unknown, repeated and publisher-only fields, and makes no ad", async () => {
  const strict = await aPublisher(service, "Strict Weekly");
  const price = await aPriceOf(strict);
  const required = await aField(strict, { name: "Claim", key: "claim", isRequired: true });
  const ours = await aField(strict, { name: "Campaign", key: "campaign", isPublisherOnly: true });
  const foreign = idOf("text");
  const checkout = await aPaidCheckout(service, strict, price);
  const claim = { fieldId: required.id, value: "Fresh" };

  for (const [meta, key] of [
    [undefined, "claim"],
    [[], "claim"],
    [[{ fieldId: required.id, value: null }], "claim"],
    [[{ fieldId: required.id, value: "  " }], "claim"],
    [[claim, claim], "claim"],
    [[claim, { fieldId: ours.id, value: "Mine" }], "campaign"],
    [[claim, { fieldId: foreign, value: "Theirs" }], foreign],
    [[claim, { fieldId: "\u0000", value: 1 }], "\u0000"],
  ] as const) {
    const { data } = await checkout.caller.refused(422, "POST", `${checkout.path}/ad`, { ...creative, meta });
    expect(Object.keys(data?.fieldErrors ?? {})).toEqual([`meta.${key}`]);
  }
  const { rowCount } = await service.database.pool.query("select 1 from ads where workspace_id = $1", [
    strict.workspace.id,
  ]);
  expect(rowCount).toBe(0);
});

it("refuses a bad name or address with 422 at the field", async () => {
  const checkout = await aPaidCheckout(service, publisher, priceId);

  for (const [changes, field] of [
    [{ name: undefined }, "name"],
    [{ name: " x " }, "name"],
    [{ name: "x".repeat(81) }, "name"],
    [{ name: "a\u0000b" }, "name"],
    [{ websiteUrl: undefined }, "websiteUrl"],
    [{ websiteUrl: "ftp://coffee.example" }, "websiteUrl"],
    [{ websiteUrl: "coffee.example" }, "websiteUrl"],
    [{ websiteUrl: `https://coffee.example/${"x".repeat(2100)}` }, "websiteUrl"],
    [{ meta: {} }, "meta"],
    [{ meta: [{ value: 1 }] }, "meta.0.fieldId"],
  ] as const) {
    const body = { ...creative, ...changes };
    const { data } = await checkout.caller.refused(422, "POST", `${checkout.path}/ad`, body);
    expect(Object.keys(data?.fieldErrors ?? {})).toEqual([field]);
  }
});

it("shows the advertiser no value of a publisher-only field, in any answer", async () => {
  const ours = await aField(publisher, { name: "Campaign", key: "campaign", isPublisherOnly: true });
  const checkout = await aPaidCheckout(service, publisher, priceId);
  const first = await checkout.caller.ok(submittedAd, "POST", `${checkout.path}/ad`, creative);
  await service.database.db
    .updateTable("ads")
    .set({ meta: JSON.stringify({ [ours.id]: "Spring" }) })
    .where("id", "=", first.id)
    .execute();

  const again = await checkout.caller.ok(submittedAd, "POST", `${checkout.path}/ad`, creative);
  const status = checkoutContract.get["~orpc"].outputSchema;
  if (status === undefined) throw new Error("the contract names no status of a checkout");
  const now = await checkout.caller.ok(status, "GET", checkout.path);

  expect([again.meta, now.ad?.meta]).toEqual([[], []]);
  const managed = await publisher.caller.ok(ad, "GET", `${publisher.path}/ads/${first.id}`);
  expect(managed.meta).toEqual([{ fieldId: ours.id, value: "Spring" }]);
});

it("lets racing submissions of one checkout make one ad, and records each", async () => {
  const checkout = await aPaidCheckout(service, publisher, priceId);

  const answers = await Promise.all(
    ["First name", "Second name", "Third name"].map((name) =>
      checkout.caller.ok(submittedAd, "POST", `${checkout.path}/ad`, { ...creative, name }),
    ),
  );

  const [id, ...others] = new Set(answers.map((one) => one.id));
  expect(others).toEqual([]);
  const trail = await auditTrail(service, id ?? "");
  expect(trail.map(({ action, actor_kind }) => [action, actor_kind])).toEqual([
    ["ad.submit", "advertiser"],
    ["ad.submit", "advertiser"],
    ["ad.submit", "advertiser"],
  ]);
  const last = await publisher.caller.ok(ad, "GET", `${publisher.path}/ads/${id}`);
  expect(trail.at(-1)?.after).toMatchObject({ name: last.name });
  expect(JSON.stringify(trail)).not.toContain(checkout.sessionId);
});

it("has no snapshot made for ads that nobody has approved, nor for a proposed revision", async () => {
  const owner = await aPublisher(service, "Version Weekly");
  const checkout = await aPaidCheckout(service, owner, await aPriceOf(owner));
  const submit = async (name: string) => {
    // Charging holds and releases renewals in the background, which announces an approved ad too.
    await chargingSettles(service);
    await webhooksApplied(service);
    const before = await versionOf(service, owner);
    const { id } = await checkout.caller.ok(submittedAd, "POST", `${checkout.path}/ad`, {
      ...creative,
      name,
    });
    return { id, increase: (await versionOf(service, owner)) - before };
  };

  const created = await submit("First name");
  const replaced = await submit("Second name");
  await chargingSettles(service);
  const beforeApproval = await versionOf(service, owner);
  await owner.caller.ok(ad, "POST", `${owner.path}/ads/${created.id}/approve`);
  const proposed = await submit("Third name");

  expect([created.increase, replaced.increase, proposed.increase]).toEqual([0, 0, 0]);
  expect(await versionOf(service, owner)).toBeGreaterThan(beforeApproval);
});

it("takes no ad for a subscription that has ended, and tells the publisher of none", async () => {
  const seller = await aPublisher(service);
  const { sessionId } = await aPaidCheckout(service, seller, await aPriceOf(seller));
  await seller.caller.request("GET", `/v1/checkout-sessions/${sessionId}`);
  await webhooksApplied(service);
  const { items } = await seller.caller.ok(pageOf(listedSubscription), "GET", `${seller.path}/subscriptions`);
  const cancel = `${seller.path}/subscriptions/${items[0]?.id}/cancel`;
  const canceled = await seller.caller.request("POST", cancel, { refund: true });
  expect(canceled.status).toBe(200);

  const path = `/v1/checkout-sessions/${sessionId}/ad`;
  const { status, text } = await seller.caller.request("POST", path, creative);

  expect([status, text]).toEqual([409, expect.stringContaining('"reason":"SUBSCRIPTION_ENDED"')]);
  const letters = await mailsTo(service, seller.person.email);
  expect(letters.filter(({ subject }) => subject.includes("review"))).toEqual([]);
});
