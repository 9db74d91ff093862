import { expect, it } from "vitest";
import { ApiCaller } from "../../tests/callers.ts";
import { mailTo } from "../../tests/joining.ts";
import { startManagement } from "../../tests/management.ts";
import { aMember, aPublisher, type Publisher } from "../../tests/story.ts";

const service = await startManagement();
const withMail = await startManagement({ verifyEmail: true, beside: service });

function invite({ path }: Publisher, caller: ApiCaller, email = `${crypto.randomUUID()}@example.com`) {
  return caller.request("POST", `${path}/invitations`, { email, role: "Viewer" });
}

async function inviteTimes(times: number, publisher: Publisher, caller: ApiCaller, email?: string) {
  const answers = [];
  for (let n = 0; n < times; n += 1) answers.push(await invite(publisher, caller, email));
  return answers;
}

it("lets a person invite 50 a day over all their workspaces, then answers 429 with a time", async () => {
  const publisher = await aPublisher(service);
  const { person } = publisher;
  const second = { ...publisher, path: await anotherWorkspace(person.caller) };

  const first = await inviteTimes(30, publisher, person.caller);
  const rest = await inviteTimes(21, second, person.caller);

  const statuses = [...first, ...rest].map(({ status }) => status);
  expect(statuses).toEqual([...Array(50).fill(200), 429]);
  expect(Number(rest.at(-1)?.headers.get("retry-after"))).toBeGreaterThan(60 * 60);
});

it("sends 5 invitations per day to one address, from all inviters and workspaces together", async () => {
  const publishers = [await aPublisher(service), await aPublisher(service)];
  const email = "popular@example.com";

  const answers = [];
  for (let n = 0; n < 4; n += 1) {
    for (const publisher of publishers) answers.push(await invite(publisher, publisher.person.caller, email));
  }

  expect(answers.map(({ status }) => status)).toEqual([...Array(5).fill(200), ...Array(3).fill(429)]);
  expect(answers.at(-1)?.headers.get("retry-after")).toMatch(/^\d+$/);
  await expect.poll(async () => (await service.readMails()).filter(({ to }) => to === email).length).toBe(5);
});

it("takes links out of what the sender calls themselves and the workspace", async () => {
  const publisher = await aPublisher(service, "Your parcel is held - pay at evil.test");
  await publisher.person.caller.request("POST", "/api/auth/update-user", {
    name: "https://evil.test Mallory",
  });

  await invite(publisher, publisher.person.caller, "target@example.com");

  const mail = await mailTo(service, "target@example.com", "invited you");
  expect(mail.subject).toBe("Mallory invited you to Your parcel is held - pay at");
  expect(mail.text).not.toContain("evil.test");
});

it("sends no invitation before the inviter's own address is verified, where mail is sent", async () => {
  const publisher = await aPublisher(service);
  const owner = await aMember(service, publisher, "Owner");
  // The cookie is good at both: they are two processes of one installation.
  const there = new ApiCaller(withMail.origin, { cookie: owner.cookie });

  const before = await invite(publisher, there);
  await service.database.db
    .updateTable("people")
    .set({ email_verified: true })
    .where("email", "=", owner.email)
    .execute();
  const after = await invite(publisher, there);

  expect(before.status).toBe(409);
  expect(JSON.parse(before.text).data.formErrors).toEqual([
    "Confirm your own email address before you invite others.",
  ]);
  expect(after.status).toBe(200);
});

async function anotherWorkspace(caller: ApiCaller): Promise<string> {
  const made = await caller.request("POST", "/v1/workspaces", { name: "Second Weekly" });
  return `/v1/workspaces/${JSON.parse(made.text).id}`;
}
