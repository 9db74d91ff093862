import { expect, it, vi } from "vitest";
import { z } from "zod";
import { ad, eligibility } from "#libs/contract/ad.ts";
import { connection } from "#libs/contract/connect.ts";
import { subjectsTo } from "../../mail/tests/sent-mails.ts";
import { auditTrail } from "../../tests/audit-trail.ts";
import { ApiCaller } from "../../tests/callers.ts";
import { billed } from "../../tests/ledger-story.ts";
import { type ManagementUnderTest, startManagement } from "../../tests/management.ts";
import {
  anApprovedAd,
  aPaidCheckout,
  aPublisher,
  aTier,
  chargingSettles,
  type Publisher,
} from "../../tests/story.ts";
import { reconcile } from "../reconciliation/reconcile.ts";
import { syncAccount } from "./account.ts";

const service = await startManagement({ unlimited: true, sales: { connect: true } });
/** Where no webhook ever arrives. */
const deaf = await startManagement({ unlimited: true, webhooks: "by hand", sales: { connect: true } });
const without = await startManagement({ unlimited: true });
const link = z.object({ url: z.string(), accountId: z.string() });
const session = z.object({ url: z.string(), sessionId: z.string() });

async function start({ person, path }: Publisher) {
  return await person.caller.ok(link, "POST", `${path}/connect`, {});
}

async function stateOf({ caller, path }: Publisher) {
  return await caller.ok(connection, "GET", `${path}/connect`);
}

/** What the account's owner does on the processor's pages. */
async function goThrough(
  { origin }: ManagementUnderTest,
  url: string,
  end: "ready" | "under review" = "ready",
) {
  const { status, text } = await new ApiCaller(origin).request("POST", `${new URL(url).pathname}/complete`, {
    end,
  });
  if (status !== 200) throw new Error(`the onboarding answered ${status}: ${text}`);
}

/** A publisher whose account can charge. */
async function aConnectedPublisher(at: ManagementUnderTest) {
  const publisher = await aPublisher(at);
  const { url, accountId } = await start(publisher);
  await goThrough(at, url);
  await vi.waitFor(async () => expect((await stateOf(publisher)).chargesEnabled).toBe(true), {
    timeout: 20_000,
  });
  return { ...publisher, accountId };
}

/** The stored state, without another request to the processor. */
async function mayCharge(accountId: string) {
  const { charges_enabled } = await deaf.database.db
    .selectFrom("connected_accounts")
    .where("account_id", "=", accountId)
    .select("charges_enabled")
    .executeTakeFirstOrThrow();
  return charges_enabled;
}

async function accountsOf(subscriptionIds: readonly string[]) {
  const rows = await service.database.db
    .selectFrom("subscriptions")
    .where("id", "in", subscriptionIds)
    .select(["id", "provider_account"])
    .execute();
  return new Map(rows.map((row) => [row.id, row.provider_account]));
}

it("creates one account per workspace for concurrent requests", async () => {
  const publisher = await aPublisher(service);
  const before = await stateOf(publisher);

  const links = await Promise.all(Array.from({ length: 6 }, () => start(publisher)));
  const again = await start(publisher);

  const { data } = await service.processor.stripe.accounts.list({ limit: 100 });
  const made = data.filter(({ metadata }) => metadata?.workspaceId === publisher.workspace.id);
  expect(made).toHaveLength(1);
  expect(new Set([...links, again].map(({ accountId }) => accountId))).toEqual(new Set([made[0]?.id]));
  expect(before).toEqual({
    available: true,
    connected: false,
    chargesEnabled: false,
    payoutsEnabled: false,
    detailsSubmitted: false,
    accountId: null,
    sandbox: true,
    processorTime: expect.any(String),
  });
  expect(await stateOf(publisher)).toEqual({
    ...before,
    connected: true,
    accountId: made[0]?.id,
    processorTime: expect.any(String),
  });
  expect(await auditTrail(service, made[0]?.id ?? "")).toMatchObject([
    { workspace_id: publisher.workspace.id, actor_kind: "person", action: "connect.start" },
  ]);
});

it("gets the same account again after the first answer was lost", async () => {
  const publisher = await aPublisher(service);

  await service.processor.while("mute", () =>
    publisher.person.caller.refused(502, "POST", `${publisher.path}/connect`, {}),
  );
  const { accountId } = await start(publisher);

  const { data } = await service.processor.stripe.accounts.list({ limit: 100 });
  const made = data.filter(({ metadata }) => metadata?.workspaceId === publisher.workspace.id);
  expect(made.map(({ id }) => id)).toEqual([accountId]);
});

