import { expect, it } from "vitest";
import { auditEntry } from "#libs/contract/audit.ts";
import { member } from "#libs/contract/members.ts";
import { pageOf } from "#libs/contract/query.ts";
import { newApiKey, workspace } from "#libs/contract/workspaces.ts";
import { ApiCaller } from "../../tests/callers.ts";
import { aMember } from "../../tests/joining.ts";
import { startManagement } from "../../tests/management.ts";
import { aPublisher, type Publisher } from "../../tests/story.ts";

const service = await startManagement({ unlimited: true });

async function membersOf({ person, path }: Publisher) {
  return await person.caller.ok(pageOf(member), "GET", `${path}/members?perPage=100`);
}

async function ownMembership(publisher: Publisher): Promise<string> {
  const { items } = await membersOf(publisher);
  const own = items.find(({ person }) => person.email === publisher.person.email);
  return `${publisher.path}/members/${own?.id}`;
}

it("lists members in the order in which they joined, to every member and to no key", async () => {
  const publisher = await aPublisher(service);
  const viewer = await aMember(service, publisher, "Viewer");

  const seen = await viewer.caller.ok(pageOf(member), "GET", `${publisher.path}/members`);

  expect(seen.items.map(({ role, person }) => [role, person.email])).toEqual([
    ["Owner", publisher.person.email],
    ["Viewer", viewer.email],
  ]);
  expect(seen.total).toBe(2);
  await publisher.caller.refused(403, "GET", `${publisher.path}/members`);
});

it("changes a member's role from the next request on, for the member's keys as well", async () => {
  const publisher = await aPublisher(service);
  const manager = await aMember(service, publisher, "Manager");
  const made = await manager.caller.ok(newApiKey, "POST", `${publisher.path}/api-keys`, { name: "Mine" });
  const key = new ApiCaller(service.origin, { authorization: `Bearer ${made.key}` });
  const tier = {
    name: "Gold",
    weight: 1,
    initialPrices: [{ amount: 100, intervalCount: 1, currency: "usd" }],
  };

  const changed = await publisher.person.caller.ok(member, "PATCH", manager.path, { role: "Viewer" });

  expect(changed).toMatchObject({ id: manager.memberId, role: "Viewer" });
  await manager.caller.refused(403, "POST", `${publisher.path}/tiers`, tier);
  await key.refused(403, "POST", `${publisher.path}/tiers`, tier);
  await key.ok(workspace, "GET", publisher.path);
});

it("ends a removed member's session rights and keys with the next request", async () => {
  const publisher = await aPublisher(service);
  const manager = await aMember(service, publisher, "Manager");
  const made = await manager.caller.ok(newApiKey, "POST", `${publisher.path}/api-keys`, { name: "Mine" });
  const key = new ApiCaller(service.origin, { authorization: `Bearer ${made.key}` });

  const answer = await publisher.person.caller.request("DELETE", manager.path);

  expect([answer.status, answer.text]).toEqual([200, '{"success":true}']);
  await key.refused(401, "GET", publisher.path);
  await manager.caller.refused(403, "GET", publisher.path);
  await publisher.person.caller.refused(404, "DELETE", manager.path);
});

it("lets a member leave, and the last Owner neither leave, be removed nor be demoted", async () => {
  const publisher = await aPublisher(service);
  const viewer = await aMember(service, publisher, "Viewer");
  const own = await ownMembership(publisher);
  const sentence = "A workspace needs an Owner. Make another member one first.";

  const left = await viewer.caller.request("POST", `${publisher.path}/leave`);
  const leaving = await publisher.person.caller.refused(409, "POST", `${publisher.path}/leave`);
  const removing = await publisher.person.caller.refused(409, "DELETE", own);
  const demoting = await publisher.person.caller.refused(409, "PATCH", own, { role: "Viewer" });

  expect(left.status).toBe(200);
  await viewer.caller.refused(403, "GET", publisher.path);
  expect(leaving.data?.formErrors).toEqual([sentence]);
  expect(removing.data?.formErrors).toEqual([sentence]);
  expect(demoting.data?.fieldErrors).toEqual({ role: [sentence] });
  expect((await membersOf(publisher)).items).toHaveLength(1);
});

