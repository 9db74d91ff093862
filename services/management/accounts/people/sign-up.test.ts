import { describe, expect, it } from "vitest";
import { workspace } from "#libs/contract/workspaces.ts";
import { ApiCaller } from "../../tests/callers.ts";
import { anInvitation } from "../../tests/joining.ts";
import { type ManagementUnderTest, startManagement } from "../../tests/management.ts";
import { cookiesOf } from "../../tests/signing-in.ts";
import { authOptions } from "./auth-options.ts";
import { SCRYPT } from "./passwords.ts";

const invited = await startManagement({ unlimited: true, signUp: "invited" });
const withMail = await startManagement({ unlimited: true, signUp: "invited", verifyEmail: true });
const closed = await startManagement({ unlimited: true, signUp: "closed" });
const PASSWORD = "correct horse battery";

type Service = Pick<ManagementUnderTest, "origin" | "services" | "database">;

function signUp({ origin }: Pick<Service, "origin">, email: string, token?: string) {
  const body = { name: "Grace Example", email, password: PASSWORD, token };
  return new ApiCaller(origin).request("POST", "/api/auth/sign-up/email", body);
}

async function whoMaySignUp({ origin }: Pick<Service, "origin">): Promise<unknown> {
  const { text } = await new ApiCaller(origin).request("GET", "/api/auth/sign-up");
  return JSON.parse(text).signUp;
}

/** The token of the link that a start of the service would print. */
async function setUpToken({ services }: Pick<Service, "services">): Promise<string> {
  const link = await services.people.createSetUpLink();
  if (link === null) throw new Error("somebody has an account");
  return new URL(link).hash.replace("#token=", "");
}

/** Nobody has an account. */
async function empty({ database }: Service): Promise<void> {
  await database.pool.query("delete from workspaces");
  await database.pool.query("delete from people");
  await database.pool.query("delete from verifications");
}

/** The first person, with a workspace to invite to. */
async function aFirstPublisher(service: Service) {
  await empty(service);
  const { headers } = await signUp(service, "owner@example.com", await setUpToken(service));
  const caller = new ApiCaller(service.origin, { cookie: cookiesOf(headers) });
  const made = await caller.ok(workspace, "POST", "/v1/workspaces", { name: "Example Weekly" });
  return { person: { caller }, path: `/v1/workspaces/${made.id}` };
}

const codeOf = ({ status, text }: { readonly status: number; readonly text: string }) => [
  status,
  JSON.parse(text).code,
];

describe("the first account", () => {
  it.each([
    ["invited", invited],
    ["closed", closed],
  ])("is made with a set-up link alone, once, where sign-up is %s", async (signUpSetting, service) => {
    await empty(service);
    const token = await setUpToken(service);

    const atFirst = await whoMaySignUp(service);
    const stranger = await signUp(service, "stranger@example.com");
    const guess = await signUp(service, "stranger@example.com", "a".repeat(token.length));
    const owner = await signUp(service, "owner@example.com", token);
    const again = await signUp(service, "second@example.com", token);

    expect([atFirst, await whoMaySignUp(service)]).toEqual(["set-up", signUpSetting]);
    expect([stranger, guess].map(codeOf)).toEqual(Array(2).fill([403, "SIGN_UP_BY_SET_UP_LINK"]));
    expect([owner.status, again.status]).toEqual([200, 403]);
    expect(await service.services.people.createSetUpLink()).toBeNull();
    expect(owner.text).not.toContain("admitted");
  });

  it("is one, however many use however many links at the same time", async () => {
    await empty(invited);
    const tokens = [await setUpToken(invited), await setUpToken(invited)];

    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => signUp(invited, `owner-${n}@example.com`, tokens[n % 2])),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403, 403, 403]);
    expect((await invited.database.pool.query("select 1 from people")).rowCount).toBe(1);
  });

  it("takes no link that is a day old, and the database has no token", async () => {
    await empty(invited);
    const token = await setUpToken(invited);
    const { pool } = invited.database;
    const { rows } = await pool.query("select * from verifications");
    await pool.query("update verifications set expires_at = now()");

    expect(codeOf(await signUp(invited, "owner@example.com", token))).toEqual([
      403,
      "SIGN_UP_BY_SET_UP_LINK",
    ]);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it("locks nobody out whose address was never verified, where it has to be", async () => {
    await empty(withMail);
    const token = await setUpToken(withMail);
    const { pool } = withMail.database;

    const mistyped = await signUp(withMail, "onwer@example.com", token);
    const owner = await signUp(withMail, "owner@example.com", token);
    await pool.query("update people set email_verified = true where email = 'owner@example.com'");
    const late = await signUp(withMail, "late@example.com", token);

    expect([mistyped.status, owner.status, late.status]).toEqual([200, 200, 403]);
    expect((await pool.query("select 1 from people where admitted_by is not null")).rowCount).toBe(1);
  });

  it("is not the demo's publisher, whose address nobody else may have", async () => {
    await empty(closed);
    await closed.database.db
      .insertInto("people")
      .values({ id: "usr_demo", name: "Demo publisher", email: "demo@publisher.invalid" })
      .execute();
    const token = await setUpToken(closed);

    const asDemo = await signUp(closed, "Demo@publisher.Invalid", token);
    const owner = await signUp(closed, "owner@example.com", token);

    expect(asDemo.status).toBe(422);
    expect(JSON.parse(asDemo.text).data.fieldErrors.email).toEqual(["No mail can reach this address."]);
    expect(owner.status).toBe(200);
  });
});

