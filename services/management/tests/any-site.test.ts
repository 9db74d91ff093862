import { expect, it } from "vitest";
import { managementContract } from "#libs/contract/contract.ts";
import { listEndpoints } from "#libs/contract/endpoints.ts";
import { startManagement } from "./management.ts";
import { aPublisher } from "./story.ts";

const service = await startManagement({ unlimited: true });
const publisher = await aPublisher(service);

const SITE = { origin: "https://site.example" };
const endpoints = listEndpoints(managementContract);
const open = endpoints.filter(({ access }) => access.kind === "public");
const closed = endpoints.filter(({ access }) => access.kind !== "public");

function urlOf(path: string): string {
  const filled = path.replace("{workspaceId}", publisher.workspace.id).replace(/\{\w+\}/g, "nothing");
  return `${service.origin}/v1${filled}`;
}

it("knows the endpoints that are meant for browsers", () => {
  expect(open.map(({ name }) => name).toSorted()).toEqual([
    "checkout.create",
    "checkout.get",
    "checkout.revision",
    "checkout.submit",
    "checkout.upload",
  ]);
});

it.each(open)("$name answers the preflight of any site, without credentials", async ({ method, path }) => {
  const response = await fetch(urlOf(path), {
    method: "OPTIONS",
    headers: {
      ...SITE,
      "access-control-request-method": method,
      "access-control-request-headers": "content-type,idempotency-key",
    },
  });

  expect(response.status).toBe(204);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  expect(response.headers.get("access-control-allow-methods")?.split(", ")).toContain(method);
  const headers = response.headers.get("access-control-allow-headers")?.split(", ");
  expect(headers).toEqual(expect.arrayContaining(["content-type", "idempotency-key"]));
  expect(headers).not.toContain("authorization");
  expect(response.headers.get("access-control-allow-credentials")).toBeNull();
});

it.each(open)("$name lets any site read its answers, refusals too", async ({ method, path }) => {
  const bodies = method === "GET" ? [undefined] : ["{}", "{", undefined];
  for (const body of bodies) {
    const response = await fetch(urlOf(path), {
      method,
      headers: { ...SITE, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body }),
    });

    expect([404, 422]).toContain(response.status);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-allow-credentials")).toBeNull();
    expect(response.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    const exposed = response.headers.get("access-control-expose-headers")?.split(", ");
    expect(exposed).toEqual(
      expect.arrayContaining(["x-request-id", "retry-after", "ratelimit-remaining", "idempotent-replayed"]),
    );
  }
});

it.each(closed)("$name stays closed to other sites", async ({ method, path }) => {
  const preflight = await fetch(urlOf(path), {
    method: "OPTIONS",
    headers: { ...SITE, "access-control-request-method": method },
  });
  const asked = await fetch(urlOf(path), { method, headers: { ...SITE, cookie: publisher.person.cookie } });

  expect(preflight.status).toBeGreaterThanOrEqual(400);
  for (const { headers } of [preflight, asked]) {
    expect(headers.get("access-control-allow-origin")).toBeNull();
    expect(headers.get("access-control-allow-credentials")).toBeNull();
  }
  expect(asked.headers.get("cross-origin-resource-policy")).toBe("same-origin");
});