it("sells nothing while the account cannot charge, and in the account once it can", async () => {
  const publisher = await aPublisher(service);
  const tier = await aTier(publisher);
  const order = { tierPriceId: tier.prices[0]?.id };
  const { url, accountId } = await start(publisher);

  const refusal = await publisher.caller.refused(409, "POST", `${publisher.path}/checkout-sessions`, order);
  expect(refusal.data.reason).toBe("PAYMENTS_NOT_SET_UP");
  await goThrough(service, url, "under review");
  await vi.waitFor(async () => expect((await stateOf(publisher)).detailsSubmitted).toBe(true), {
    timeout: 20_000,
  });
  await publisher.caller.refused(409, "POST", `${publisher.path}/checkout-sessions`, order);
  await goThrough(service, (await start(publisher)).url);
  await vi.waitFor(async () => expect((await stateOf(publisher)).payoutsEnabled).toBe(true), {
    timeout: 20_000,
  });
  const { sessionId } = await publisher.caller.ok(
    session,
    "POST",
    `${publisher.path}/checkout-sessions`,
    order,
  );

  expect(refusal.data?.formErrors?.[0]).toMatch(/cannot take payments yet/);
  const inAccount = { stripeAccount: accountId };
  const opened = await service.processor.stripe.checkout.sessions.retrieve(sessionId, {}, inAccount);
  expect(opened.status).toBe("open");
  await expect(service.processor.stripe.checkout.sessions.retrieve(sessionId)).rejects.toMatchObject({
    statusCode: 404,
  });
});

it("keeps a subscription in the account it was sold in, from the first pause to the invoice", async () => {
  const publisher = await aPublisher(service);
  const early = await anApprovedAd(service, publisher);
  const { url, accountId } = await start(publisher);
  await goThrough(service, url);
  await vi.waitFor(async () => expect((await stateOf(publisher)).chargesEnabled).toBe(true), {
    timeout: 20_000,
  });
  const samePrice = early.tier.prices[0]?.id ?? "";
  const resold = await aPaidCheckout(service, publisher, samePrice);
  const late = await anApprovedAd(service, publisher);
  await billed(service, publisher.workspace.id, 3);

  const states: unknown[] = [];
  for (const { path } of [early, late]) {
    for (const call of ["pause", "resume", "reject"]) {
      const body = call === "reject" ? { note: "Enough." } : {};
      const { subscription } = await publisher.caller.ok(ad, "POST", `${path}/${call}`, body);
      states.push(subscription.status);
    }
  }

  expect(states).toEqual(["Paused", "Active", "Canceled", "Paused", "Active", "Canceled"]);
  const accounts = await accountsOf([early.subscription.id, late.subscription.id]);
  expect(accounts.get(early.subscription.id)).toBeNull();
  expect(accounts.get(late.subscription.id)).toBe(accountId);
  const { data } = await service.processor.stripe.prices.list(
    { lookup_keys: [samePrice] },
    { stripeAccount: accountId },
  );
  expect(data).toHaveLength(1);
  expect(resold.sessionId).not.toBe("");
});

it("reads the account on request when its webhooks were lost", async () => {
  const publisher = await aConnectedPublisher(deaf);

  expect(await stateOf(publisher)).toEqual({
    available: true,
    connected: true,
    chargesEnabled: true,
    payoutsEnabled: true,
    detailsSubmitted: true,
    accountId: publisher.accountId,
    sandbox: true,
    processorTime: expect.any(String),
  });
  expect((await auditTrail(deaf, publisher.accountId)).slice(1)).toMatchObject([
    {
      workspace_id: publisher.workspace.id,
      actor_kind: "processor",
      action: "connect.update",
      before: { chargesEnabled: false },
      after: { chargesEnabled: true },
    },
  ]);
});

it("does not overwrite a state that was read later", async () => {
  const { accountId } = await aConnectedPublisher(deaf);
  const { payments } = deaf.services;
  const ready = await payments.readAccount(accountId);
  const isRead = Promise.withResolvers<void>();
  const mayGoOn = Promise.withResolvers<void>();
  let reads = 0;
  const readAccount = async () => {
    reads += 1;
    if (reads > 1) return ready;
    isRead.resolve();
    await mayGoOn.promise;
    return { ...ready, chargesEnabled: false };
  };

  const late = syncAccount({ ...deaf.services, payments: { ...payments, readAccount } }, accountId);
  await isRead.promise;
  await syncAccount(deaf.services, accountId);
  mayGoOn.resolve();
  await late;

  expect(reads).toBe(1);
  expect(await mayCharge(accountId)).toBe(true);
});

