import { sql } from "kysely";
import { expect, it } from "vitest";
import { pageOf } from "#libs/contract/query.ts";
import { droppedEmails } from "#libs/contract/settings.ts";
import { newApiKey, workspace } from "#libs/contract/workspaces.ts";
import { remindOfMissingAds } from "../billing/letters/purchases.ts";
import { invoiceOf } from "../tests/ledger-story.ts";
import { startManagement } from "../tests/management.ts";
import { anApprovedAd, aPendingAd, aPublisher, type Publisher } from "../tests/story.ts";
import { subjectsTo } from "./tests/sent-mails.ts";
import { mailDecision } from "./to-advertiser.ts";

const service = await startManagement();
const publisher = await aPublisher(service, "Heron Weekly");

/** Another workspace of the same person. */
async function anotherOf({ person }: Publisher): Promise<Publisher> {
  const made = await person.caller.ok(workspace, "POST", "/v1/workspaces", { name: "Another" });
  const path = `/v1/workspaces/${made.id}`;
  const key = await person.caller.ok(newApiKey, "POST", `${path}/api-keys`, { name: "Integration" });
  return { person, workspace: made, path, key, caller: person.caller };
}

async function lettersTo(email: string, about: RegExp): Promise<number> {
  return (await subjectsTo(service, email)).filter((subject) => about.test(subject)).length;
}

it("queues at most 100 decisions an hour for an address, however often a publisher asks for changes", async () => {
  const { id, checkout } = await aPendingAd(service, publisher);
  const { db } = service.database;
  const columns = ["workspace_id", "subscription_id", "name"] as const;
  const ad = await db.selectFrom("ads").where("id", "=", id).select(columns).executeTakeFirstOrThrow();
  let queued = 0;

  // Rolled back, so that nobody waits until they are sent.
  const decide = db.transaction().execute(async (trx) => {
    for (let n = 0; n < 105; n += 1) {
      await mailDecision(trx, service.services, ad, "ad-changes-requested", `Once more: ${n}`);
    }
    const { rows } = await sql<{ queued: number }>`
      select count(*)::int as queued from graphile_worker._private_jobs where payload->>'to' = ${checkout.email}
      and payload->>'subject' like 'Changes requested%'`.execute(trx);
    queued = rows[0]?.queued ?? 0;
    throw new Error("rolled back");
  });

  await expect(decide).rejects.toThrow("rolled back");
  expect(queued).toBe(100);
});

it("sends a publisher's words to 50 a day of those who have paid nothing, whatever number of workspaces they have, and leaves further ones on the page of the ad", async () => {
  const heron = await aPublisher(service, "Heron Daily");
  const another = await anotherOf(heron);
  const [paid, free] = [await aPendingAd(service, heron), await aPendingAd(service, heron)];
  const elsewhere = await aPendingAd(service, another);
  const { db } = service.database;
  const NOTE = "Come to evil.example.";
  const columns = ["workspace_id", "subscription_id", "name"] as const;
  const noted: (number | undefined)[] = [];

  // Rolled back, so that nobody waits until they are sent.
  const decide = db.transaction().execute(async (trx) => {
    for (const { id, checkout } of [paid, free, elsewhere]) {
      const ad = await trx.selectFrom("ads").where("id", "=", id).select(columns).executeTakeFirstOrThrow();
      for (let n = 0; n < 55; n += 1)
        await mailDecision(trx, service.services, ad, "ad-changes-requested", NOTE);
      const { rows } = await sql<{ noted: number }>`
        select count(*)::int as noted from graphile_worker._private_jobs
        where payload->>'to' = ${checkout.email} and strpos(payload->>'text', ${NOTE}) > 0`.execute(trx);
      noted.push(rows[0]?.noted);
      const workspaces = [heron.workspace.id, another.workspace.id];
      await trx
        .updateTable("subscriptions")
        .set({ paid_amount: 0 })
        .where("workspace_id", "in", workspaces)
        .execute();
      await trx
        .updateTable("invoices")
        .set({ amount_paid: 0 })
        .where("workspace_id", "in", workspaces)
        .execute();
    }
    throw new Error("rolled back");
  });

  await expect(decide).rejects.toThrow("rolled back");
  expect(noted).toEqual([55, 50, 0]);
});

