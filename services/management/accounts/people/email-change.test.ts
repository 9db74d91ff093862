import { afterEach, expect, it, vi } from "vitest";
import { ApiCaller } from "../../tests/callers.ts";
import { mailTo, tokenIn } from "../../tests/joining.ts";
import { startManagement } from "../../tests/management.ts";
import { isSignedIn, PASSWORD, type SignedIn, sendPassword } from "../../tests/signing-in.ts";

const service = await startManagement({ verifyEmail: true, unlimited: true });
const anybody = new ApiCaller(service.origin);
let people = 0;

afterEach(() => void vi.useRealTimers());

/** Somebody whose address is verified, who is signed in. */
async function aVerifiedPerson(name = "Ada Example"): Promise<SignedIn> {
  people += 1;
  const email = `verified-${people}@example.com`;
  await anybody.request("POST", "/api/auth/sign-up/email", { email, name, password: PASSWORD });
  await service.database.pool.query("update people set email_verified = true where email = $1", [email]);
  const { cookie } = await sendPassword(service, email);
  return { email, name, cookie, caller: new ApiCaller(service.origin, { cookie }) };
}

function anAddress(): string {
  return `new-${crypto.randomUUID()}@example.com`;
}

async function ask({ caller }: SignedIn, newEmail: string, password = PASSWORD) {
  return await caller.request("POST", "/api/auth/email-change/request", { newEmail, password });
}

async function confirm({ caller }: SignedIn, token: string) {
  const answer = await caller.request("POST", "/api/auth/email-change/confirm", { token });
  return { ...answer, body: JSON.parse(answer.text) };
}

async function tokenMailedTo(email: string): Promise<string> {
  return tokenIn(await mailTo(service, email, "Confirm your new"));
}

/** Whether a password leads to a session. */
async function canSignIn(email: string, password = PASSWORD): Promise<boolean> {
  const { status } = await sendPassword(service, email, password);
  return status === 200;
}

it("changes the address when the link that went to the new one is followed, and not before", async () => {
  const person = await aVerifiedPerson();
  const newEmail = anAddress();

  const asked = await ask(person, newEmail);
  const before = [await canSignIn(person.email), await canSignIn(newEmail)];
  const done = await confirm(person, await tokenMailedTo(newEmail));

  expect([asked.status, JSON.parse(asked.text)]).toEqual([200, { isChanged: false }]);
  expect(before).toEqual([true, false]);
  expect([done.status, done.body]).toEqual([200, { email: newEmail }]);
  expect([await canSignIn(person.email), await canSignIn(newEmail)]).toEqual([false, true]);
});

it("tells the old address at once, and says in the new one's mail who can use the link", async () => {
  const person = await aVerifiedPerson("Grace <b>Example</b>");
  const newEmail = anAddress();

  await ask(person, newEmail);

  const notice = await mailTo(service, person.email, "about to change");
  const confirmation = await mailTo(service, newEmail, "Confirm your new");
  expect(notice.text).toContain(`will change to ${newEmail}`);
  expect(notice.text).toContain("change your password now");
  expect(notice.text).not.toContain("token=");
  expect(confirmation.text).toContain(`${service.origin}/confirm-email#token=`);
  expect(confirmation.text).not.toContain("Grace");
});

it("takes an address in any case as the same one", async () => {
  const person = await aVerifiedPerson();

  const { status, text } = await ask(person, person.email.toUpperCase());

  expect([status, JSON.parse(text).data.fieldErrors]).toEqual([
    422,
    { newEmail: ["This is your address already."] },
  ]);
});

it("asks for the password, and for an address", async () => {
  const person = await aVerifiedPerson();
  const newEmail = anAddress();

  const wrong = await ask(person, newEmail, "not the password");
  const bare = await person.caller.refused(422, "POST", "/api/auth/email-change/request", { newEmail: "x" });
  const stranger = await anybody.refused(401, "POST", "/api/auth/email-change/request", {
    newEmail,
    password: PASSWORD,
  });

  expect([wrong.status, JSON.parse(wrong.text).code]).toEqual([400, "INVALID_PASSWORD"]);
  expect(Object.keys(bare.data?.fieldErrors ?? {})).toEqual(["newEmail", "password"]);
  expect(stranger.status).toBe(401);
  expect((await service.readMails()).map(({ to }) => to)).not.toContain(newEmail);
});

