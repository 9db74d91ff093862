import { afterAll, expect, it } from "vitest";
import { aPrice, openCheckout } from "#libs/payments/tests/requests.ts";
import { runSandbox } from "#libs/payments/tests/running-sandbox.ts";

const sandbox = await runSandbox();
afterAll(() => sandbox.close());

function post(url: string, body: string, type = "application/json") {
  return fetch(url, { method: "POST", redirect: "manual", headers: { "content-type": type }, body });
}

const FORM = "application/x-www-form-urlencoded";

it("shows tier and price, says that no money moves, and needs no script", async () => {
  const { url } = await openCheckout(sandbox.payments, aPrice({ tierName: "Front page", amount: 4900 }));

  const response = await fetch(url);

  const html = await response.text();
  expect(response.status).toBe(200);
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(html).toContain("no money moves");
  expect(html).toContain("Subscribe to Front page");
  expect(html).toContain("€49.00 <small>per month</small>");
  expect(html).toContain('href="http://127.0.0.1/pricing"');
  expect(html).not.toContain("<script");
});

it.each([
  [1250, "jpy", "¥1,250"],
  [1250, "kwd", "KWD\u00a01.250"],
  [1250, "usd", "$12.50"],
])("writes %i %s as %s", async (amount, currency, written) => {
  const { url } = await openCheckout(sandbox.payments, aPrice({ amount, currency }));

  const html = await (await fetch(url)).text();

  expect(html).toContain(`<p class="price">${written} `);
});

it("shows a hostile tier name and hostile input as text", async () => {
  const tierName = `<img src=x onerror=alert(1)>"'&`;
  const { url } = await openCheckout(sandbox.payments, aPrice({ tierName }));
  const typed = new URLSearchParams({ email: `"><script>alert(1)</script>`, name: `"><b>Bold` });

  const shown = await (await fetch(url)).text();
  const refused = await post(`${url}/complete`, typed.toString(), FORM);

  const again = await refused.text();
  expect(shown).toContain("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;");
  expect(refused.status).toBe(422);
  expect(again).toContain("This is not an email address.");
  expect(again).toContain('value="&quot;&gt;&lt;b&gt;Bold"');
  expect(shown + again).not.toMatch(/<script|<img|<b>/);
});

it("sends a person who paid on to the success page, with the session's id in it", async () => {
  const { url, processorSessionId } = await openCheckout(sandbox.payments);

  const response = await post(`${url}/complete`, "email=owner%40harbour.example&name=", FORM);

  expect(response.status).toBe(303);
  expect(response.headers.get("location")).toBe(`http://127.0.0.1/thanks?session=${processorSessionId}`);
});

it("answers a program that paid, and answers the same when it pays again", async () => {
  const { url, processorSessionId } = await openCheckout(sandbox.payments);

  const first = await sandbox.pay(url);
  const { subscriptionId } = await sandbox.payments.readCheckoutSession(processorSessionId, null);
  const second = await sandbox.pay(url, { email: "somebody@else.example" });

  const answer = { status: "complete", url: `http://127.0.0.1/thanks?session=${processorSessionId}` };
  expect(await first.json()).toEqual(answer);
  expect(await second.json()).toEqual(answer);
  const session = await sandbox.payments.readCheckoutSession(processorSessionId, null);
  expect(session).toMatchObject({ subscriptionId, email: "ads@harbour.example" });
  expect(await (await fetch(url)).text()).toContain("This checkout is complete");
});

it("pays once when many pay at the same time", async () => {
  const { url, processorSessionId } = await openCheckout(sandbox.payments);

  const answers = await Promise.all(Array.from({ length: 10 }, () => sandbox.pay(url)));

  const { customerId } = await sandbox.payments.readCheckoutSession(processorSessionId, null);
  const listed = await fetch(`${sandbox.apiUrl}/v1/subscriptions?customer=${customerId}&status=all`, {
    headers: { authorization: "Bearer sk_test_sandbox" },
  });
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect((await listed.json()).data).toHaveLength(1);
});

