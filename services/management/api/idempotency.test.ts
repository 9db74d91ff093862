import { createHash } from "node:crypto";
import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import { managementContract } from "#libs/contract/contract.ts";
import { listEndpoints } from "#libs/contract/endpoints.ts";
import { newApiKey } from "#libs/contract/workspaces.ts";
import { ApiCaller } from "../tests/callers.ts";
import { aMember } from "../tests/joining.ts";
import { startManagement } from "../tests/management.ts";
import { aPublisher, aTier } from "../tests/story.ts";
import { sweep } from "../worker/sweep.ts";
import { claimKey, keepAnswer, releaseKey } from "./idempotency/claims.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
let later = 0;
const service = await startManagement({
  unlimited: true,
  behindProxy: true,
  now: () => Date.now() + later,
});
const beside = await startManagement({ unlimited: true, beside: service });
const publisher = await aPublisher(service);
const { caller, person, path } = publisher;
const body = {
  name: "Gold",
  weight: 3,
  initialPrices: [{ amount: 4900, intervalCount: 1, currency: "usd" }],
};

afterEach(() => {
  later = 0;
});

function createTier(key: string, sent: unknown = body, by: ApiCaller = caller) {
  return by.request("POST", `${path}/tiers`, sent, { "idempotency-key": key });
}

async function tierCount(): Promise<number> {
  const { rows } = await service.database.pool.query(
    "select count(*)::int as tiers from tiers where workspace_id = $1",
    [publisher.workspace.id],
  );
  return rows[0].tiers;
}

it("answers the same request with the same key alike, and creates once", async () => {
  const before = await tierCount();

  const first = await createTier("one-tier");
  const again = await createTier("one-tier");
  const elsewhere = await createTier(
    "one-tier",
    body,
    new ApiCaller(beside.origin, { authorization: `Bearer ${publisher.key.key}` }),
  );

  expect(first.status).toBe(200);
  expect([again.status, again.text]).toEqual([200, first.text]);
  expect([elsewhere.status, elsewhere.text]).toEqual([200, first.text]);
  expect([first, again].map(({ headers }) => headers.get("idempotent-replayed"))).toEqual([null, "true"]);
  expect(again.headers.get("content-type")).toMatch(/^application\/json/);
  expect(again.headers.get("ratelimit-limit")).toBe("120");
  expect(await tierCount()).toBe(before + 1);
});

it("creates once however many arrive at once, in two processes; the rest get 409 or the answer", async () => {
  const before = await tierCount();
  const besideCaller = new ApiCaller(beside.origin, { authorization: `Bearer ${publisher.key.key}` });

  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => createTier("race", body, n % 2 === 0 ? caller : besideCaller)),
  );

  const created = answers.filter(({ status }) => status === 200);
  const waiting = answers.filter(({ status }) => status === 409);
  expect(created.length + waiting.length).toBe(20);
  expect(created.length).toBeGreaterThanOrEqual(1);
  expect(new Set(created.map(({ text }) => text)).size).toBe(1);
  expect(await tierCount()).toBe(before + 1);
});

it("answers 409 while the first request is under way", async () => {
  const lock = await service.database.pool.connect();
  await lock.query("begin");
  await lock.query("select 1 from workspaces where id = $1 for update", [publisher.workspace.id]);
  const first = createTier("slow");
  await expect
    .poll(
      async () =>
        (await service.database.pool.query("select 1 from idempotency_keys where key = 'slow'")).rowCount,
    )
    .toBe(1);

  const second = await createTier("slow");
  await lock.query("rollback");
  lock.release();

  expect(second.status).toBe(409);
  expect(JSON.parse(second.text).data).toMatchObject({
    formErrors: ["A request with this Idempotency-Key is under way."],
    reason: "IDEMPOTENCY_KEY_IN_USE",
  });
  expect((await first).status).toBe(200);
  expect((await createTier("slow")).text).toBe((await first).text);
});

it("answers 422 when a key comes with another body or for another resource", async () => {
  const [gold, silver] = [await aTier(publisher), await aTier(publisher)];
  const addPrice = (tierId: string) =>
    caller.request(
      "POST",
      `${path}/tiers/${tierId}/prices`,
      { amount: 900, intervalCount: 1, currency: "eur" },
      { "idempotency-key": "bound" },
    );
  await createTier("bound");
  await addPrice(gold.id);

  for (const answer of [createTier("bound", { ...body, name: "Silver" }), addPrice(silver.id)]) {
    const { status, text } = await answer;
    expect(status).toBe(422);
    expect(JSON.parse(text).data.formErrors).toEqual(["This Idempotency-Key was used for another request."]);
  }
});

