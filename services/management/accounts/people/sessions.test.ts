import { expect, it } from "vitest";
import { ApiCaller } from "../../tests/callers.ts";
import { startManagement } from "../../tests/management.ts";
import { cookiesOf, sendPassword } from "../../tests/signing-in.ts";
import { aPerson } from "../../tests/story.ts";

const service = await startManagement();
const DAY_MS = 24 * 60 * 60_000;

async function setExpiry(email: string, inDays: number): Promise<void> {
  await service.database.pool.query(
    "update sessions set expires_at = $2 from people where people.id = person_id and email = $1",
    [email, new Date(Date.now() + inDays * DAY_MS)],
  );
}

/** In days from now; null when the session is gone. */
async function expiryOf(email: string): Promise<number | null> {
  const { rows } = await service.database.pool.query<{ expires_at: Date }>(
    "select expires_at from sessions join people on people.id = person_id where email = $1",
    [email],
  );
  return rows[0] === undefined ? null : (rows[0].expires_at.getTime() - Date.now()) / DAY_MS;
}

async function statusWith(cookie: string): Promise<number> {
  return (await new ApiCaller(service.origin, { cookie }).request("GET", "/v1/workspaces")).status;
}

it.each([
  ["another signature", (cookie: string) => cookie.replace(/\.[^.]+$/, `.${"A".repeat(43)}%3D`)],
  ["another token", (cookie: string) => cookie.replace("session_token=", "session_token=x")],
  ["no signature", (cookie: string) => cookie.replace(/(session_token=[^.]+)\..+$/, "$1")],
  ["an undecodable value", () => "placard.session_token=%E0%A4%A"],
  ["nothing in it", () => "placard.session_token="],
])("takes no session cookie with %s", async (_what, forge) => {
  const { cookie } = await aPerson(service);

  expect([await statusWith(cookie), await statusWith(forge(cookie))]).toEqual([200, 401]);
});

it("finds the session among other cookies", async () => {
  const { cookie } = await aPerson(service);

  expect(await statusWith(`theme=dark; ${cookie}; other=1`)).toBe(200);
});

it("renews a session once it is a day old, and not before", async () => {
  const { email, cookie } = await aPerson(service);

  await setExpiry(email, 29.5);
  expect(await statusWith(cookie)).toBe(200);
  expect(await expiryOf(email)).toBeCloseTo(29.5, 2);

  await setExpiry(email, 28.9);
  expect(await statusWith(cookie)).toBe(200);
  expect(await expiryOf(email)).toBeCloseTo(30, 2);
});

it("lets a session end that its person did not want to be remembered", async () => {
  const { email, cookie } = await aPerson(service);
  const notRemembered = await new ApiCaller(service.origin).request("POST", "/api/auth/sign-in/email", {
    email,
    password: "correct horse battery",
    rememberMe: false,
  });
  const cookies = cookiesOf(notRemembered.headers);

  await setExpiry(email, 0.5);

  expect(cookies).not.toBe(cookie);
  expect(await statusWith(cookies)).toBe(200);
  expect(await expiryOf(email)).toBeCloseTo(0.5, 2);
});

it("takes no expired session, and ends it", async () => {
  const { email, cookie } = await aPerson(service);

  await setExpiry(email, -0.001);

  expect(await statusWith(cookie)).toBe(401);
  expect(await expiryOf(email)).toBeNull();
});

it("takes no expired session beside a valid one of somebody else, however its cookie is written", async () => {
  const { email, cookie } = await aPerson(service);
  const stranger = (await aPerson(service)).cookie;

  await setExpiry(email, -0.001);
  const answers = await Promise.all(
    [stranger, stranger.replace("=", " ="), stranger.replace("=", "\t=")].map((beside) =>
      new ApiCaller(service.origin, { cookie: `${beside}; ${cookie}` }).request("GET", "/v1/account/export"),
    ),
  );

  expect(answers.filter(({ text }) => text.includes(email))).toEqual([]);
});

it("takes a revoked session from the next request on no more", async () => {
  const { cookie, caller } = await aPerson(service);
  expect(await statusWith(cookie)).toBe(200);

  await caller.request("POST", "/api/auth/sign-out", {});

  expect(await statusWith(cookie)).toBe(401);
});

it("ends all other sessions, however often somebody has signed in", async () => {
  const { email, cookie } = await aPerson(service);
  await service.database.pool.query(
    `insert into sessions (id, person_id, token, expires_at, updated_at)
     select 'thief-' || n, id, 'thief-' || n, now() + interval '1 day', now() - interval '1 hour'
     from people, generate_series(1, 300) n where email = $1`,
    [email],
  );

  const here = await sendPassword(service, email);
  const caller = new ApiCaller(service.origin, { cookie: here.cookie });
  const isFirstKept = await statusWith(cookie);
  const { status } = await caller.request("POST", "/api/auth/revoke-other-sessions", {});

  expect([here.status, isFirstKept, status]).toEqual([200, 200, 200]);
  const { rows } = await service.database.pool.query(
    "select count(*)::int as left from sessions join people on people.id = person_id where email = $1",
    [email],
  );
  expect(rows).toEqual([{ left: 1 }]);
});
