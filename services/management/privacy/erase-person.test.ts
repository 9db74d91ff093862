import { expect, it } from "vitest";
import { newApiKey, workspace } from "#libs/contract/workspaces.ts";
import { ApiCaller } from "../tests/callers.ts";
import { anInvitation } from "../tests/joining.ts";
import { startManagement } from "../tests/management.ts";
import { aPerson, aPublisher, aTier, type Publisher } from "../tests/story.ts";
import { tablesWith } from "../tests/traces.ts";
import { stateOf } from "../tests/two-tenants.ts";

const PASSWORD = "correct horse battery";
const service = await startManagement({ unlimited: true });
/** A second process of the installation, the one that keeps to its limits. */
const limited = await startManagement({ beside: service });
const { pool } = service.database;
const publisher = await aPublisher(service);
const neighbour = await aPublisher(service, "Another Weekly");

/** Somebody who works in the publisher's workspace, with a key, and has done this and that there. */
async function aColleague(name: string, at: Publisher = publisher) {
  const person = await aPerson(service, name);
  const { token } = await anInvitation(service, at, person.email, "Owner");
  await person.caller.ok(workspace, "POST", "/v1/invitations/accept", { token });
  const key = await person.caller.ok(newApiKey, "POST", `${at.path}/api-keys`, { name: `Key of ${name}` });
  const keyed = new ApiCaller(service.origin, { authorization: `Bearer ${key.key}` });
  await aTier({ ...at, caller: keyed });
  const acting = { ...at, person };
  const invited = await anInvitation(service, acting, `${crypto.randomUUID()}@example.net`, "Viewer");
  return { ...person, keyed, invited };
}

const remove = (caller: ApiCaller, body: unknown = { password: PASSWORD }) =>
  caller.request("DELETE", "/v1/account", body);

it("leaves neither the name nor the address of a deleted person in any table", async () => {
  const person = await aColleague("Zebulon Quagga");
  const before = await tablesWith(service, "Zebulon Quagga");
  await person.caller.request(
    "POST",
    `${publisher.path}/invitations`,
    { email: "x@example.com", role: "Viewer" },
    {
      "idempotency-key": "kept-for-a-day",
    },
  );

  const { status } = await remove(person.caller);

  expect(status).toBe(200);
  expect(before).toEqual(expect.arrayContaining(["public.people", "public.audit_log"]));
  // An invitation that is being sent names who invites until it is sent.
  await expect.poll(() => tablesWith(service, "Zebulon Quagga")).toEqual([]);
  expect(await tablesWith(service, person.email)).toEqual([]);
});

it("leaves neither the name nor the address that a deleted person had before in the audit log", async () => {
  const person = await aColleague("Zacharias Former");
  const left = await aColleague("Zacharias Former", neighbour);
  await pool.query(
    "update people set name = 'Later', email = 'later-' || email where name = 'Zacharias Former'",
  );
  await left.caller.request("POST", `${neighbour.path}/leave`);
  const before = await tablesWith(service, "Zacharias Former");

  const statuses = [await remove(person.caller), await remove(left.caller)].map(({ status }) => status);

  expect(statuses).toEqual([200, 200]);
  expect(before).toContain("public.audit_log");
  await expect.poll(() => tablesWith(service, "Zacharias Former")).toEqual([]);
  expect(await tablesWith(service, person.email)).toEqual([]);
  expect(await tablesWith(service, left.email)).toEqual([]);
});

it("ends a deleted person's sessions, keys, sign-in and the invitations they made", async () => {
  const person = await aColleague("Ada Former");

  await remove(person.caller);

  expect((await person.caller.request("GET", publisher.path)).status).toBe(401);
  expect((await person.keyed.request("GET", publisher.path)).status).toBe(401);
  const signIn = await new ApiCaller(service.origin).request("POST", "/api/auth/sign-in/email", {
    email: person.email,
    password: PASSWORD,
  });
  expect(signIn.status).toBe(401);
  const invited = await pool.query("select from invitations where id = $1", [person.invited.id]);
  expect(invited.rowCount).toBe(0);
});

