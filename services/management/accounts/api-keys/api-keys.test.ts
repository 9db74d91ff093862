import { createHash } from "node:crypto";
import pg from "pg";
import { expect, it, vi } from "vitest";
import { pageOf } from "#libs/contract/query.ts";
import { tier } from "#libs/contract/tiers.ts";
import { apiKey, newApiKey as newKeyShape, workspace } from "#libs/contract/workspaces.ts";
import { API_KEY, newKey } from "#libs/domain/api-key.ts";
import { ApiCaller } from "../../tests/callers.ts";
import { aMember } from "../../tests/joining.ts";
import { startManagement } from "../../tests/management.ts";
import { aPublisher } from "../../tests/story.ts";

let later = 0;
const service = await startManagement({ unlimited: true, now: () => Date.now() + later });
const beside = await startManagement({ unlimited: true, beside: service });
const publisher = await aPublisher(service);
const { person, path } = publisher;
const listOfKeys = pageOf(apiKey);

function withKey(key: string, origin = service.origin): ApiCaller {
  return new ApiCaller(origin, { authorization: `Bearer ${key}` });
}

async function aKey(caller = person.caller, where = path) {
  return await caller.ok(newKeyShape, "POST", `${where}/api-keys`, { name: "Integration" });
}

async function lastUse(keyId: string): Promise<number | null> {
  const { rows } = await service.database.pool.query("select last_used_at from api_keys where id = $1", [
    keyId,
  ]);
  return rows[0].last_used_at?.getTime() ?? null;
}

/** How many statements that read keys were sent while something happened. */
async function lookUpsDuring(act: () => Promise<unknown>): Promise<number> {
  const query = vi.spyOn(pg.Client.prototype, "query");
  try {
    await act();
    return query.mock.calls.filter(([statement]) => JSON.stringify(statement).includes("api_keys")).length;
  } finally {
    query.mockRestore();
  }
}

it("shows a key once and keeps its SHA-256", async () => {
  const made = await aKey();

  const listed = await person.caller.ok(listOfKeys, "GET", `${path}/api-keys`);

  expect(made.key).toMatch(API_KEY);
  expect(made.key.startsWith(made.prefix)).toBe(true);
  expect(listed.items[0]).toMatchObject({
    id: made.id,
    prefix: made.prefix,
    createdBy: { name: person.name },
  });
  const { rows } = await service.database.pool.query(
    "select hash, row_to_json(k)::text as text from api_keys k where id = $1",
    [made.id],
  );
  expect(rows[0].hash).toEqual(createHash("sha256").update(made.key).digest());
  const { rows: everything } = await service.database.pool.query(
    "select row_to_json(k)::text as text from api_keys k union all select row_to_json(a)::text from audit_log a",
  );
  for (const { text } of everything) expect(text).not.toContain(made.key.slice(12));
});

it("refuses a mistyped key by its checksum, with no look-up", async () => {
  const { key } = await aKey();
  const mistyped = `${key.slice(0, 20)}${key[20] === "A" ? "B" : "A"}${key.slice(21)}`;

  const refusedAtOnce = await lookUpsDuring(async () => {
    for (const wrong of [mistyped, "plc_", `${key}x`, key.slice(0, -1), "nothing", key.toLowerCase()]) {
      await withKey(wrong).refused(401, "GET", path);
    }
  });
  const lookedUp = await lookUpsDuring(() => withKey(newKey("api").key).refused(401, "GET", path));

  expect(refusedAtOnce).toBe(0);
  expect(lookedUp).toBe(1);
});

it("judges a request by its Authorization header alone, session or not", async () => {
  const { key } = await aKey();

  for (const authorization of [
    "",
    "Bearer",
    "Bearer ",
    `Basic ${key}`,
    key,
    `Bearer ${key} ${key}`,
    "Bearer \u00ff",
  ]) {
    const answer = await person.caller.request("GET", path, undefined, { authorization });
    expect(answer.status).toBe(401);
  }
  const lowerCase = await person.caller.request("GET", path, undefined, { authorization: `bearer ${key}` });
  expect(lowerCase.status).toBe(200);
});

it("notes the last use at most once a minute", async () => {
  const { id, key } = await aKey();
  expect(await lastUse(id)).toBeNull();

  await Promise.all(Array.from({ length: 5 }, () => withKey(key).ok(workspace, "GET", path)));
  await expect.poll(() => lastUse(id)).not.toBeNull();
  const first = await lastUse(id);
  later = 50_000;
  await withKey(key).ok(workspace, "GET", path);
  await withKey(key).ok(workspace, "GET", path);
  const within = await lastUse(id);
  later = 65_000;
  await withKey(key).ok(workspace, "GET", path);
  await expect.poll(() => lastUse(id)).not.toBe(first);
  later = 0;

  expect(within).toBe(first);
});

it("revokes a key for the next request, in every process", async () => {
  const { id, key } = await aKey();
  await withKey(key).ok(workspace, "GET", path);
  await withKey(key, beside.origin).ok(workspace, "GET", path);

  const revoked = await person.caller.request("DELETE", `${path}/api-keys/${id}`);

  expect([revoked.status, revoked.text]).toEqual([200, '{"success":true}']);
  await withKey(key).refused(401, "GET", path);
  await withKey(key, beside.origin).refused(401, "GET", path);
  await person.caller.refused(404, "DELETE", `${path}/api-keys/${id}`);
});

it("acts with its maker's current role, in every process", async () => {
  const manager = await aMember(service, publisher, "Manager");
  const { key } = await aKey(manager.caller);
  const body = {
    name: "Gold",
    weight: 1,
    initialPrices: [{ amount: 100, intervalCount: 1, currency: "usd" }],
  };
  await withKey(key, beside.origin).ok(tier, "POST", `${path}/tiers`, body);

  await person.caller.request("PATCH", manager.path, { role: "Viewer" });

  await withKey(key, beside.origin).refused(403, "POST", `${path}/tiers`, body);
  await withKey(key, beside.origin).ok(workspace, "GET", path);
  await person.caller.request("DELETE", manager.path);
  await withKey(key, beside.origin).refused(401, "GET", path);
});

it("lets no Manager revoke the key of an Owner", async () => {
  const manager = await aMember(service, publisher, "Manager");
  const ownersKey = await aKey();
  const managersKey = await aKey(manager.caller);

  await manager.caller.refused(403, "DELETE", `${path}/api-keys/${ownersKey.id}`);
  const byOwner = await person.caller.request("DELETE", `${path}/api-keys/${managersKey.id}`);

  expect((await withKey(ownersKey.key).request("GET", path)).status).toBe(200);
  expect(byOwner.status).toBe(200);
});

it("answers 422 for bad names", async () => {
  for (const name of [undefined, null, 5, "", "   ", "x".repeat(81), "a\u0000b", "\ud800"]) {
    expect(await person.caller.invalid("POST", `${path}/api-keys`, { name })).toEqual(["name"]);
  }
});

it("makes no key for a membership that ends at the same moment", async () => {
  const manager = await aMember(service, publisher, "Manager");
  const ending = await service.database.pool.connect();
  await ending.query("begin");
  await ending.query("delete from members where id = $1", [manager.memberId]);

  const creating = manager.caller.request("POST", `${path}/api-keys`, { name: "Late" });
  await expect
    .poll(async () => {
      const { rowCount } = await service.database.pool.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rowCount;
    })
    .toBe(1);
  await ending.query("commit");
  ending.release();

  expect((await creating).status).toBe(403);
});