it("sends those who pay nothing 200 letters a day of all workspaces that a person owns, to however many addresses, and counts the rest as dropped", async () => {
  const egret = await aPublisher(service, "Egret Daily");
  const another = await anotherOf(egret);
  const [paid, free] = [await aPendingAd(service, egret), await aPendingAd(service, egret)];
  const elsewhere = await aPendingAd(service, another);
  const { db } = service.database;
  const columns = ["workspace_id", "subscription_id", "name"] as const;
  const sent: (number | undefined)[] = [];
  let dropped = 0;

  // Rolled back, so that nobody waits until they are sent.
  const decide = db.transaction().execute(async (trx) => {
    for (const { id } of [paid, free, elsewhere]) {
      const ad = await trx.selectFrom("ads").where("id", "=", id).select(columns).executeTakeFirstOrThrow();
      for (let n = 0; n < 205; n += 1) {
        await trx
          .updateTable("advertisers")
          .set({ email: `stranger-${n}@${id.replaceAll("_", "-")}.example` })
          .where("id", "=", (select) =>
            select.selectFrom("subscriptions").where("id", "=", ad.subscription_id).select("advertiser_id"),
          )
          .execute();
        await mailDecision(trx, service.services, ad, "ad-changes-requested", null);
      }
      const { rows } = await sql<{ sent: number }>`
        select count(*)::int as sent from graphile_worker._private_jobs
        where payload->>'to' like ${`stranger-%@${id.replaceAll("_", "-")}.example`}`.execute(trx);
      sent.push(rows[0]?.sent);
      await trx
        .updateTable("prices")
        .set({ amount: 0 })
        .where("workspace_id", "in", [egret.workspace.id, another.workspace.id])
        .execute();
    }
    const { rows } = await sql<{ dropped: number }>`
      select count(*)::int as dropped from dropped_mails where workspace_id = ${egret.workspace.id}`.execute(
      trx,
    );
    dropped = rows[0]?.dropped ?? 0;
    throw new Error("rolled back");
  });

  await expect(decide).rejects.toThrow("rolled back");
  expect(sent).toEqual([205, 200, 0]);
  expect(dropped).toBe(5);
});

it("sends an address at most 20 letters about refunds an hour, however small the parts are", async () => {
  const { subscription, checkout } = await anApprovedAd(service, publisher);
  const id = await invoiceOf(service, subscription.advertiser.id);
  const session = {
    cookie: publisher.person.cookie,
    origin: service.origin,
    "content-type": "application/json",
  };
  for (let n = 0; n < 23; n += 1) {
    const url = `${service.origin}${publisher.path}/invoices/${id}/refunds`;
    const answer = await fetch(url, {
      method: "POST",
      headers: session,
      body: JSON.stringify({ amount: 1 }),
    });
    expect(answer.status, await answer.text()).toBe(200);
  }

  expect(await lettersTo(checkout.email, /has refunded/)).toBe(20);
  const dropped = await publisher.caller.ok(pageOf(droppedEmails), "GET", `${publisher.path}/dropped-emails`);
  expect(dropped.items).toMatchObject([
    { recipient: "advertiser", kind: "refund", reason: "limit", emails: 3 },
  ]);
});

it("sends an address at most 20 reminders of missing ads an hour, however much was bought with it", async () => {
  const { email } = (await aPendingAd(service, publisher)).checkout;
  const { pool } = service.database;
  await pool.query("delete from ads where workspace_id = $1", [publisher.workspace.id]);
  for (let n = 0; n < 23; n += 1) {
    await pool.query(
      `update checkout_sessions set remind_at = now() - interval '1 minute' from subscriptions s
       join advertisers a on a.id = s.advertiser_id where s.id = subscription_id and a.email = $1`,
      [email],
    );
    await remindOfMissingAds(service.services);
  }

  expect(await lettersTo(email, /^Submit your ad .*: nothing is shown yet$/)).toBe(20);
});