it("tells keys apart by endpoint and by workspace", async () => {
  const other = await aPublisher(service, "Another Weekly");
  const [here, there] = [await aTier(publisher), await aTier(other)];
  const named = { "idempotency-key": "order-17" };
  const buy = (at: string, tier: typeof here) =>
    new ApiCaller(service.origin).request(
      "POST",
      `${at}/checkout-sessions`,
      { tierPriceId: tier.prices[0]?.id },
      named,
    );

  const answers = [
    await createTier("order-17"),
    await caller.request("POST", `${path}/fields`, { name: "Tagline", type: "Text" }, named),
    await other.caller.request("POST", `${other.path}/tiers`, { ...body, name: "Silver" }, named),
    await buy(path, here),
    await buy(other.path, there),
  ];

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(answers.map(({ headers }) => headers.get("idempotent-replayed"))).toEqual(answers.map(() => null));
});

it("answers whoever acts for the workspace alike, and never tells a buyer's secret to another address", async () => {
  const manager = await aMember(service, publisher, "Manager");
  const sold = await aTier(publisher);
  const buyFrom = async (address: string) => {
    const { text } = await new ApiCaller(service.origin).request(
      "POST",
      `${path}/checkout-sessions`,
      { tierPriceId: sold.prices[0]?.id },
      { "idempotency-key": "shared", "x-forwarded-for": address },
    );
    return z.object({ sessionId: z.string() }).parse(JSON.parse(text)).sessionId;
  };
  const byKey = await createTier("shared");

  const byPerson = await createTier("shared", body, person.caller);
  const byManager = await createTier("shared", body, manager.caller);
  const bought = [await buyFrom("192.0.2.1"), await buyFrom("192.0.2.1"), await buyFrom("192.0.2.2")];

  expect([byPerson.text, byManager.text]).toEqual([byKey.text, byKey.text]);
  expect(bought[1]).toBe(bought[0]);
  expect(bought[2]).not.toBe(bought[0]);
  const { rows } = await service.database.pool.query(
    "select caller from idempotency_keys where key = 'shared'",
  );
  expect(rows).toHaveLength(3);
  expect(JSON.stringify(rows)).not.toMatch(/192\.0\.2/);
});

it("checks access before it tells a kept answer", async () => {
  const made = await person.caller.ok(newApiKey, "POST", `${path}/api-keys`, { name: "Short-lived" });
  const key = new ApiCaller(service.origin, { authorization: `Bearer ${made.key}` });
  expect((await createTier("kept", body, key)).status).toBe(200);

  await person.caller.request("DELETE", `${path}/api-keys/${made.id}`);

  expect((await createTier("kept", body, key)).status).toBe(401);
});

it("is not used up by a refusal, whatever its status: the same request may succeed later", async () => {
  const slug = { name: "Another Weekly", slug: "idempotent-weekly" };
  const createWorkspace = (sent: unknown, key: string) =>
    person.caller.request("POST", "/v1/workspaces", sent, { "idempotency-key": key });
  await createWorkspace(slug, "taken-1");
  const sold = await aTier(publisher);
  const price = `${path}/tiers/${sold.id}/prices/${sold.prices[0]?.id}`;
  const buy = (tierPriceId = sold.prices[0]?.id) =>
    caller.request("POST", `${path}/checkout-sessions`, { tierPriceId }, { "idempotency-key": "f" });

  const conflict = await createWorkspace(slug, "taken-2");
  await service.database.pool.query("update workspaces set slug = 'moved-away' where slug = $1", [slug.slug]);
  const noConflict = await createWorkspace(slug, "taken-2");
  const invalid = await createTier("corrected", { ...body, name: "" });
  const corrected = await createTier("corrected");
  const missing = await buy("price_of_nobody");
  await caller.request("DELETE", price);
  const notOnSale = await buy();
  await caller.request("POST", `${price}/unarchive`);
  const failed = await service.processor.while("failing", () => buy());
  const recovered = await buy();

  expect([conflict.status, noConflict.status]).toEqual([409, 200]);
  expect([invalid.status, corrected.status]).toEqual([422, 200]);
  const answers = [missing, notOnSale, failed, recovered];
  expect(answers.map(({ status }) => status)).toEqual([404, 409, 502, 200]);
  for (const { headers } of [noConflict, corrected, recovered]) {
    expect(headers.get("idempotent-replayed")).toBeNull();
  }
});

