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
const service = await startManagement({ unlimited: true, now: () => Date.now() + later });
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

it("answers 422 when a key comes with another body, another path or another endpoint", async () => {
  await createTier("bound");

  const others = await Promise.all([
    createTier("bound", { ...body, name: "Silver" }),
    caller.request("POST", `${path}/tiers?other=1`, body, { "idempotency-key": "bound" }),
    caller.request(
      "POST",
      `${path}/fields`,
      { name: "Tagline", type: "Text" },
      { "idempotency-key": "bound" },
    ),
  ]);

  for (const { status, text } of others) {
    expect(status).toBe(422);
    expect(JSON.parse(text).data.formErrors).toEqual(["This Idempotency-Key was used for another request."]);
  }
});

it("never mixes up callers: another key, a person, the public", async () => {
  const manager = await aMember(service, publisher, "Manager");
  const sold = await aTier(publisher);
  const buy = { tierPriceId: sold.prices[0]?.id };
  const anybody = new ApiCaller(service.origin);
  const byKey = await createTier("shared");

  const byPerson = await createTier("shared", body, person.caller);
  const byManager = await createTier("shared", body, manager.caller);
  const checkout = () =>
    anybody.request("POST", `${path}/checkout-sessions`, buy, { "idempotency-key": "shared" });
  const bought = await checkout();

  expect(new Set([byKey, byPerson, byManager].map(({ text }) => JSON.parse(text).id)).size).toBe(3);
  expect(bought.status).toBe(200);
  expect((await checkout()).text).toBe(bought.text);
  const { rows } = await service.database.pool.query(
    "select caller from idempotency_keys where key = 'shared'",
  );
  expect(rows.map((row) => row.caller.split(":")[0]).toSorted()).toEqual([
    "key",
    "person",
    "person",
    "public",
  ]);
  expect(JSON.stringify(rows)).not.toContain("127.0.0.1");
});

it("checks access before it tells a kept answer", async () => {
  const made = await person.caller.ok(newApiKey, "POST", `${path}/api-keys`, { name: "Short-lived" });
  const key = new ApiCaller(service.origin, { authorization: `Bearer ${made.key}` });
  expect((await createTier("kept", body, key)).status).toBe(200);

  await person.caller.request("DELETE", `${path}/api-keys/${made.id}`);

  expect((await createTier("kept", body, key)).status).toBe(401);
});

it("keeps conflicts and missing resources, but lets a corrected request and one after a failure through", async () => {
  const slug = { name: "Another Weekly", slug: "idempotent-weekly" };
  const createWorkspace = (sent: unknown, key: string) =>
    person.caller.request("POST", "/v1/workspaces", sent, { "idempotency-key": key });
  await createWorkspace(slug, "taken-1");

  const conflict = await createWorkspace(slug, "taken-2");
  await service.database.pool.query("update workspaces set slug = 'moved-away' where slug = $1", [slug.slug]);
  const conflictAgain = await createWorkspace(slug, "taken-2");
  const invalid = await createTier("corrected", { ...body, name: "" });
  const corrected = await createTier("corrected");
  const sold = await aTier(publisher);
  const buy = () =>
    caller.request(
      "POST",
      `${path}/checkout-sessions`,
      { tierPriceId: sold.prices[0]?.id },
      { "idempotency-key": "f" },
    );
  const failed = await service.processor.while("failing", buy);
  const recovered = await buy();

  expect([conflict.status, conflictAgain.status]).toEqual([409, 409]);
  expect(conflictAgain.text).toBe(conflict.text);
  expect([invalid.status, corrected.status]).toEqual([422, 200]);
  expect([failed.status, recovered.status]).toEqual([502, 200]);
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
