import { expect, it } from "vitest";
import { invitation } from "#libs/contract/members.ts";
import { pageOf } from "#libs/contract/query.ts";
import { workspace } from "#libs/contract/workspaces.ts";
import { newId } from "#libs/domain/ids.ts";
import { actionsOn } from "../../tests/audit-trail.ts";
import { ApiCaller } from "../../tests/callers.ts";
import { aMember, anInvitation, mailTo, tokenIn } from "../../tests/joining.ts";
import { startManagement } from "../../tests/management.ts";
import { aPerson, aPublisher } from "../../tests/story.ts";

type Joined = Awaited<ReturnType<typeof aMember>>;

const DAY_MS = 24 * 60 * 60_000;
let later = 0;
const service = await startManagement({ unlimited: true, now: () => Date.now() + later });
const publisher = await aPublisher(service);
const { person: owner, path } = publisher;

function accept(caller: ApiCaller, token: string) {
  return caller.request("POST", "/v1/invitations/accept", { token });
}

async function openInvitations() {
  return (await owner.caller.ok(pageOf(invitation), "GET", `${path}/invitations?perPage=100`)).items;
}

it("invites by email, and a person signed in with that address joins with its token", async () => {
  const guest = await aPerson(service, "Grace Example");
  const { token, ...made } = await anInvitation(service, publisher, guest.email.toUpperCase(), "Manager");

  const open = await openInvitations();
  const joined = await guest.caller.ok(workspace, "POST", "/v1/invitations/accept", { token });

  expect(made).toMatchObject({ email: guest.email, role: "Manager", invitedBy: { name: owner.name } });
  expect(Date.parse(made.expiresAt) - Date.parse(made.createdAt)).toBe(7 * DAY_MS);
  expect(open).toContainEqual(made);
  expect(joined.id).toBe(publisher.workspace.id);
  expect(await guest.caller.ok(workspace, "GET", path)).toEqual(joined);
  expect((await openInvitations()).map(({ id }) => id)).not.toContain(made.id);
});

it("has the token in the mail alone: 256 bits, a hash in the database, nothing in an answer or the audit log", async () => {
  const { token, ...made } = await anInvitation(service, publisher, "token@example.com", "Viewer");

  expect(Buffer.from(token, "base64url")).toHaveLength(32);
  expect(JSON.stringify(made)).not.toContain(token);
  const { rows } = await service.database.pool.query(
    "select row_to_json(i)::text as text from invitations i union all select row_to_json(a)::text from audit_log a",
  );
  expect(rows.length).toBeGreaterThan(1);
  for (const { text } of rows) {
    expect(text).not.toContain(token);
    expect(text).not.toContain(Buffer.from(token).toString("hex"));
  }
  await expect
    .poll(async () => (await service.database.pool.query("select 1 from graphile_worker.jobs")).rowCount)
    .toBe(0);
});

it("lets nobody with another address in", async () => {
  const guest = await aPerson(service);
  const other = await aPerson(service);
  const { token } = await anInvitation(service, publisher, guest.email, "Owner");

  const stolen = await accept(other.caller, token);
  const withoutSession = await accept(new ApiCaller(service.origin), token);
  const withKey = await accept(publisher.caller, token);
  const own = await accept(guest.caller, token);

  expect([stolen, withoutSession, withKey, own].map(({ status }) => status)).toEqual([403, 401, 403, 200]);
  await other.caller.refused(403, "GET", path);
});

it("makes one member of many acceptances at once", async () => {
  const guest = await aPerson(service);
  const { token } = await anInvitation(service, publisher, guest.email, "Viewer");

  const answers = await Promise.all(Array.from({ length: 5 }, () => accept(guest.caller, token)));

  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404, 404]);
});

it("ends after 7 days", async () => {
  const guest = await aPerson(service);
  const { token } = await anInvitation(service, publisher, guest.email, "Viewer");

  later = 7 * DAY_MS;
  const tooLate = await accept(guest.caller, token);
  const listed = await openInvitations();
  later = 0;

  expect(tooLate.status).toBe(404);
  expect(listed.map(({ email }) => email)).not.toContain(guest.email);
});

it("replaces an invitation when the address is invited again: one is open, and the earlier link ends", async () => {
  const guest = await aPerson(service);
  const first = await anInvitation(service, publisher, guest.email, "Owner");
  const second = await owner.caller.ok(invitation, "POST", `${path}/invitations`, {
    email: guest.email,
    role: "Viewer",
  });
  await expect
    .poll(async () => tokenIn(await mailTo(service, guest.email, "invited you")))
    .not.toBe(first.token);
  const token = tokenIn(await mailTo(service, guest.email, "invited you"));

  const open = (await openInvitations()).filter(({ email }) => email === guest.email);
  const early = await accept(guest.caller, first.token);
  const late = await accept(guest.caller, token);

  expect(open).toEqual([second]);
  expect(second.id).not.toBe(first.id);
  expect([early.status, late.status]).toEqual([404, 200]);
});

