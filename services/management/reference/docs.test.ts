import { createHash } from "node:crypto";
import { get } from "node:http";
import { expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#libs/contract/contract.ts";
import { listEndpoints } from "#libs/contract/endpoints.ts";
import { startManagement } from "../tests/management.ts";

const service = await startManagement();

const operation = z.object({
  tags: z.array(z.string()).length(1),
  summary: z.string().min(1),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  responses: z.record(z.string(), z.unknown()),
  "x-beta": z.literal(true).optional(),
});
const description = z.object({
  openapi: z.string(),
  info: z.object({ version: z.string() }),
  servers: z.array(z.object({ url: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({
    securitySchemes: z.record(z.string(), z.unknown()),
    schemas: z.record(z.string(), z.unknown()),
    responses: z.record(
      z.string(),
      z.object({ content: z.record(z.string(), z.object({ example: z.unknown() })) }),
    ),
  }),
});

async function readDescription() {
  const response = await fetch(`${service.origin}/v1/openapi.json`);
  return { response, described: description.parse(await response.json()) };
}

it("serves the description to any site, in the version that is promised", async () => {
  const { response, described } = await readDescription();

  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^application\/json/);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  expect(described.openapi).toMatch(/^3\.1\./);
  expect(described.info.version).toBe("1.0.0");
  expect(described.servers.map(({ url }) => url)).toEqual([`${service.origin}/v1`]);
});

it("answers 304 to who has the description, in whatever coding", async () => {
  const { response } = await readDescription();
  const etag = response.headers.get("etag") ?? "";
  const ask = (tag: string) =>
    fetch(`${service.origin}/v1/openapi.json`, {
      headers: { "if-none-match": tag, "accept-encoding": "br" },
    });

  const [same, other] = [await ask(etag), await ask('"other"')];

  expect(response.headers.get("cache-control")).toBe("public, max-age=300, must-revalidate");
  expect([same.status, await same.text(), same.headers.get("etag")]).toEqual([304, "", etag]);
  expect([other.status, other.headers.get("etag")]).toEqual([200, etag]);
});

it("describes exactly the endpoints below {base} that programs call, by the tags that are promised", async () => {
  const { described } = await readDescription();
  const operations = Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, said]) => ({ at: `${method.toUpperCase()} ${path}`, ...said })),
  );

  expect(operations.map(({ at }) => at).toSorted()).toEqual(
    [
      ...listEndpoints(contract).map(({ method, path }) => `${method} ${path}`),
      "GET /checkout-sessions/{sessionId}/billing",
      "GET /checkout-sessions/{sessionId}/billing/pay",
      "GET /ads/{adId}/click",
      "GET /ads/{adId}/impression.gif",
      "POST /webhooks/stripe",
    ].toSorted(),
  );
  const beta = new Set(operations.filter((one) => one["x-beta"]).flatMap(({ tags }) => tags));
  const open = new Set(
    operations.filter(({ security }) => security.length === 0).flatMap(({ tags }) => tags),
  );
  expect([...beta].toSorted()).toEqual(["Ads", "Advertisers", "Fields", "Tiers", "Uploads"]);
  expect([...open].toSorted()).toEqual(["Checkout", "Serving", "Tracking", "Webhooks"]);
});

it("leaves out no route below {base} but its own, and those of the link in reports", async () => {
  const { described } = await readDescription();
  const known = new Set(
    Object.entries(described.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} /v1${path.replace(/\{(\w+)\}/g, ":$1")}`),
    ),
  );

  const others = service.routes
    .filter(({ method, url }) => url.startsWith("/v1/") && !["HEAD", "OPTIONS"].includes(method))
    .map(({ method, url }) => `${method} ${url}`)
    .filter((route) => !known.has(route) && !/^GET \/v1\/(docs|openapi)/.test(route));

  expect(new Set(others.map((route) => route.replace(/^\w+ /, "")))).toEqual(
    new Set(["/v1/unsubscribe/:token", "/v1/unsubscribe/:token/again"]),
  );
});

it("has an example of every error, and names for what answers share", async () => {
  const { described } = await readDescription();

  for (const [name, { content }] of Object.entries(described.components.responses)) {
    expect(content["application/json"]?.example, name).toMatchObject({ code: expect.any(String) });
  }
  expect(Object.keys(described.components.securitySchemes).toSorted()).toEqual([
    "apiKey",
    "session",
    "trackingKey",
  ]);
  expect(Object.keys(described.components.schemas)).toEqual(
    expect.arrayContaining(["Ad", "Tier", "Field", "Advertiser", "UploadGrant", "Error", "FieldError"]),
  );
});

it("shows the reference as a page that loads from its own site alone", async () => {
  const page = await fetch(`${service.origin}/v1/docs`);
  const html = await page.text();

  expect(page.status).toBe(200);
  expect(page.headers.get("content-type")).toMatch(/^text\/html/);
  expect(page.headers.get("content-security-policy")).toMatch(/default-src 'self'.*frame-ancestors 'none'/);
  expect(html).toContain("/v1/openapi.json");
  expect(html).toContain('<html lang="en">');
  const inline = [...html.matchAll(/<script[^<>]*>([^<]+)<\/script>/g)].map(([, script = ""]) => script);
  const policy = page.headers.get("content-security-policy") ?? "";
  expect(inline).toHaveLength(1);
  expect(policy).toContain(`'sha256-${createHash("sha256").update(inline.join("")).digest("base64")}'`);
  expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  const scripts = [...html.matchAll(/<script[^>]*\ssrc="([^"]+)"/g)].map(([, src]) => src ?? "");
  for (const src of scripts) {
    const script = await fetch(new URL(src, page.url));
    expect([new URL(src, page.url).origin, script.status]).toEqual([service.origin, 200]);
  }
  expect(scripts.length).toBeGreaterThan(0);
});

it("has an icon where browsers look for the one of the reference", async () => {
  const page = await (await fetch(`${service.origin}/v1/docs`)).text();
  const icon = await fetch(`${service.origin}/favicon.ico`);

  expect(page).not.toMatch(/rel="(shortcut )?icon"/);
  expect([icon.status, icon.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
  expect(await icon.text()).toMatch(/^<svg /);
});

it.each(["[", "a b", "%00"])("refuses a request for the reference whose Host is %j", async (host) => {
  for (const target of ["/v1/docs", "/v1/docs/"]) {
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    get(`${service.origin}${target}`, { headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }).once("error", reject);

    expect([target, await promise]).toEqual([target, 400]);
  }
});
