import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { listenOnLoopback } from "#libs/process/ports.ts";
import { openPage } from "../../../../infra/browser/index.ts";
import { startManagement } from "../../tests/management.ts";
import { aField, aPublisher, aTier } from "../../tests/story.ts";
import { A_PIXEL } from "../../tests/upload-story.ts";

const service = await startManagement();
const publisher = await aPublisher(service);
const priceId = (await aTier(publisher)).prices[0]?.id ?? "";
const logo = await aField(publisher, { name: "Logo", type: "Image", isRequired: true });

/** A page of the publisher's own site, which is another origin than the service. */
async function openSite() {
  const site = createServer((_request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    // As a site that isolates itself: nothing is loaded that does not say that it may be.
    response.setHeader("cross-origin-embedder-policy", "require-corp");
    response.end(
      '<!doctype html><html lang="en"><title>Site</title><link rel="icon" href="data:,"><h1>Buy</h1>',
    );
  });
  const origin = `http://localhost:${await listenOnLoopback(site)}`;
  onTestFinished(() => {
    site.closeAllConnections();
    site.close();
  });
  return { origin, ...(await openPage(origin, { alsoFrom: [service.origin] })) };
}

/** What a script of a page sends. */
interface Sent {
  readonly url: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly credentials?: "include";
}

/** Sends JSON, or reads without a body, and tells what the script can see. */
async function send({ url, body, headers, credentials }: Sent) {
  const response = await fetch(url, {
    ...(body === undefined
      ? {}
      : {
          method: "POST",
          body: JSON.stringify(body),
          headers: { "content-type": "application/json", ...headers },
        }),
    ...(credentials === undefined ? {} : { credentials }),
  });
  return {
    status: response.status,
    body: await response.json(),
    remaining: response.headers.get("ratelimit-remaining"),
  };
}

it("sells a placement on a site of its own: checkout, status, upload, submission and edit by its own scripts", async () => {
  const { page, origin, expectProblems } = await openSite();
  await page.goto(origin);

  const created = await page.evaluate(send, {
    url: `${service.origin}${publisher.path}/checkout-sessions`,
    body: { tierPriceId: priceId, cancelUrl: origin },
    headers: { "idempotency-key": crypto.randomUUID() },
  });
  expect([created.status, created.remaining]).toEqual([200, "19"]);
  const session = `${service.origin}/v1/checkout-sessions/${created.body.sessionId}`;
  const open = await page.evaluate(send, { url: session });
  expect([open.status, open.body.status]).toEqual([200, "open"]);
  const early = await page.evaluate(send, { url: `${session}/ad`, body: {} });
  expect([early.status, early.body.code]).toEqual([422, "INPUT_VALIDATION_FAILED"]);
  expectProblems(/422/);

  await page.goto(created.body.url);
  await page.getByLabel("Email").fill("ada@example.com");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Submit your ad" }).waitFor();
  await page.goto(origin);

  const paid = await page.evaluate(send, { url: session });
  expect([paid.body.status, paid.body.ad]).toEqual(["complete", null]);
  const grant = await page.evaluate(send, {
    url: `${session}/uploads`,
    body: { fileName: "logo.png", contentType: "image/png", contentLength: A_PIXEL.length },
  });
  const uploaded = await page.evaluate(
    async ({ url, headers, bytes }) =>
      (await fetch(url, { method: "PUT", headers, body: new Uint8Array(bytes) })).status,
    { url: grant.body.uploadUrl, headers: grant.body.headers, bytes: [...A_PIXEL] },
  );
  expect(uploaded).toBe(200);
  const creative = {
    name: "Example Coffee",
    websiteUrl: "https://coffee.example",
    meta: [{ fieldId: logo.id, value: grant.body.publicUrl }],
  };
  const submitted = await page.evaluate(send, { url: `${session}/ad`, body: creative });
  expect([submitted.status, submitted.body.status]).toEqual([200, "Pending"]);

  await publisher.caller.request("POST", `${publisher.path}/ads/${submitted.body.id}/approve`);
  await page.evaluate(send, { url: `${session}/ad`, body: { ...creative, name: "Better Coffee" } });
  const revision = await page.evaluate(send, { url: `${session}/revision` });
  expect([revision.status, revision.body.name]).toEqual([200, "Better Coffee"]);
});

it("gives a script of another site nothing by the cookie of the person who visits it", async () => {
  const { page, context, origin, expectProblems } = await openSite();
  await context.addCookies(
    publisher.person.cookie.split("; ").map((pair) => {
      const [name = "", value = ""] = pair.split("=", 2);
      return { name, value, url: service.origin };
    }),
  );
  await page.goto(origin);

  const failures = [];
  for (const path of [publisher.path, "/v1/checkout-sessions/cs_test_0000000000000000"]) {
    const url = `${service.origin}${path}`;
    const sent: Sent = { url, credentials: "include" };
    failures.push(await page.evaluate(send, sent).catch(String));
  }

  expect(failures).toEqual([
    expect.stringContaining("Failed to fetch"),
    expect.stringContaining("Failed to fetch"),
  ]);
  expectProblems(/CORS|ERR_FAILED|404|failed/i);
});