it("takes all capabilities from an account that no longer exists at the processor", async () => {
  const { accountId, path, caller } = await aConnectedPublisher(deaf);
  const { payments } = deaf.services;
  const readAccount = () => payments.readAccount("acct_gone");

  const isDifferent = await syncAccount(
    { ...deaf.services, payments: { ...payments, readAccount } },
    accountId,
  );
  const stranger = await syncAccount(deaf.services, "acct_of_nobody_here");

  expect([isDifferent, stranger]).toEqual([true, false]);
  expect(await mayCharge(accountId)).toBe(false);
  const state = await caller.ok(connection, "GET", `${path}/connect`);
  // It is still there in truth, which the next look finds out.
  expect(state.chargesEnabled).toBe(true);
});

/** Ads of a publisher whose account the processor does not know any more, and tells nobody of. */
async function aDisconnectedPublisher() {
  const publisher = await aConnectedPublisher(deaf);
  const { accountId, workspace } = publisher;
  const one = () => anApprovedAd(deaf, publisher);
  const sold = [await one(), await one(), await one(), await one()] as const;
  const { pool } = deaf.database;
  const move = async (account: string) => {
    const to = [workspace.id, account];
    await pool.query("update subscriptions set provider_account = $2 where workspace_id = $1", to);
    await pool.query("update connected_accounts set account_id = $2 where workspace_id = $1", to);
  };
  const gone = `acct_gone${accountId.slice(5)}`;
  const goesAway = () => move(gone);
  await goesAway();
  const aDayPasses = async () => {
    const since =
      "update connected_accounts set gone_since = gone_since - interval '1 day' where account_id = $1";
    await pool.query(since, [gone]);
  };
  const ids = `{${sold.map(({ subscription }) => subscription.id).join(",")}}`;
  const comesBack = () => move(accountId);
  /** Where no paid time runs, the loss ends all that was sold. */
  const losesAll = async () => {
    const isOver =
      "update subscriptions set current_period_end = now() - interval '1 day' where id = any($1)";
    await pool.query(isOver, [ids]);
    await reconcile(deaf.services);
    await aDayPasses();
    await reconcile(deaf.services);
    await chargingSettles(deaf);
  };
  const statesAtProcessor = async () => {
    const { rows } = await pool.query<{ id: string }>(
      "select provider_subscription_id as id from subscriptions where id = any($1) order by array_position($1, id)",
      [ids],
    );
    const { subscriptions } = deaf.processor.stripe;
    const inAccount = { stripeAccount: accountId };
    return (await Promise.all(rows.map(({ id }) => subscriptions.retrieve(id, {}, inAccount)))).map(
      ({ status }) => status,
    );
  };
  const isCleared = async ({ subscription }: (typeof sold)[number]) => {
    const select = "select from subscriptions where id = $1 and cleared_at is not null";
    return (await pool.query(select, [subscription.id])).rowCount === 1;
  };
  return { ...publisher, sold, aDayPasses, losesAll, comesBack, goesAway, statesAtProcessor, isCleared };
}

async function goneSince({ workspace }: Publisher): Promise<Date | null> {
  const select = "select gone_since from connected_accounts where workspace_id = $1";
  return (await deaf.database.pool.query(select, [workspace.id])).rows[0].gone_since;
}

it("ends nothing for a day after the processor has said that an account is gone, and forgets it once it is back", async () => {
  const publisher = await aDisconnectedPublisher();
  const { caller, path, sold, aDayPasses, comesBack } = publisher;
  const [rejected, paused, canceled] = sold;

  await caller.refused(502, "POST", `${rejected.path}/reject`, { note: "No.", refund: true });
  const since = await goneSince(publisher);
  await caller.refused(502, "POST", `${paused.path}/pause`);
  await caller.refused(502, "POST", `${path}/subscriptions/${canceled.subscription.id}/cancel`, {
    refund: true,
  });
  const { report } = await reconcile(deaf.services);

  expect(report.failed.count).toBeGreaterThan(0);
  expect(report.repaired.subscription.count).toBe(0);
  expect(since).not.toBeNull();
  expect(await goneSince(publisher)).toEqual(since);
  await aDayPasses();
  await comesBack();
  await reconcile(deaf.services);
  expect(await goneSince(publisher)).toBeNull();
  for (const one of sold) {
    expect(await caller.ok(ad, "GET", one.path)).toMatchObject({
      status: "Approved",
      subscription: { status: "Active", cancelAt: null },
    });
  }
});

