import { expect, it } from "vitest";
import { auditEntry } from "#libs/contract/audit.ts";
import { pageOf } from "#libs/contract/query.ts";
import { newApiKey, workspace } from "#libs/contract/workspaces.ts";
import { aMember, anInvitation } from "../tests/joining.ts";
import { webhooksApplied } from "../tests/ledger-story.ts";
import { startManagement } from "../tests/management.ts";
import { anApprovedAd, aPaidCheckout, aPublisher, aTier, type Publisher } from "../tests/story.ts";

const service = await startManagement({ unlimited: true });

async function logOf({ caller, path }: Publisher, query = "perPage=100") {
  return await caller.ok(pageOf(auditEntry), "GET", `${path}/audit-log?${query}`);
}

it("tells who changed what, newest first, with what was before and is after", async () => {
  const publisher = await aPublisher(service);
  const { person, caller, path, key, workspace: made } = publisher;
  await caller.ok(workspace, "PATCH", path, {
    name: "Renamed Weekly",
    websiteUrl: "https://renamed.example",
  });
  await caller.ok(workspace, "PATCH", path, { name: "Renamed Weekly" });
  const invited = await anInvitation(service, publisher, "guest@example.com", "Viewer");
  await person.caller.request("DELETE", `${path}/invitations/${invited.id}`);
  const second = await person.caller.ok(newApiKey, "POST", `${path}/api-keys`, { name: "Second" });
  await person.caller.request("DELETE", `${path}/api-keys/${second.id}`);

  const { items } = await logOf(publisher);

  const byPerson = { kind: "person", id: items.at(-1)?.actor.id, name: person.name };
  const byKey = { kind: "key", id: key.id, name: "Integration" };
  expect(byPerson.id).toMatch(/^usr_/);
  expect(items.every(({ subject }) => subject === null)).toBe(true);
  expect(items.map(({ id, occurredAt, subject, ...entry }) => entry)).toEqual([
    {
      actor: byPerson,
      action: "api-key.revoke",
      resource: { kind: "api-key", id: second.id },
      before: { name: "Second", prefix: second.prefix },
      after: null,
    },
    {
      actor: byPerson,
      action: "api-key.create",
      resource: { kind: "api-key", id: second.id },
      before: null,
      after: { name: "Second", prefix: second.prefix },
    },
    {
      actor: byPerson,
      action: "invitation.revoke",
      resource: { kind: "invitation", id: invited.id },
      before: { email: "guest@example.com", role: "Viewer" },
      after: null,
    },
    {
      actor: byPerson,
      action: "invitation.create",
      resource: { kind: "invitation", id: invited.id },
      before: null,
      after: { email: "guest@example.com", role: "Viewer" },
    },
    {
      actor: byKey,
      action: "workspace.update",
      resource: { kind: "workspace", id: made.id },
      before: { name: "Example Weekly", websiteUrl: null },
      after: { name: "Renamed Weekly", websiteUrl: "https://renamed.example" },
    },
    {
      actor: byPerson,
      action: "api-key.create",
      resource: { kind: "api-key", id: key.id },
      before: null,
      after: { name: "Integration", prefix: key.prefix },
    },
    {
      actor: byPerson,
      action: "workspace.create",
      resource: { kind: "workspace", id: made.id },
      before: null,
      after: { name: made.name, slug: made.slug, websiteUrl: null, currency: "usd" },
    },
  ]);
  expect(Date.parse(items[0]?.occurredAt ?? "")).toBeGreaterThanOrEqual(Date.parse(made.createdAt));
});

it("pages through all entries, each once", async () => {
  const publisher = await aPublisher(service);
  for (let n = 0; n < 5; n += 1) await aTier(publisher, { name: `Tier ${n}` });

  const whole = await logOf(publisher);
  const pages = [];
  for (let page = 1; page <= 4; page += 1) pages.push(await logOf(publisher, `perPage=2&page=${page}`));

  expect(whole.total).toBe(7);
  expect(pages.flatMap(({ items }) => items)).toEqual(whole.items);
  expect((await logOf(publisher, "perPage=2&page=99")).page).toBe(4);
  for (const query of ["page=0", "perPage=0", "perPage=101", "page=x"]) {
    await publisher.caller.refused(422, "GET", `${publisher.path}/audit-log?${query}`);
  }
});

