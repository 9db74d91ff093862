import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { mailsTo } from "../../mail/tests/sent-mails.ts";
import { ApiCaller } from "../../tests/callers.ts";
import { startManagement } from "../../tests/management.ts";
import { aPerson, aPublisher, aTier, type Publisher } from "../../tests/story.ts";

const service = await startManagement({ unlimited: true, processorTimeoutMs: 60_000 });
const { pool } = service.database;
const anybody = new ApiCaller(service.origin);
const opened = z.object({ url: z.string(), sessionId: z.string() });

/** A tier with `count` open checkouts. */
async function aTierWithCheckouts(publisher: Publisher, count: number) {
  const tier = await aTier(publisher);
  const tierPriceId = tier.prices[0]?.id;
  for (let n = 1; n <= count; n += 1) {
    await anybody.ok(opened, "POST", `${publisher.path}/checkout-sessions`, { tierPriceId });
  }
  return tier;
}

async function archive({ caller, path }: Publisher, { id }: { readonly id: string }): Promise<void> {
  await caller.request("DELETE", `${path}/tiers/${id}`);
}

/** How many checkouts of a workspace are open. */
async function openOf({ workspace }: Publisher): Promise<number> {
  const { rowCount } = await pool.query(
    "select from checkout_sessions where workspace_id = $1 and status = 'open'",
    [workspace.id],
  );
  return rowCount ?? 0;
}

it("lets others have their turn while many checkouts of a workspace are ended, and ends them all", async () => {
  const large = await aPublisher(service, "Large Weekly");
  const popular = await aTierWithCheckouts(large, 21);
  const small = await aPublisher(service, "Small Weekly");
  const other = await aTierWithCheckouts(small, 1);
  const holding = await pool.connect();
  onTestFinished(() => holding.release());
  await holding.query("begin");
  // The last that is ended: until then the tier's are not all ended.
  await holding.query(
    "select from checkout_sessions where workspace_id = $1 order by id desc limit 1 for update",
    [large.workspace.id],
  );

  await archive(large, popular);
  await archive(small, other);

  await expect.poll(() => openOf(small), { timeout: 50_000 }).toBe(0);
  await holding.query("commit");
  await expect.poll(() => openOf(large), { timeout: 50_000 }).toBe(0);
});

it("sends emails while the ends of checkouts of many workspaces wait for the payment processor", async () => {
  const selling: { readonly publisher: Publisher; readonly tier: Awaited<ReturnType<typeof aTier>> }[] = [];
  for (let n = 1; n <= 5; n += 1) {
    const publisher = await aPublisher(service, `Weekly ${n}`);
    selling.push({ publisher, tier: await aTierWithCheckouts(publisher, 1) });
  }
  const reader = await aPerson(service);
  await mailsTo(service, reader.email);

  await service.processor.while("silent", async () => {
    const before = service.processor.ignored();
    // The processor does not know their tiers, so that nothing but their checkouts is to be told.
    await pool.query("update tiers set provider_product_id = null");
    for (const { publisher, tier } of selling) await archive(publisher, tier);
    await expect.poll(service.processor.ignored, { timeout: 50_000 }).toBeGreaterThan(before);
    await reader.caller.request("POST", "/api/auth/request-password-reset", { email: reader.email });

    const subjects = async () =>
      (await service.readMails()).flatMap(({ to, subject }) => (to === reader.email ? [subject] : []));
    await expect.poll(subjects, { timeout: 50_000 }).toContain("Choose a new password");
  });
});
