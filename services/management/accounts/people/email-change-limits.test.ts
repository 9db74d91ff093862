import { expect, it } from "vitest";
import { anInvitation, mailTo } from "../../tests/joining.ts";
import { startManagement } from "../../tests/management.ts";
import { isSignedIn, PASSWORD, type SignedIn, sendPassword } from "../../tests/signing-in.ts";
import { aPerson, aPublisher } from "../../tests/story.ts";

const service = await startManagement();

async function ask({ caller }: SignedIn, newEmail: string) {
  return await caller.request("POST", "/api/auth/email-change/request", { newEmail, password: PASSWORD });
}

it("changes the address at once where no mail is configured, and ends the other sessions", async () => {
  const person = await aPerson(service);
  const elsewhere = (await sendPassword(service, person.email)).cookie;
  const newEmail = "changed-at-once@example.com";

  const { text } = await ask(person, newEmail);

  expect(JSON.parse(text)).toEqual({ isChanged: true });
  expect((await sendPassword(service, newEmail)).status).toBe(200);
  expect((await sendPassword(service, person.email)).status).toBe(401);
  expect([await isSignedIn(service, elsewhere), await isSignedIn(service, person.cookie)]).toEqual([
    false,
    true,
  ]);
  expect((await mailTo(service, person.email, "was changed")).text).toContain(newEmail);
});

it("refuses an address that somebody has, at the field, as a sign-up does there", async () => {
  const person = await aPerson(service);
  const owner = await aPerson(service);

  const { status, text } = await ask(person, owner.email);

  expect([status, JSON.parse(text).data.fieldErrors]).toEqual([
    409,
    { newEmail: ["This address has an account."] },
  ]);
});

it("lets the new address take invitations that were sent to it, and no more those of the old one", async () => {
  const publisher = await aPublisher(service);
  const person = await aPerson(service);
  const newEmail = "invited-there@example.com";
  const toOld = await anInvitation(service, publisher, person.email, "Viewer");
  const toNew = await anInvitation(service, publisher, newEmail, "Viewer");

  await ask(person, newEmail);

  await person.caller.refused(403, "POST", "/v1/invitations/accept", { token: toOld.token });
  const joined = await person.caller.request("POST", "/v1/invitations/accept", { token: toNew.token });
  expect(joined.status).toBe(200);
});

it("lets a person ask for five changes an hour", async () => {
  const person = await aPerson(service);

  const statuses = [];
  for (let n = 0; n < 6; n += 1) statuses.push((await ask(person, `often-${n}@example.com`)).status);

  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
});