it("is read by Managers and Owners, and by nobody of another workspace", async () => {
  const publisher = await aPublisher(service);
  const manager = await aMember(service, publisher, "Manager");
  const viewer = await aMember(service, publisher, "Viewer");
  const neighbour = await aPublisher(service, "Another Weekly");

  await manager.caller.ok(pageOf(auditEntry), "GET", `${publisher.path}/audit-log`);
  await viewer.caller.refused(403, "GET", `${publisher.path}/audit-log`);
  await neighbour.caller.refused(403, "GET", `${publisher.path}/audit-log`);
  const theirs = await logOf(neighbour);
  expect(theirs.items.map(({ action }) => action)).toEqual(["api-key.create", "workspace.create"]);
});

it("has no entry of a change that was not made", async () => {
  const publisher = await aPublisher(service);
  const neighbour = await aPublisher(service, "Another Weekly");
  const { total } = await logOf(publisher);

  await publisher.person.caller.refused(409, "PATCH", publisher.path, { slug: neighbour.workspace.slug });
  await publisher.person.caller.refused(409, "POST", `${publisher.path}/leave`);

  expect((await logOf(publisher)).total).toBe(total);
});

it("names the ad and the advertiser of what happened to an ad or a subscription", async () => {
  const publisher = await aPublisher(service);
  const running = await anApprovedAd(service, publisher);
  const sold = await aTier(publisher);
  const bought = await aPaidCheckout(service, publisher, sold.prices[0]?.id ?? "");
  await bought.caller.request("GET", bought.path);
  await webhooksApplied(service);

  const { items } = await logOf(publisher);

  const ad = { id: running.id, name: "Example Coffee" };
  const { id, name } = running.subscription.advertiser;
  const subjectsOf = (action: string) =>
    items.filter((entry) => entry.action === action).map(({ subject }) => subject);
  expect(subjectsOf("ad.approve")).toEqual([{ ad, advertiser: { id, name } }]);
  expect(subjectsOf("subscription.create")).toEqual([
    { ad: null, advertiser: { id: expect.stringMatching(/^adv_/), name: "Example Coffee" } },
    { ad, advertiser: { id, name } },
  ]);
  expect(subjectsOf("tier.create")).toEqual([null, null]);
});

it("filters by person, kind of actor, action, resource and time", async () => {
  const publisher = await aPublisher(service);
  const { id: tierId } = await aTier(publisher);
  const running = await anApprovedAd(service, publisher);
  await webhooksApplied(service);
  const { items: all } = await logOf(publisher);
  const found = async (query: string) => (await logOf(publisher, `perPage=100&${query}`)).items;
  const personId = all.find(({ actor }) => actor.kind === "person")?.actor.id ?? "";
  const third = all[2]?.occurredAt ?? "";

  expect(all.map(({ actor }) => actor.kind)).toContain("processor");
  expect(await found("actorKind=notProcessor")).toEqual(
    all.filter(({ actor }) => actor.kind !== "processor"),
  );
  expect(await found("actorKind=key")).toEqual(all.filter(({ actor }) => actor.kind === "key"));
  expect(await found(`actorId=${personId}`)).toEqual(all.filter(({ actor }) => actor.id === personId));
  expect((await found("action=tier.create")).map(({ action }) => action)).toEqual([
    "tier.create",
    "tier.create",
  ]);
  expect((await found("resourceKind=tier&action=tier.create")).length).toBe(2);
  expect((await found(`resourceId=${tierId}`)).map(({ resource }) => resource.id)).toEqual([tierId]);
  expect((await found(`resourceId=${running.id}`)).every(({ resource }) => resource.kind === "ad")).toBe(
    true,
  );
  expect(await found(`from=${third}`)).toEqual(all.filter(({ occurredAt }) => occurredAt >= third));
  expect(await found(`until=${third}`)).toEqual(all.filter(({ occurredAt }) => occurredAt < third));
  expect(await found("action=no.such")).toEqual([]);
  for (const wrong of ["actorKind=cat", "from=yesterday", "until=2026-11-01"]) {
    await publisher.caller.refused(422, "GET", `${publisher.path}/audit-log?${wrong}`);
  }
});
