import { fastify } from "fastify";
import { pino } from "pino";
import { afterAll, expect, it } from "vitest";
import { buy, invoicesOf } from "#libs/payments/tests/purchase.ts";
import { aPrice, openCheckout } from "#libs/payments/tests/requests.ts";
import { runSandbox, SECRET_KEY, WEBHOOK_SECRET } from "#libs/payments/tests/running-sandbox.ts";
import { startSandbox } from "../index.ts";

const sandbox = await runSandbox();
afterAll(() => sandbox.close());

function postForm(path: string, body: string, headers: Record<string, string> = {}) {
  return fetch(new URL(path, sandbox.pagesUrl), {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body,
  });
}

it("advances the clock and answers with what happened", async () => {
  const { id, created } = await buy(sandbox);

  const response = await sandbox.post("/sandbox/clock/advance", { days: 32 });

  const answer = await response.json();
  expect(answer).toMatchObject({
    arrived: true,
    counts: { "customer.subscription.updated": 1, "invoice.paid": 1 },
  });
  expect(Date.parse(answer.now) / 1000 - created).toBeGreaterThanOrEqual(32 * 86_400);
  expect(answer.events.map(({ about }: { about: string }) => about)).toContain(id);
});

it("takes forms too, and shows people what happened", async () => {
  const program = await postForm("/sandbox/clock/advance", "seconds=1");
  const person = await postForm("/sandbox/clock/advance", "days=1", { accept: "text/html" });

  expect(await program.json()).toMatchObject({ arrived: true });
  expect(await person.text()).toContain("Nothing was due.");
  expect(person.headers.get("content-security-policy")).toContain("default-src 'none'");
});

it("makes a purchase as of an earlier time, with every renewal since at its own time", async () => {
  const DAY = 86_400;
  const { url, processorSessionId } = await openCheckout(sandbox.payments, aPrice());
  const now =
    Date.parse((await (await sandbox.post("/sandbox/clock/advance", { seconds: 1 })).json()).now) / 1000;
  const payer = { email: "ads@harbour.example", name: "Harbour" };
  const path = `${new URL(url).pathname}/complete-earlier`;

  const tooEarly = await sandbox.post(path, { ...payer, paidAt: now - 1097 * DAY });
  const paid = await sandbox.post(path, { ...payer, paidAt: now - 100 * DAY });

  expect([tooEarly.status, paid.status]).toEqual([400, 200]);
  const { subscriptionId } = await sandbox.payments.readCheckoutSession(processorSessionId, null);
  const invoices = await invoicesOf(sandbox, subscriptionId ?? "");
  expect(invoices.map(({ status }) => status)).toEqual(["paid", "paid", "paid", "paid"]);
  const ages = invoices.map(({ created }) => Math.round((now - created) / DAY));
  expect(ages[0]).toBe(100);
  expect(ages.slice(1).every((age, index) => (ages[index] ?? 0) - age >= 28)).toBe(true);
});

it.each([
  ["/sandbox/clock/advance", {}],
  ["/sandbox/clock/advance", { days: -1 }],
  ["/sandbox/clock/advance", { days: 1.5 }],
  ["/sandbox/clock/advance", { days: "many" }],
  ["/sandbox/clock/advance", { days: 9_999_999_999 }],
  ["/sandbox/settings", { afterRetries: "forgive" }],
])("refuses %s with %o, and the clock stays", async (path, fields) => {
  const before = Date.now();

  const response = await sandbox.post(path, fields);

  expect([400, 422]).toContain(response.status);
  expect((await response.json()).error.message).toMatch(/\w+/);
  const { now } = await (await sandbox.post("/sandbox/clock/advance", { seconds: 1 })).json();
  expect(Date.parse(now) - before).toBeLessThan(60 * 86_400_000);
});

it("does nothing for another site's page that a browser here shows", async () => {
  const fromElsewhere = await postForm("/sandbox/clock/advance", "days=1", {
    "sec-fetch-site": "cross-site",
  });
  const fromItself = await postForm("/sandbox/clock/advance", "seconds=1", {
    "sec-fetch-site": "same-origin",
  });

  const followed = await fetch(new URL("/sandbox", sandbox.pagesUrl), {
    headers: { "sec-fetch-site": "cross-site" },
  });

  expect(fromElsewhere.status).toBe(403);
  expect(followed.status).toBe(200);
  expect(fromItself.status).toBe(200);
});

it("shows the operator the clock, the charges, the cards and the codes", async () => {
  await buy(sandbox);

  const html = await (await fetch(new URL("/sandbox", sandbox.pagesUrl))).text();

  for (const shown of ["It is 20", "/refund", "/dispute", "0341", "QUARTER25"]) expect(html).toContain(shown);
  expect(html, "who paid").toMatch(/<p>ads@harbour\.example: €\d+\.\d\d, /);
  expect(html).not.toContain("<script");
});

it("asks for the key where the sandbox is reached from elsewhere", async () => {
  const elsewhere = await startSandbox({
    stateFile: ":memory:",
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    publicUrl: new URL("https://ads.example.com/"),
    logger: pino({ level: "silent" }),
  });
  const app = fastify();
  await app.register(elsewhere.pages);
  const advance = (headers: Record<string, string>) =>
    app.inject({
      method: "POST",
      url: "/sandbox/clock/advance",
      headers,
      payload: JSON.stringify({ days: 1 }),
    });
  const json = { "content-type": "application/json" };

  const stranger = await advance(json);
  const operator = await advance({ ...json, authorization: `Bearer ${SECRET_KEY}` });

  expect([stranger.statusCode, operator.statusCode]).toEqual([401, 200]);
  await app.close();
  await elsewhere.close();
});

it.each([
  ["a peer elsewhere", { remoteAddress: "192.0.2.7", headers: { host: "127.0.0.1:8080" } }],
  ["a caller behind a proxy here", { headers: { host: "127.0.0.1:8080", "x-forwarded-for": "192.0.2.7" } }],
  ["a foreign domain that points here", { headers: { host: "rebound.example:8080" } }],
])("asks for the key of %s, although the sandbox is this machine's own", async (_who, asks) => {
  const local = await startSandbox({
    stateFile: ":memory:",
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    publicUrl: new URL("http://127.0.0.1:8080/"),
    logger: pino({ level: "silent" }),
  });
  const app = fastify();
  await app.register(local.pages);

  const { headers, ...from } = { remoteAddress: "127.0.0.1", ...asks };
  const stranger = await app.inject({ url: "/sandbox", headers, ...from });
  const withKey = await app.inject({
    url: "/sandbox",
    headers: { ...headers, authorization: `Bearer ${SECRET_KEY}` },
    ...from,
  });
  const local6 = await app.inject({ url: "/sandbox", headers: { host: "[::1]:8080" }, remoteAddress: "::1" });

  expect([stranger.statusCode, withKey.statusCode, local6.statusCode]).toEqual([401, 200, 200]);
  await app.close();
  await local.close();
});