it("keeps a deleted person's actions in the audit log, without their name", async () => {
  const person = await aColleague("Ada Former");
  const count = async () =>
    (await pool.query("select from audit_log where workspace_id = $1", [publisher.workspace.id])).rowCount;
  const before = await count();

  await remove(person.caller);

  const { rows } = await pool.query(
    "select distinct action from audit_log where workspace_id = $1 and actor_name = 'Deleted person' order by 1",
    [publisher.workspace.id],
  );
  expect(rows.map(({ action }) => action)).toEqual(
    expect.arrayContaining(["api-key.create", "invitation.create", "member.join", "tier.create"]),
  );
  expect(await count()).toBe(before);
});

it("forgets no answer to others about an address that ends alike", async () => {
  const about = (email: string) => ({ email: `quail-${email}`, role: "Viewer" });
  const person = await aPerson(service, "Quail");
  const key = { "idempotency-key": "about-another" };
  const ask = () =>
    neighbour.person.caller.request("POST", `${neighbour.path}/invitations`, about(person.email), key);
  await ask();

  await remove(person.caller);

  const { headers } = await ask();
  expect(headers.get("idempotent-replayed")).toBe("true");
});

it("changes nothing of another workspace", async () => {
  const person = await aColleague("Ada Former");
  const before = await stateOf(service, neighbour.workspace.id);

  await remove(person.caller);

  expect(await stateOf(service, neighbour.workspace.id)).toBe(before);
});

it("refuses the only Owner of workspaces, and names them", async () => {
  const owner = await aPublisher(service, "Lonely Weekly");
  await owner.person.caller.ok(workspace, "POST", "/v1/workspaces", { name: "Lonely Daily" });

  const { data } = await owner.person.caller.refused(409, "DELETE", "/v1/account", { password: PASSWORD });

  expect(data?.formErrors).toEqual([
    "You are the only Owner of “Lonely Weekly”, “Lonely Daily”. Delete each of these workspaces or make another member its Owner first.",
  ]);
  expect((await owner.person.caller.request("GET", owner.path)).status).toBe(200);
});

it("deletes both of two last Owners who ask at once only where one of them remains", async () => {
  const owner = await aPublisher(service, "Racing Weekly");
  const other = await aColleague("Grace Racing", owner);

  const answers = await Promise.all([remove(owner.person.caller), remove(other.caller)]);

  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
});

it.each([[{}], [{ password: "not theirs" }], [{ password: "" }]])(
  "requires the password: %j",
  async (body) => {
    const person = await aPerson(service);

    const { data } = await person.caller.refused(422, "DELETE", "/v1/account", body);

    expect(Object.keys(data?.fieldErrors ?? {})).toEqual(["password"]);
  },
);

it("requires a recent sign-in, within ten minutes, of a person without a password", async () => {
  const person = await aPerson(service);
  const ofPerson = "person_id = (select id from people where email = $1)";
  await pool.query(`update credentials set password = null where ${ofPerson}`, [person.email]);
  await pool.query(`update sessions set created_at = now() - interval '11 minutes' where ${ofPerson}`, [
    person.email,
  ]);

  const stale = await remove(person.caller, {});
  await pool.query(`update sessions set created_at = now() - interval '9 minutes' where ${ofPerson}`, [
    person.email,
  ]);
  const fresh = await remove(person.caller, {});

  expect([stale.status, fresh.status]).toEqual([403, 200]);
});

it("allows ten attempts at the password per hour", async () => {
  const person = await aPerson(limited);
  const statuses: number[] = [];

  for (let n = 0; n < 11; n += 1)
    statuses.push((await remove(person.caller, { password: `try ${n}` })).status);

  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 422), 429]);
});
