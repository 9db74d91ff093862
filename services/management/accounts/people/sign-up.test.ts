import { expect, it } from "vitest";
import { ApiCaller } from "../../tests/callers.ts";
import { anInvitation } from "../../tests/joining.ts";
import { startManagement } from "../../tests/management.ts";
import { aPublisher } from "../../tests/story.ts";
import { authOptions } from "./auth-options.ts";

const invited = await startManagement({ unlimited: true, signUp: "invited" });
const withMail = await startManagement({
  unlimited: true,
  signUp: "invited",
  verifyEmail: true,
  beside: invited,
});
const closed = await startManagement({ unlimited: true, signUp: "closed" });
const PASSWORD = "correct horse battery";

function signUp({ origin }: { readonly origin: string }, email: string) {
  const body = { name: "Grace Example", email, password: PASSWORD };
  return new ApiCaller(origin).request("POST", "/api/auth/sign-up/email", body);
}

async function whoMaySignUp({ origin }: { readonly origin: string }): Promise<unknown> {
  const { text } = await new ApiCaller(origin).request("GET", "/api/auth/sign-up");
  return JSON.parse(text);
}

const codeOf = ({ status, text }: { readonly status: number; readonly text: string }) => [
  status,
  JSON.parse(text).code,
];

it("lets the first person sign up, then only who was invited, with that address", async () => {
  const atFirst = await whoMaySignUp(invited);
  const publisher = await aPublisher(invited);
  const afterwards = await whoMaySignUp(invited);

  const uninvited = await signUp(invited, "stranger@example.com");
  await anInvitation(invited, publisher, "guest@example.com", "Viewer");
  const other = await signUp(invited, "other@example.com");
  const guest = await signUp(invited, "Guest@example.com");

  expect([atFirst, afterwards]).toEqual([{ signUp: "open" }, { signUp: "invited" }]);
  expect([uninvited, other].map(codeOf)).toEqual(Array(2).fill([403, "SIGN_UP_BY_INVITATION"]));
  expect(JSON.parse(uninvited.text).message).toContain("Only people who were invited can create an account");
  expect(guest.status).toBe(200);
  expect((await invited.database.pool.query("select 1 from people")).rowCount).toBe(2);
});

it("takes an invitation that has ended for none", async () => {
  const publisher = await aPublisherBySql();
  const { id } = await anInvitation(invited, publisher, "late@example.com", "Viewer");
  await anInvitation(invited, publisher, "revoked@example.com", "Viewer");
  const { pool } = invited.database;

  await pool.query("update invitations set expires_at = now() where id = $1", [id]);
  const late = await signUp(invited, "late@example.com");
  await pool.query("update members set role = 'Manager' where person_id = $1", [publisher.personId]);
  const byNoOwner = await signUp(invited, "revoked@example.com");

  expect([late, byNoOwner].map(codeOf)).toEqual(Array(2).fill([403, "SIGN_UP_BY_INVITATION"]));
});

it("refuses who was not invited alike, whether the address has an account or not, with mail and without", async () => {
  const known = (await invited.database.pool.query("select email from people limit 1")).rows[0].email;

  for (const service of [invited, withMail]) {
    const answers = [await signUp(service, known), await signUp(service, "unknown@example.com")];
    const [toKnown, toUnknown] = answers.map(({ text }) => ({ ...JSON.parse(text), data: null }));
    expect(answers[0]?.status).toBe(403);
    expect(toKnown).toEqual(toUnknown);
  }
});

it("lets nobody but the first person sign up where that is closed, invited or not", async () => {
  const publisher = await aPublisher(closed);
  await anInvitation(closed, publisher, "guest@example.com", "Viewer");

  const guest = await signUp(closed, "guest@example.com");

  expect(codeOf(guest)).toEqual([403, "SIGN_UP_CLOSED"]);
  expect(await whoMaySignUp(closed)).toEqual({ signUp: "closed" });
});

it("does not take the demo's publisher for the first person", async () => {
  const { db, pool } = closed.database;
  await pool.query("delete from people");
  await db
    .insertInto("people")
    .values({ id: "usr_demo", name: "Demo publisher", email: "demo@publisher.invalid" })
    .execute();

  const first = await signUp(closed, "operator@example.com");
  const second = await signUp(closed, "second@example.com");

  expect([first.status, second.status]).toEqual([200, 403]);
});

it("holds for every way to make an account, social sign-in too", async () => {
  const { user } = authOptions({ ...aSetup(), signUp: "closed" }, []).databaseHooks;

  const now = new Date();
  const stranger = { id: "usr_1", name: "Sol", createdAt: now, updatedAt: now, emailVerified: true };

  await expect(user.create.before({ ...stranger, email: "social@example.com" })).rejects.toMatchObject({
    status: "FORBIDDEN",
    body: { code: "SIGN_UP_CLOSED" },
  });
});

function aSetup() {
  return {
    db: closed.database.db,
    secret: "a-secret-of-more-than-thirty-two-characters",
    publicUrl: new URL(closed.origin),
    limits: closed.services.limits,
    verifyEmail: false,
    logger: closed.services.logger,
  };
}

/** The publisher of the first test, who alone could sign up without being invited. */
async function aPublisherBySql() {
  const { rows } = await invited.database.pool.query(
    "select w.id, m.person_id, p.email from workspaces w join members m on m.workspace_id = w.id join people p on p.id = m.person_id where m.role = 'Owner'",
  );
  const [{ id, person_id: personId, email }] = rows;
  const { headers } = await new ApiCaller(invited.origin).request("POST", "/api/auth/sign-in/email", {
    email,
    password: PASSWORD,
  });
  const cookie = headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
  const caller = new ApiCaller(invited.origin, { cookie });
  return { person: { caller }, path: `/v1/workspaces/${id}`, personId };
}