it("serves the ads of an account that is gone until the time that is paid ends, and says why", async () => {
  const { caller, person, sold, workspace, aDayPasses } = await aDisconnectedPublisher();
  const [{ path: running, checkout }, { path: over, subscription }] = sold;
  const buyer = await subjectsTo(deaf, checkout.email);
  await deaf.database.pool.query(
    "update subscriptions set current_period_end = now() - interval '1 day' where id = $1",
    [subscription.id],
  );

  await reconcile(deaf.services);
  await aDayPasses();
  const { report } = await reconcile(deaf.services);
  const repeated = await reconcile(deaf.services);

  const shown = await caller.ok(ad, "GET", running);
  expect(shown.subscription).toMatchObject({
    status: "Active",
    cancelAt: shown.subscription.currentPeriodEnd,
    cancellationReason: "account_disconnected",
  });
  const until = (await caller.ok(eligibility, "GET", `${running}/eligibility`)).servingUntil;
  expect(until).toBe(shown.subscription.currentPeriodEnd);
  expect((await caller.ok(ad, "GET", over)).subscription.status).toBe("Canceled");
  expect((await caller.ok(eligibility, "GET", `${over}/eligibility`)).eligible).toBe(false);
  expect(report.repaired.subscription.count).toBe(4);
  expect(report.failed.count + repeated.report.repaired.subscription.count).toBe(0);
  const settled = "select from subscriptions where workspace_id = $1 and cleared_at is not null";
  await vi.waitFor(async () => {
    expect((await deaf.database.pool.query(settled, [workspace.id])).rowCount).toBe(1);
  }, 20_000);
  // It may live on in its account, so nothing can be said of it.
  expect(await subjectsTo(deaf, checkout.email)).toEqual(buyer);
  expect((await subjectsTo(deaf, person.email)).filter((subject) => /cancel|end/i.test(subject))).toEqual([]);
});

it("tells nobody that an account is back", async () => {
  const { caller, person, sold, aDayPasses, comesBack } = await aDisconnectedPublisher();
  const [{ path, checkout }] = sold;
  await reconcile(deaf.services);
  await aDayPasses();
  await reconcile(deaf.services);
  expect((await caller.ok(ad, "GET", path)).subscription.cancelAt).not.toBeNull();
  const before = [await subjectsTo(deaf, checkout.email), await subjectsTo(deaf, person.email)];

  await comesBack();
  await reconcile(deaf.services);

  expect((await caller.ok(ad, "GET", path)).subscription).toMatchObject({ status: "Active", cancelAt: null });
  const after = [await subjectsTo(deaf, checkout.email), await subjectsTo(deaf, person.email)];
  expect(after).toEqual(before);
});

it("sells nothing in an account that is gone, and ends there what the publisher ends", async () => {
  const publisher = await aDisconnectedPublisher();
  const { caller, path, sold, person, workspace, aDayPasses } = publisher;
  const [rejected, paused, canceled] = sold;
  const buys = { tierPriceId: rejected.tier.prices[0]?.id };

  await caller.refused(409, "POST", `${path}/checkout-sessions`, buys);
  expect((await stateOf(publisher)).chargesEnabled).toBe(false);
  await aDayPasses();
  const off = await caller.ok(ad, "POST", `${rejected.path}/reject`, { note: "No.", refund: true });
  expect(off).toMatchObject({ status: "Rejected", subscription: { status: "Canceled" } });
  expect(off.subscription.refundDueSince).not.toBeNull();
  expect((await caller.ok(ad, "POST", `${paused.path}/pause`)).subscription.status).toBe("Canceled");
  const cancel = `${path}/subscriptions/${canceled.subscription.id}/cancel`;
  expect((await caller.request("POST", cancel, { refund: false })).status).toBe(200);
  const { status } = await caller.request(
    "DELETE",
    `${path}/advertisers/${paused.subscription.advertiser.id}`,
  );
  expect(status).toBe(200);
  const { status: deleted } = await person.caller.request("DELETE", path, {
    name: workspace.name,
    refund: true,
  });
  expect(deleted).toBe(200);
  await vi.waitFor(async () => {
    const left = "select from workspaces where id = $1";
    expect((await deaf.database.pool.query(left, [workspace.id])).rowCount).toBe(0);
  }, 20_000);
});