it("revokes an invitation", async () => {
  const guest = await aPerson(service);
  const { id, token } = await anInvitation(service, publisher, guest.email, "Viewer");

  const revoked = await owner.caller.request("DELETE", `${path}/invitations/${id}`);

  expect([revoked.status, revoked.text]).toEqual([200, '{"success":true}']);
  expect((await accept(guest.caller, token)).status).toBe(404);
  await owner.caller.refused(404, "DELETE", `${path}/invitations/${id}`);
});

it("answers 409 for somebody who is a member, at inviting and at accepting", async () => {
  const guest = await aPerson(service);
  const { token } = await anInvitation(service, publisher, guest.email, "Viewer");
  await service.database.pool.query(
    "insert into members (id, workspace_id, person_id, role) select $1, $2, id, 'Viewer' from people where email = $3",
    [newId("member"), publisher.workspace.id, guest.email],
  );

  const inviting = await owner.caller.refused(409, "POST", `${path}/invitations`, {
    email: guest.email,
    role: "Owner",
  });
  const accepting = await guest.caller.refused(409, "POST", "/v1/invitations/accept", { token });

  expect(inviting.data?.fieldErrors).toEqual({ email: ["This person is a member already."] });
  expect(accepting.data?.formErrors).toEqual(["You are a member of this workspace already."]);
});

it.each([
  ["is removed", async (inviter: Joined) => owner.caller.request("DELETE", inviter.path)],
  ["leaves", async (inviter: Joined) => inviter.caller.request("POST", `${path}/leave`)],
  [
    "is no Owner any more",
    async (inviter: Joined) => owner.caller.request("PATCH", inviter.path, { role: "Manager" }),
  ],
])("ends the invitations of an Owner who %s, and says so in the audit log", async (_how, end) => {
  const guest = await aPerson(service);
  const inviter = await aMember(service, publisher, "Owner");
  const { id, token } = await anInvitation(service, { ...publisher, person: inviter }, guest.email, "Owner");

  const ended = await end(inviter);
  const open = await openInvitations();
  const accepted = await accept(guest.caller, token);

  expect(ended.status).toBe(200);
  expect(open.map(({ email }) => email)).not.toContain(guest.email);
  expect(accepted.status).toBe(404);
  expect(await actionsOn(service, id)).toEqual(["invitation.create", "invitation.revoke"]);
});

it("takes no invitation of somebody who may not invite at that moment, however it came to be there", async () => {
  const guest = await aPerson(service);
  const inviter = await aMember(service, publisher, "Owner");
  const { token } = await anInvitation(service, { ...publisher, person: inviter }, guest.email, "Owner");
  const set = (sql: string, value: string) => service.database.pool.query(sql, [value]);

  await set("update members set role = 'Manager' where id = $1", inviter.memberId);
  const asManager = await accept(guest.caller, token);
  await set("update members set role = 'Owner' where id = $1", inviter.memberId);
  await set("update people set suspended_at = now() where email = $1", inviter.email);
  const suspended = await accept(guest.caller, token);
  await set("update people set suspended_at = null where email = $1", inviter.email);
  const asOwner = await accept(guest.caller, token);

  expect([asManager, suspended, asOwner].map(({ status }) => status)).toEqual([404, 404, 200]);
});

it("answers bad input with 422 at the field, and sends nothing", async () => {
  const before = (await service.readMails()).length;

  for (const email of [
    undefined,
    null,
    5,
    "",
    "nobody",
    "a@b",
    "a\u0000@example.com",
    "a@example.com\r\nBcc: b@example.com",
  ]) {
    expect(
      await owner.caller.invalid("POST", `${path}/invitations`, {
        email,
        role: "Viewer",
      }),
    ).toEqual(["email"]);
  }
  for (const role of [undefined, null, "", "Admin", 1]) {
    expect(
      await owner.caller.invalid("POST", `${path}/invitations`, {
        email: "friend@example.com",
        role,
      }),
    ).toEqual(["role"]);
  }
  for (const token of [undefined, null, 5, "a\u0000b", "\ud800", "x".repeat(201)]) {
    expect(await owner.caller.invalid("POST", "/v1/invitations/accept", { token })).toEqual(["token"]);
  }
  await owner.caller.refused(404, "POST", "/v1/invitations/accept", { token: "" });
  expect((await service.readMails()).length).toBe(before);
});
