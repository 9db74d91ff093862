import { expect, it } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { submittedAd } from "#libs/contract/checkout.ts";
import { startManagement } from "../../tests/management.ts";
import { aField, aPaidCheckout, aPublisher, aTier, type Publisher } from "../../tests/story.ts";

const service = await startManagement({ unlimited: true });
const CREATIVE = { name: "Example Coffee", websiteUrl: "https://coffee.example" };
/** 40,000 bytes in the most characters that a Textarea takes. */
const LONGEST = "💥".repeat(10_000);
const SENTENCE =
  /^All values of an ad may take 32 KiB together\. These take \d+ KiB, and this one is the longest\.$/;

async function aStoryCampaign() {
  const publisher = await aPublisher(service);
  const story = await aField(publisher, { name: "Story", key: "story", type: "Textarea" });
  return { publisher, story, checkout: await aCheckout(publisher) };
}

async function aCheckout(publisher: Publisher) {
  const { prices } = await aTier(publisher);
  return await aPaidCheckout(service, publisher, prices[0]?.id ?? "");
}

it("refuses a submission over 32 KiB of values at the largest, from a program and from the page", async () => {
  const { story, checkout } = await aStoryCampaign();

  const { data } = await checkout.caller.refused(422, "POST", `${checkout.path}/ad`, {
    ...CREATIVE,
    meta: [{ fieldId: story.id, value: LONGEST }],
  });
  const form = new URLSearchParams({ ...CREATIVE, "meta.story": LONGEST });
  const page = await fetch(
    `${service.origin}/advertise/${await slugOf(checkout.sessionId)}/checkout/${checkout.sessionId}`,
    {
      method: "POST",
      headers: { origin: service.origin },
      body: form,
    },
  );

  expect(data?.fieldErrors).toEqual({ "meta.story": [expect.stringMatching(SENTENCE)] });
  expect(page.status).toBe(422);
  expect(await page.text()).toContain("All values of an ad may take 32 KiB together.");
});

it("counts defaults, whose sum is refused when a field is saved", async () => {
  const { publisher, checkout } = await aStoryCampaign();
  const { caller, path } = publisher;
  const half = "💥".repeat(5_000);
  const first = await aField(publisher, { name: "First", type: "Textarea", default: half });
  const summary = { name: "Summary", type: "Textarea", default: half };

  const created = await caller.refused(422, "POST", `${path}/fields`, summary);
  const changed = await caller.refused(422, "PATCH", `${path}/fields/${first.id}`, { default: LONGEST });
  await aField(publisher, { ...summary, isPublisherOnly: true });
  // As before there was this rule.
  await service.database.db
    .updateTable("fields")
    .set({ default: LONGEST })
    .where("id", "=", first.id)
    .execute();
  const { data } = await checkout.caller.refused(422, "POST", `${checkout.path}/ad`, CREATIVE);

  for (const { data } of [created, changed]) {
    expect(data?.fieldErrors).toEqual({ default: [expect.stringContaining("most of them in “First”")] });
  }
  expect(data?.fieldErrors).toEqual({ [`meta.${first.key}`]: [expect.stringMatching(SENTENCE)] });
});

it("refuses what the publisher adds beyond 32 KiB of own values, and lets larger ones shrink", async () => {
  const { publisher, checkout } = await aStoryCampaign();
  const { caller, path } = publisher;
  const notes = await aField(publisher, { name: "Notes", type: "Textarea", isPublisherOnly: true });
  const more = await aField(publisher, { name: "More", type: "Textarea", isPublisherOnly: true });
  const { id } = await checkout.caller.ok(submittedAd, "POST", `${checkout.path}/ad`, CREATIVE);
  const change = (fieldId: string, value: string) =>
    ["PATCH" as const, `${path}/ads/${id}`, { meta: [{ fieldId, value }] }] as const;
  await caller.ok(ad, ...change(notes.id, "💥".repeat(8_000)));

  const { data } = await caller.refused(422, ...change(more.id, "x".repeat(2_000)));
  await service.database.pool.query("update ads set meta = $1 where id = $2", [
    JSON.stringify({ [notes.id]: LONGEST, [more.id]: "x" }),
    id,
  ]);
  await caller.ok(ad, ...change(more.id, ""));

  expect(data?.fieldErrors).toEqual({ [`meta.${notes.key}`]: [expect.stringMatching(SENTENCE)] });
});

async function slugOf(sessionId: string): Promise<string> {
  const { slug } = await service.database.db
    .selectFrom("checkout_sessions")
    .innerJoin("workspaces", "workspaces.id", "checkout_sessions.workspace_id")
    .where("checkout_sessions.id", "=", sessionId)
    .select("workspaces.slug")
    .executeTakeFirstOrThrow();
  return slug;
}