it("keeps one Owner however many leave, demote and remove each other at once", async () => {
  for (let round = 0; round < 3; round += 1) {
    const publisher = await aPublisher(service);
    const second = await aMember(service, publisher, "Owner");
    const third = await aMember(service, publisher, "Owner");
    const own = await ownMembership(publisher);

    const answers = await Promise.all([
      publisher.person.caller.request("POST", `${publisher.path}/leave`),
      second.caller.request("PATCH", third.path, { role: "Manager" }),
      third.caller.request("DELETE", second.path),
      second.caller.request("PATCH", own, { role: "Viewer" }),
      third.caller.request("POST", `${publisher.path}/leave`),
      second.caller.request("POST", `${publisher.path}/leave`),
    ]);

    const { rows } = await service.database.pool.query(
      "select count(*)::int as owners from members where workspace_id = $1 and role = 'Owner'",
      [publisher.workspace.id],
    );
    expect(rows[0].owners).toBeGreaterThanOrEqual(1);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  }
});

it("lets members choose their own reports by email, and Managers everybody's", async () => {
  const publisher = await aPublisher(service);
  const viewer = await aMember(service, publisher, "Viewer");
  const manager = await aMember(service, publisher, "Manager");
  const reportEmails = ["month", "week"];

  const own = await viewer.caller.ok(member, "PATCH", `${publisher.path}/my-report-emails`, { reportEmails });
  const others = await manager.caller.ok(member, "PATCH", `${viewer.path}/report-emails`, {
    reportEmails: ["month"],
  });

  expect(own).toMatchObject({ id: viewer.memberId, reportEmails: ["week", "month"] });
  expect(others).toMatchObject({ id: viewer.memberId, reportEmails: ["month"] });
  await viewer.caller.refused(403, "PATCH", `${manager.path}/report-emails`, { reportEmails: [] });
  expect((await membersOf(publisher)).items.map((one) => one.reportEmails)).toEqual([[], ["month"], []]);
});

it("answers 422 for roles that are none", async () => {
  const publisher = await aPublisher(service);

  for (const role of [undefined, null, "", "owner", "Admin", 1, ["Owner"]]) {
    expect(
      await publisher.person.caller.invalid("PATCH", await ownMembership(publisher), {
        role,
      }),
    ).toEqual(["role"]);
  }
});

it("records who joined, changed, left and was removed", async () => {
  const publisher = await aPublisher(service);
  const one = await aMember(service, publisher, "Viewer");
  const two = await aMember(service, publisher, "Viewer");
  await publisher.person.caller.ok(member, "PATCH", one.path, { role: "Manager" });
  await publisher.person.caller.ok(member, "PATCH", one.path, { role: "Manager" });
  await one.caller.request("POST", `${publisher.path}/leave`);
  await publisher.person.caller.request("DELETE", two.path);

  const log = await publisher.caller.ok(pageOf(auditEntry), "GET", `${publisher.path}/audit-log`);

  expect(
    log.items
      .filter(({ resource }) => resource.kind === "member")
      .map(({ action, resource, before, after }) => [action, resource.id, before, after]),
  ).toEqual([
    ["member.remove", two.memberId, { name: "A Viewer", email: two.email, role: "Viewer" }, null],
    ["member.leave", one.memberId, { name: "A Viewer", email: one.email, role: "Manager" }, null],
    ["member.update", one.memberId, { role: "Viewer" }, { role: "Manager" }],
    ["member.join", two.memberId, null, { name: "A Viewer", email: two.email, role: "Viewer" }],
    ["member.join", one.memberId, null, { name: "A Viewer", email: one.email, role: "Viewer" }],
  ]);
});