describe("an invitation", () => {
  it("makes one account, by its token and with its address", async () => {
    const publisher = await aFirstPublisher(invited);
    const { token } = await anInvitation(invited, publisher, "guest@example.com", "Viewer");

    const uninvited = await signUp(invited, "stranger@example.com");
    const withoutToken = await signUp(invited, "guest@example.com");
    const otherAddress = await signUp(invited, "other@example.com", token);
    const guest = await signUp(invited, "Guest@example.com", token);

    expect([uninvited, withoutToken, otherAddress].map(codeOf)).toEqual(
      Array(3).fill([403, "SIGN_UP_BY_INVITATION"]),
    );
    expect(guest.status).toBe(200);
    expect((await invited.database.pool.query("select 1 from people")).rowCount).toBe(2);
  });

  it("makes no second account, whatever address the first has now", async () => {
    const publisher = await aFirstPublisher(invited);
    const { token } = await anInvitation(invited, publisher, "mover@example.com", "Viewer");
    const first = await signUp(invited, "mover@example.com", token);
    const guest = new ApiCaller(invited.origin, { cookie: cookiesOf(first.headers) });
    const moved = await guest.request("POST", "/api/auth/email-change/request", {
      newEmail: "moved@example.com",
      password: PASSWORD,
    });

    const second = await signUp(invited, "mover@example.com", token);

    expect([first.status, moved.status]).toEqual([200, 200]);
    expect(codeOf(second)).toEqual([403, "SIGN_UP_BY_INVITATION"]);
  });

  it("makes one account of many sign-ups at the same time", async () => {
    const publisher = await aFirstPublisher(invited);
    const { token } = await anInvitation(invited, publisher, "many@example.com", "Viewer");

    const answers = await Promise.all([1, 2, 3].map(() => signUp(invited, "many@example.com", token)));

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await invited.database.pool.query("select 1 from people")).rowCount).toBe(2);
  });

  it("can be accepted with the account that it made", async () => {
    const publisher = await aFirstPublisher(invited);
    const { token } = await anInvitation(invited, publisher, "joiner@example.com", "Viewer");
    const { headers } = await signUp(invited, "joiner@example.com", token);
    const guest = new ApiCaller(invited.origin, { cookie: cookiesOf(headers) });

    expect((await guest.request("POST", "/v1/invitations/accept", { token })).status).toBe(200);
  });

  it("makes none when it has ended", async () => {
    const publisher = await aFirstPublisher(invited);
    const { id, token } = await anInvitation(invited, publisher, "late@example.com", "Viewer");
    const other = await anInvitation(invited, publisher, "revoked@example.com", "Viewer");
    const { pool } = invited.database;

    await pool.query("update invitations set expires_at = now() where id = $1", [id]);
    const late = await signUp(invited, "late@example.com", token);
    await pool.query("update members set role = 'Manager'");
    const byNoOwner = await signUp(invited, "revoked@example.com", other.token);

    expect([late, byNoOwner].map(codeOf)).toEqual(Array(2).fill([403, "SIGN_UP_BY_INVITATION"]));
  });

  it("makes none where sign-up is closed", async () => {
    const publisher = await aFirstPublisher(closed);
    const { token } = await anInvitation(closed, publisher, "guest@example.com", "Viewer");

    expect(codeOf(await signUp(closed, "guest@example.com", token))).toEqual([403, "SIGN_UP_CLOSED"]);
  });
});

it("refuses who was not invited alike, whether the address has an account or not, with mail and without", async () => {
  for (const service of [invited, withMail]) {
    await empty(service);
    await signUp(service, "owner@example.com", await setUpToken(service));
    await service.database.pool.query("update people set email_verified = true");
    const answers = [
      await signUp(service, "owner@example.com"),
      await signUp(service, "unknown@example.com"),
    ];
    const [toKnown, toUnknown] = answers.map(({ text }) => ({ ...JSON.parse(text), data: null }));
    expect(answers[0]?.status).toBe(403);
    expect(toKnown).toEqual(toUnknown);
  }
});

it("holds for every way to make an account, social sign-in too", async () => {
  await empty(closed);
  await signUp(closed, "owner@example.com", await setUpToken(closed));
  const { user } = authOptions({ ...aSetup(), signUp: "closed" }, []).databaseHooks;

  const now = new Date();
  const stranger = { id: "usr_1", name: "Sol", createdAt: now, updatedAt: now, emailVerified: true };

  await expect(user.create.before({ ...stranger, email: "social@example.com" }, null)).rejects.toMatchObject({
    status: "FORBIDDEN",
    body: { code: "SIGN_UP_CLOSED" },
  });
});

function aSetup() {
  return {
    db: closed.database.db,
    secrets: ["a-secret-of-more-than-thirty-two-characters"] as const,
    publicUrl: new URL(closed.origin),
    limits: closed.services.limits,
    verifyEmail: false,
    passwords: SCRYPT,
    logger: closed.services.logger,
  };
}