it("lets nobody else use the link, signed in or not", async () => {
  const person = await aVerifiedPerson();
  const other = await aVerifiedPerson();
  const newEmail = anAddress();
  await ask(person, newEmail);
  const token = await tokenMailedTo(newEmail);

  const foreign = await confirm(other, token);
  await anybody.refused(401, "POST", "/api/auth/email-change/confirm", { token });

  expect([foreign.status, foreign.body.code]).toEqual([400, "INVALID_TOKEN"]);
  expect([await canSignIn(other.email), await canSignIn(person.email)]).toEqual([true, true]);
  expect((await confirm(person, token)).status).toBe(200);
});

it("takes a link once, within the hour, and only the newest", async () => {
  const person = await aVerifiedPerson();
  const [first, second, third] = [anAddress(), anAddress(), anAddress()];
  await ask(person, first);
  const replaced = await tokenMailedTo(first);
  await ask(person, second);
  const newest = await tokenMailedTo(second);

  const statuses = [];
  for (const token of [replaced, newest, newest]) statuses.push((await confirm(person, token)).status);
  await ask(person, third);
  const late = await tokenMailedTo(third);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60 * 60_000 });

  expect(statuses).toEqual([400, 200, 400]);
  expect((await confirm(person, late)).status).toBe(400);
  vi.useRealTimers();
  expect(await canSignIn(second)).toBe(true);
});

it("keeps the token as a hash", async () => {
  const person = await aVerifiedPerson();
  const newEmail = anAddress();

  await ask(person, newEmail);

  const token = await tokenMailedTo(newEmail);
  const { rows } = await service.database.pool.query(
    "select encode(token_hash, 'escape') as kept, new_email from email_changes where new_email = $1",
    [newEmail],
  );
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(token);
});

it("ends the other sessions and the links to choose a password that went to the old address", async () => {
  const person = await aVerifiedPerson();
  const elsewhere = (await sendPassword(service, person.email)).cookie;
  await anybody.request("POST", "/api/auth/request-password-reset", { email: person.email });
  const reset = tokenIn(await mailTo(service, person.email, "new password"));
  const newEmail = anAddress();
  await ask(person, newEmail);

  await confirm(person, await tokenMailedTo(newEmail));

  expect([await isSignedIn(service, elsewhere), await isSignedIn(service, person.cookie)]).toEqual([
    false,
    true,
  ]);
  await anybody.refused(400, "POST", "/api/auth/reset-password", {
    token: reset,
    newPassword: "a password from a mail",
  });
});

it("does not tell that an address is taken; its owner hears of it, and keeps it", async () => {
  const owner = await aVerifiedPerson();
  const person = await aVerifiedPerson();

  const taken = await ask(person, owner.email);
  const free = await ask(person, anAddress());

  expect([taken.status, taken.text]).toEqual([free.status, free.text]);
  const mail = await mailTo(service, owner.email, "already have an account");
  expect(mail.text).not.toContain("token=");
  expect(mail.text).not.toContain(person.email);
  expect(await mailTo(service, person.email, "about to change")).toBeDefined();
});

it("keeps the old address when somebody signed up with the new one before the link was followed", async () => {
  const person = await aVerifiedPerson();
  const newEmail = anAddress();
  await ask(person, newEmail);
  await anybody.request("POST", "/api/auth/sign-up/email", {
    email: newEmail,
    name: "Somebody else",
    password: "a stranger's password",
  });

  const { status, body } = await confirm(person, await tokenMailedTo(newEmail));

  expect([status, body.data.fieldErrors]).toEqual([409, { newEmail: ["This address has an account."] }]);
  expect(await canSignIn(person.email)).toBe(true);
});

it("stops the change when the password is chosen again by a mail", async () => {
  const person = await aVerifiedPerson();
  const newEmail = anAddress();
  await ask(person, newEmail);
  const token = await tokenMailedTo(newEmail);
  await anybody.request("POST", "/api/auth/request-password-reset", { email: person.email });
  const reset = tokenIn(await mailTo(service, person.email, "new password"));
  const newPassword = "another good password";

  await anybody.request("POST", "/api/auth/reset-password", { token: reset, newPassword });

  const { cookie } = await sendPassword(service, person.email, newPassword);
  const again = { ...person, cookie, caller: new ApiCaller(service.origin, { cookie }) };
  expect((await confirm(again, token)).status).toBe(400);
});