it("ends at the processor what the publisher ended without the account, once that is back", async () => {
  const publisher = await aDisconnectedPublisher();
  const { accountId, caller, path, sold, aDayPasses, comesBack, statesAtProcessor } = publisher;
  const [rejected, paused, canceled, kept] = sold;
  await stateOf(publisher);
  await reconcile(deaf.services);
  await aDayPasses();
  await caller.ok(ad, "POST", `${rejected.path}/reject`, { note: "No.", refund: true });
  await caller.ok(ad, "POST", `${paused.path}/pause`);
  await caller.request("POST", `${path}/subscriptions/${canceled.subscription.id}/cancel`, { refund: false });

  await comesBack();
  await reconcile(deaf.services);

  expect(await statesAtProcessor()).toEqual(["canceled", "canceled", "canceled", "active"]);
  expect((await caller.ok(ad, "GET", kept.path)).subscription.status).toBe("Active");
  await vi.waitFor(async () => {
    const { subscription } = await caller.ok(ad, "GET", rejected.path);
    expect(subscription).toMatchObject({ status: "Canceled", refundDueSince: null });
  }, 20_000);
  const { data } = await deaf.processor.stripe.refunds.list({}, { stripeAccount: accountId });
  expect(data).toHaveLength(1);
});

it("ends what it rejects and erases in an account that is back, though the loss had ended it here", async () => {
  const publisher = await aDisconnectedPublisher();
  const { accountId, caller, path, sold, losesAll, comesBack, statesAtProcessor } = publisher;
  const [rejected, erased] = sold;
  await losesAll();
  await comesBack();

  const off = await caller.ok(ad, "POST", `${rejected.path}/reject`, { note: "No.", refund: true });
  const advertiser = `${path}/advertisers/${erased.subscription.advertiser.id}`;
  expect((await caller.request("DELETE", advertiser)).status).toBe(200);
  await reconcile(deaf.services);

  expect(off).toMatchObject({ status: "Rejected", subscription: { status: "Canceled" } });
  expect(await statesAtProcessor()).toEqual(["canceled", "canceled", "active", "active"]);
  const { data } = await deaf.processor.stripe.refunds.list({}, { stripeAccount: accountId });
  expect(data).toHaveLength(1);
});

it("ends what it rejects in an account that was back and is away again, once that is back, and settles its invoices", async () => {
  const publisher = await aDisconnectedPublisher();
  const { caller, sold, losesAll, comesBack, goesAway, statesAtProcessor, isCleared } = publisher;
  const [rejected, kept] = sold;
  await losesAll();
  await comesBack();
  await stateOf(publisher);
  await goesAway();
  await caller.refused(502, "POST", `${rejected.path}/reject`, { note: "No.", refund: true });
  const off = await caller.request("POST", `${rejected.path}/reject`, { note: "No.", refund: false });

  await comesBack();
  await reconcile(deaf.services);
  await chargingSettles(deaf);

  expect(off.status).toBe(200);
  expect(await statesAtProcessor()).toEqual(["canceled", "active", "active", "active"]);
  expect(await Promise.all([rejected, kept].map(isCleared))).toEqual([true, false]);
});

it("ends and refunds all that lives in an account that is back when its workspace is deleted", async () => {
  const publisher = await aDisconnectedPublisher();
  const { accountId, person, path, workspace, losesAll, comesBack } = publisher;
  await losesAll();
  await comesBack();

  const deletion = { name: workspace.name, refund: true };
  expect((await person.caller.request("DELETE", path, deletion)).status).toBe(200);

  await vi.waitFor(async () => {
    const { data } = await deaf.processor.stripe.refunds.list({}, { stripeAccount: accountId });
    expect(data).toHaveLength(4);
  }, 20_000);
});

it("refuses onboarding where workspaces have no accounts of their own", async () => {
  const publisher = await aPublisher(without);

  const refusal = await publisher.person.caller.refused(409, "POST", `${publisher.path}/connect`, {});

  expect(refusal.data?.formErrors).toHaveLength(1);
  expect(await stateOf(publisher)).toMatchObject({ available: false, connected: false, accountId: null });
});