it("gives each answer a request id of its own, a repeated one too", async () => {
  const [first, again] = [await createTier("traced"), await createTier("traced")];

  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect(again.headers.get("x-request-id")).toMatch(/./);
  expect(again.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
});

it("lets a repetition proceed after a minute when the first request died, and after a day forgets", async () => {
  const before = await tierCount();
  await createTier("dead");
  await service.database.pool.query(
    "update idempotency_keys set status = null, body = null where key = 'dead'",
  );

  later = MINUTE_MS - 1_000;
  const tooEarly = await createTier("dead");
  later = MINUTE_MS + 1_000;
  const otherBody = await createTier("dead", { ...body, name: "Silver" });
  const repeated = await createTier("dead");
  const kept = await createTier("dead");
  later = DAY_MS + 2 * MINUTE_MS;
  const nextDay = await createTier("dead", { ...body, name: "Silver" });

  expect([tooEarly, otherBody, repeated, nextDay].map(({ status }) => status)).toEqual([409, 422, 200, 200]);
  expect(kept.text).toBe(repeated.text);
  expect(await tierCount()).toBe(before + 3);
});

it("leaves a claim alone that has passed to a repetition", async () => {
  const { db } = service.services;
  const request = { caller: "person:nobody", key: "passed-on", hash: createHash("sha256").digest() };
  const now = Date.now();
  const first = await claimKey(db, request, now);
  const second = await claimKey(db, request, now + 2 * MINUTE_MS);
  if (first.kind !== "claimed" || second.kind !== "claimed") throw new Error("a claim was not made");

  await keepAnswer(db, first.claim, { status: 200, body: "first" });
  await releaseKey(db, first.claim);
  const underWay = await claimKey(db, request, now + 2 * MINUTE_MS);
  await keepAnswer(db, second.claim, { status: 200, body: "second" });
  const answered = await claimKey(db, request, now + 2 * MINUTE_MS);

  expect(underWay).toEqual({ kind: "under-way" });
  expect(answered).toEqual({ kind: "answered", status: 200, body: "second" });
});

it("takes 1 to 255 visible ASCII characters as a key, on endpoints that create", async () => {
  for (const key of ["", " ", "a b", "x".repeat(256), "\u00e9"]) {
    expect((await createTier(key)).status).toBe(422);
  }
  for (const key of ["!", "x".repeat(255), '"quoted"', "~"]) expect((await createTier(key)).status).toBe(200);
  const ignored = await caller.request("GET", path, undefined, { "idempotency-key": "a b" });
  expect(ignored.status).toBe(200);
});

it("is offered by what creates and by decisions on ads, and never by what answers with a new key", () => {
  const idempotent = listEndpoints(managementContract)
    .filter((endpoint) => endpoint.idempotent)
    .map(({ name }) => name);

  expect(idempotent.toSorted()).toEqual([
    "ads.approve",
    "ads.pause",
    "ads.reject",
    "ads.requestChanges",
    "ads.resume",
    "checkout.create",
    "fields.create",
    "invitations.create",
    "invoices.refund",
    "prices.create",
    "revisions.approve",
    "revisions.reject",
    "revisions.requestChanges",
    "subscriptions.cancel",
    "subscriptions.remind",
    "tiers.create",
    "uploads.create",
    "workspaces.create",
  ]);
});

it("creates two keys and keeps neither when a key is asked for twice with one Idempotency-Key", async () => {
  const ask = async () =>
    z
      .object({ key: z.string() })
      .parse(
        JSON.parse(
          (
            await person.caller.request(
              "POST",
              `${path}/api-keys`,
              { name: "Twice" },
              { "idempotency-key": "k" },
            )
          ).text,
        ),
      ).key;

  const keys = [await ask(), await ask()];

  expect(new Set(keys).size).toBe(2);
  const { rows } = await service.database.pool.query(
    "select coalesce(body, '') as body from idempotency_keys",
  );
  for (const { body: kept } of rows) expect(kept).not.toMatch(/plc_[0-9A-Za-z]{38}/);
});

it("sweeps what has had its time, and only that", async () => {
  await createTier("swept");
  const countOf = async (table: string) =>
    (await service.database.pool.query(`select 1 from ${table}`)).rowCount ?? 0;
  const kept = await countOf("idempotency_keys");
  await sweep({ ...service.services, now: () => Date.now() });
  expect(await countOf("idempotency_keys")).toBe(kept);
  expect(await countOf("sessions")).toBeGreaterThan(0);

  await sweep({ ...service.services, now: () => Date.now() + 40 * DAY_MS });

  expect(await countOf("idempotency_keys")).toBe(0);
  expect(await countOf("sessions")).toBe(0);
  expect(await countOf("invitations")).toBe(0);
});