it("keeps the session open when the card is declined", async () => {
  const { url, processorSessionId } = await openCheckout(sandbox.payments);

  const program = await post(`${url}/decline`, "{}");
  const person = await post(`${url}/decline`, "email=owner%40harbour.example&name=Harbour", FORM);

  expect(program.status).toBe(402);
  expect(await program.json()).toMatchObject({ error: { type: "card_error", code: "card_declined" } });
  expect(person.status).toBe(402);
  const html = await person.text();
  expect(html).toContain('role="alert" id="problem">Your card was declined.');
  expect(html).toContain('value="owner@harbour.example"');
  expect(await sandbox.payments.readCheckoutSession(processorSessionId, null)).toMatchObject({
    status: "open",
  });
});

it("asks for no card where the price is free", async () => {
  const { url } = await openCheckout(sandbox.payments, aPrice({ amount: 0 }));

  const html = await (await fetch(url)).text();

  expect(html).toContain("<button>Subscribe</button>");
  expect(html).not.toContain("/decline");
});

it("keeps to the email that the session was opened with", async () => {
  const { url, processorSessionId } = await openCheckout(sandbox.payments, aPrice(), {
    email: "owner@harbour.example",
  });

  await sandbox.pay(url, { email: "somebody@else.example" });

  const { email } = await sandbox.payments.readCheckoutSession(processorSessionId, null);
  expect(email).toBe("owner@harbour.example");
});

it.each([
  ["no email", "{}", "email"],
  ["a wrong email", '{"email": "nobody"}', "email"],
  ["an email that is no text", '{"email": 7}', "email"],
  ["a null byte in the email", '{"email": "a\\u0000@b.example"}', "email"],
  ["a huge email", JSON.stringify({ email: `${"a".repeat(300)}@b.example` }), "email"],
  ["a null byte in the name", '{"email": "a@b.example", "name": "\\u0000"}', "name"],
  ["a lone surrogate in the name", '{"email": "a@b.example", "name": "\\ud800"}', "name"],
  ["a name that is no text", '{"email": "a@b.example", "name": {}}', "name"],
  ["malformed JSON", "{", undefined],
  ["JSON that is no object", "[]", undefined],
])("refuses %s with 422 and leaves the session open", async (_what, body, param) => {
  const { url, processorSessionId } = await openCheckout(sandbox.payments);

  const response = await post(`${url}/complete`, body);

  expect(response.status).toBe(422);
  const { error } = await response.json();
  expect(error.message).toMatch(/\w+/);
  expect(error.param).toBe(param);
  expect(await sandbox.payments.readCheckoutSession(processorSessionId, null)).toMatchObject({
    status: "open",
  });
});

it("takes no payment for a session that has expired, and says so", async () => {
  const { url, processorSessionId } = await openCheckout(sandbox.payments);
  await fetch(`${sandbox.apiUrl}/v1/checkout/sessions/${processorSessionId}/expire`, {
    method: "POST",
    headers: { authorization: "Bearer sk_test_sandbox" },
  });

  const paid = await sandbox.pay(url);

  expect(paid.status).toBe(400);
  expect(await paid.json()).toMatchObject({ error: { code: "checkout_session_expired" } });
  expect(await (await fetch(url)).text()).toContain("This checkout has expired");
});

it("answers 404 for sessions that do not exist", async () => {
  const { url, processorSessionId } = await openCheckout(sandbox.payments);
  const unknown = url.replace(processorSessionId, "cs_test_unknown");

  const shown = await fetch(unknown, { headers: { accept: "text/html" } });
  const paid = await sandbox.pay(unknown);

  expect(shown.status).toBe(404);
  expect(await shown.text()).toContain("Page not found");
  expect(paid.status).toBe(404);
  expect(await paid.json()).toMatchObject({ error: { code: "resource_missing" } });
});
