import { expect, it } from "vitest";
import { contract } from "#libs/contract/contract.ts";
import { listEndpoints } from "#libs/contract/endpoints.ts";
import { ERRORS } from "#libs/domain/error-codes.ts";
import { CONFLICT_REASONS, INPUT_REASONS } from "#libs/domain/error-reasons.ts";
import { describeInterface } from "./openapi.ts";

const KEYS = { GET: "get", POST: "post", PUT: "put", PATCH: "patch", DELETE: "delete" } as const;
const description = await describeInterface("https://placard.example/v1");

it("describes every endpoint of the contract with its errors and who may call", () => {
  for (const { method, path, access } of listEndpoints(contract)) {
    const item = description.paths?.[path];
    const operation = Object.entries(item ?? {}).find(([key]) => key === method.toLowerCase())?.[1];

    expect(operation, `${method} ${path}`).toBeDefined();
    expect(operation).toHaveProperty("responses.200");
    expect(operation).toHaveProperty("security", access.kind === "public" ? [] : expect.any(Array));
    if (access.kind !== "public") {
      expect(operation).toHaveProperty(["responses", "401", "$ref"], "#/components/responses/Unauthorized");
    }
    // Serving knows the valid tracking keys of a workspace, and so no key that is another's; and it remembers no request.
    if (access.kind !== "public" && access.kind !== "tracking")
      expect(operation).toHaveProperty(["responses", "403", "$ref"], "#/components/responses/Forbidden");
    if (access.kind !== "tracking")
      expect(operation).toHaveProperty(["responses", "409", "$ref"], "#/components/responses/Conflict");
    expect(operation).toHaveProperty(["responses", "422", "$ref"], "#/components/responses/Invalid");
  }
});

it("names the statuses that a body, or an engine that is away, can lead to at every endpoint", () => {
  for (const { name, method, path } of listEndpoints(contract)) {
    const operation = description.paths?.[path]?.[KEYS[method]];
    const bodies =
      method === "GET"
        ? []
        : ["serving.impression", "serving.impressions", "serving.click"].includes(name)
          ? ["413"]
          : ["413", "415"];

    const said = Object.keys(operation?.responses ?? {}).filter((status) => /^(413|415|503)$/.test(status));

    expect(said, `${method} ${path}`).toEqual([...bodies, "503"]);
  }
});

it.each([
  ["https://placard.example/v1", "__Secure-placard.session_token"],
  ["http://127.0.0.1:8080/v1", "placard.session_token"],
])("names the cookie that sessions have at %s", async (baseUrl, name) => {
  const { components } = await describeInterface(baseUrl);

  expect(components?.securitySchemes?.session).toEqual({ type: "apiKey", in: "cookie", name });
});

it("names the headers of every answer, and those of a refusal", () => {
  const approve =
    description.paths?.["/workspaces/{workspaceId}/ads/{adId}/approve"]?.post?.responses?.["200"];
  const { TooMany, Unauthorized } = description.components?.responses ?? {};

  for (const { method, path } of listEndpoints(contract)) {
    const answer = description.paths?.[path]?.[KEYS[method]]?.responses?.["200"];
    expect(answer, `${method} ${path}`).toHaveProperty(["headers", "x-request-id"]);
  }
  for (const name of ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "Idempotent-Replayed"]) {
    expect(approve).toHaveProperty(["headers", name]);
  }
  expect(TooMany).toHaveProperty(["headers", "Retry-After"]);
  expect(Unauthorized).toHaveProperty(["headers", "WWW-Authenticate"]);
});

it("introduces every code and every cause of an error", () => {
  for (const [code, { status }] of Object.entries(ERRORS)) {
    expect(description.info.description).toContain(`| ${status} | \`${code}\` | `);
  }
  for (const reason of [...Object.keys(CONFLICT_REASONS), ...Object.keys(INPUT_REASONS)]) {
    expect(description.info.description).toContain(`\`${reason}\``);
  }
});

it("describes the 304 of what caches keep", () => {
  const read = description.paths?.["/workspaces/{workspaceId}/ads/serving"]?.get;

  expect(read?.responses).toHaveProperty(["304", "headers", "ETag"]);
  expect(read?.parameters).toContainEqual(expect.objectContaining({ name: "If-None-Match", in: "header" }));
});

it("describes proofs where ads are asked for, where they are served and where events carry them", () => {
  const { paths, components } = description;
  const proof = expect.objectContaining({ name: "proof", in: "query" });

  expect(paths?.["/workspaces/{workspaceId}/ads/serving"]?.get?.parameters).toContainEqual(proof);
  for (const events of ["impressions", "clicks"])
    expect(paths?.[`/ads/{adId}/${events}`]?.post?.parameters).toContainEqual(proof);
  expect(components?.schemas?.ServingAd).toMatchObject({
    properties: { proof: { type: "string" } },
    required: expect.not.arrayContaining(["proof"]),
  });
});

it("promises a value beside every field id, and lists tiers before their prices", () => {
  const text = JSON.stringify(description.components?.schemas?.Value);
  const paths = Object.keys(description.paths ?? {});

  expect(text).toContain('"required":["fieldId","value"]');
  expect(paths.indexOf("/workspaces/{workspaceId}/tiers")).toBeLessThan(
    paths.indexOf("/workspaces/{workspaceId}/tiers/{tierId}/prices"),
  );
});

it("marks the management surface as beta and names its tags", () => {
  const operation = description.paths?.["/workspaces/{workspaceId}/tiers"]?.post;

  expect(description.info.version).toBe("1.0.0");
  expect(description.openapi).toMatch(/^3\.1\./);
  expect(operation).toMatchObject({ tags: ["Tiers"], "x-beta": true });
  expect(description.paths?.["/ads/{adId}/impressions"]?.post).not.toHaveProperty("x-beta");
});
