import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { pageOf } from "#libs/contract/query.ts";
import { trackingKey } from "#libs/contract/tracking-keys.ts";
import { apiKey, newApiKey } from "#libs/contract/workspaces.ts";
import { TRACKING_KEY } from "#libs/domain/api-key.ts";
import { ApiCaller } from "../../tests/callers.ts";
import { aMember } from "../../tests/joining.ts";
import { startManagement } from "../../tests/management.ts";
import { aPublisher } from "../../tests/story.ts";

const service = await startManagement({ unlimited: true });
const publisher = await aPublisher(service);
const { person, path } = publisher;
const GENEROUS = { timeout: 30_000 };

async function aTrackingKey(caller = person.caller) {
  const made = await caller.ok(newApiKey, "POST", `${path}/tracking-keys`, { name: "Newsletter" });
  return { ...made, hash: createHash("sha256").update(made.key).digest("base64url") };
}

/** What serving is told. */
async function publishedKeys(): Promise<readonly string[]> {
  return (await service.placements.read(publisher.workspace.id))?.trackingKeys ?? [];
}

function isPublished(hash: string): Promise<boolean> {
  return publishedKeys().then((hashes) => hashes.includes(hash));
}

it("shows a tracking key once, lists it apart from API keys, and tells serving only its SHA-256", async () => {
  const { id, key, prefix, hash } = await aTrackingKey();

  const listed = await person.caller.ok(pageOf(trackingKey), "GET", `${path}/tracking-keys`);
  const apiKeys = await person.caller.ok(pageOf(apiKey), "GET", `${path}/api-keys`);

  expect(key).toMatch(TRACKING_KEY);
  expect(listed.items[0]).toMatchObject({ id, prefix, createdBy: { name: person.name } });
  expect(apiKeys.items.map((one) => one.id)).not.toContain(id);
  await expect.poll(() => isPublished(hash), GENEROUS).toBe(true);
  const snapshot = await service.placements.read(publisher.workspace.id);
  expect(JSON.stringify(snapshot)).not.toContain(key.slice(12));
  const { rows } = await service.database.pool.query(
    "select row_to_json(k)::text as text from api_keys k union all select row_to_json(a)::text from audit_log a",
  );
  for (const { text } of rows) expect(text).not.toContain(key.slice(12));
});

it("refuses a tracking key at every endpoint of management, with a sentence that says what it is for", async () => {
  const { key } = await aTrackingKey();
  const caller = new ApiCaller(service.origin, { authorization: `Bearer ${key}` });

  for (const [method, where] of [
    ["GET", path],
    ["GET", `${path}/ads`],
    ["POST", `${path}/tiers`],
    ["GET", `${path}/tracking-keys`],
    ["POST", `${path}/tracking-keys`],
    ["GET", "/v1/workspaces"],
  ] as const) {
    const { message } = await caller.refused(401, method, where, method === "POST" ? {} : undefined);
    expect(message).toBe(
      "A tracking key only reports events, to POST /workspaces/{workspaceId}/events. Use an API key here.",
    );
  }
});

it("takes a revoked key from serving, and finds no key of the other kind to revoke", async () => {
  const { id, hash } = await aTrackingKey();
  await expect.poll(() => isPublished(hash), GENEROUS).toBe(true);

  await person.caller.refused(404, "DELETE", `${path}/api-keys/${id}`);
  await person.caller.refused(404, "DELETE", `${path}/tracking-keys/${publisher.key.id}`);
  const revoked = await person.caller.request("DELETE", `${path}/tracking-keys/${id}`);

  expect([revoked.status, revoked.text]).toEqual([200, '{"success":true}']);
  await expect.poll(() => isPublished(hash), GENEROUS).toBe(false);
});

it("takes the keys of those who may no longer report from serving: Viewers, and who has left", async () => {
  const demoted = await aMember(service, publisher, "Manager");
  const removed = await aMember(service, publisher, "Manager");
  const ofDemoted = await aTrackingKey(demoted.caller);
  const ofRemoved = await aTrackingKey(removed.caller);
  await expect
    .poll(publishedKeys, GENEROUS)
    .toEqual(expect.arrayContaining([ofDemoted.hash, ofRemoved.hash]));

  await person.caller.request("PATCH", demoted.path, { role: "Viewer" });
  await person.caller.request("DELETE", removed.path);

  await expect.poll(() => isPublished(ofDemoted.hash), GENEROUS).toBe(false);
  await expect.poll(() => isPublished(ofRemoved.hash), GENEROUS).toBe(false);
});

it("lets no Manager revoke the tracking key of an Owner", async () => {
  const manager = await aMember(service, publisher, "Manager");
  const owners = await aTrackingKey();
  const managers = await aTrackingKey(manager.caller);

  await manager.caller.refused(403, "DELETE", `${path}/tracking-keys/${owners.id}`);
  expect((await manager.caller.request("DELETE", `${path}/tracking-keys/${managers.id}`)).status).toBe(200);
});
