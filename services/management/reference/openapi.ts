import { type OpenAPI, OpenAPIGenerator } from "@orpc/openapi";
import { ZodToJsonSchemaConverter } from "@orpc/zod/zod4";
import { ad, adStats } from "#libs/contract/ad.ts";
import { advertiser } from "#libs/contract/advertisers.ts";
import { contract, managementContract } from "#libs/contract/contract.ts";
import { type Endpoint, listEndpoints } from "#libs/contract/endpoints.ts";
import { field } from "#libs/contract/fields.ts";
import { invoice } from "#libs/contract/invoices.ts";
import { price } from "#libs/contract/price.ts";
import { revision } from "#libs/contract/revisions.ts";
import { servingAd, servingTier } from "#libs/contract/serving.ts";
import { tier } from "#libs/contract/tiers.ts";
import { uploadGrant } from "#libs/contract/uploads.ts";
import { workspace } from "#libs/contract/workspaces.ts";
import { sessionCookieName } from "../api/cookie-names.ts";
import { ERROR_RESPONSES, ERROR_SCHEMAS, errorResponse } from "./error-responses.ts";
import { addExamples, addPropertyExamples } from "./examples.ts";
import { guide } from "./guide.ts";
import { HEADERS, headersOf, referTo } from "./headers.ts";
import { nameSchemas } from "./name-schemas.ts";
import { plainNumbers } from "./numbers.ts";
import { OTHER_PATHS, WEBHOOKS_TAG } from "./other-routes.ts";
import { CACHED, parametersOf, TRACKING } from "./parameters.ts";

const METHOD_KEYS = { GET: "get", POST: "post", PUT: "put", PATCH: "patch", DELETE: "delete" } as const;

const NOT_MODIFIED: OpenAPI.ResponseObject = {
  description: "The answer that the caller has is still the same.",
  headers: referTo(["x-request-id", "Cache-Control", "ETag"]),
};

/** They refuse keys that they do not know. Serving ignores them. */
const IN_MANAGEMENT = new Set(listEndpoints(managementContract).map(({ name }) => name));

/** Their bodies name what may be missing. */
const NAME_IN_BODY = ["fields.reorder", "invitations.accept"];

const BETA_TAGS = {
  Ads: "Review, edits, pauses, and what ads bring.",
  Tiers: "What is for sale, and for how much.",
  Fields: "What advertisers fill in, beside a name and an address.",
  Advertisers: "Who bought, what they pay and what they owe.",
  Uploads: "Files of the publisher.",
};

/** The interface description of everything below `{base}`: OpenAPI 3.1, made from the contract alone. */
export async function describeInterface(baseUrl: string) {
  return (await composeInterface(baseUrl)).description;
}

/**
 * The description, and its gaps: `missing` are the places without an example, `unnamed` the shapes that occur several times
 * without a name and the names that fit nothing.
 */
export async function composeInterface(baseUrl: string) {
  const generator = new OpenAPIGenerator({
    schemaConverters: [new ZodToJsonSchemaConverter({ unsupportedJsonSchema: {} })],
  });
  const description = await generator.generate(contract, {
    info: {
      title: "Placard",
      version: "1.0.0",
      description: guide(baseUrl),
      contact: { name: "The operator of this installation", url: new URL(baseUrl).origin },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: baseUrl, description: "This installation." }],
    tags: [
      { name: "Serving", description: "The ads that a site shows." },
      { name: "Tracking", description: "Impressions and clicks." },
      { name: "Checkout", description: "Buying a placement and submitting the ad." },
      ...Object.entries(BETA_TAGS).map(([name, description]) => ({
        name,
        description: `${description} Beta.`,
      })),
      { name: "Workspaces", description: "The publisher's sites and their settings." },
      { name: "API keys", description: "For signed-in people: keys of a workspace." },
      { name: "Tracking keys", description: "For signed-in people: keys that servers report events with." },
      { name: "Members", description: "For signed-in people: who works on a workspace, and invitations." },
      { name: "Account", description: "For signed-in people, about themselves." },
      {
        name: "Connect",
        description: "Workspaces' own accounts at the payment processor.",
      },
      { name: "Invoices", description: "Advertisers' invoices, and the revenue." },
      { name: "Audit log", description: "Who changed what, and when." },
      WEBHOOKS_TAG,
    ],
    components: {
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: "A secret API key, `Authorization: Bearer plc_…`.",
        },
        trackingKey: {
          type: "http",
          scheme: "bearer",
          description: "A secret tracking key, `Authorization: Bearer plt_…`. It can only report events.",
        },
        session: { type: "apiKey", in: "cookie", name: sessionCookieName(new URL(baseUrl)) },
      },
    },
    commonSchemas: {
      Ad: { schema: ad, strategy: "output" },
      AdStats: { schema: adStats, strategy: "output" },
      Advertiser: { schema: advertiser, strategy: "output" },
      Revision: { schema: revision, strategy: "output" },
      Tier: { schema: tier, strategy: "output" },
      Price: { schema: price, strategy: "output" },
      Field: { schema: field, strategy: "output" },
      ServingAd: { schema: servingAd, strategy: "output" },
      ServingTier: { schema: servingTier, strategy: "output" },
      UploadGrant: { schema: uploadGrant, strategy: "output" },
      Invoice: { schema: invoice, strategy: "output" },
      Workspace: { schema: workspace, strategy: "output" },
    },
  });

  description.paths = { ...description.paths, ...OTHER_PATHS };
  description.components = {
    ...description.components,
    schemas: { ...description.components?.schemas, ...ERROR_SCHEMAS },
    responses: ERROR_RESPONSES,
    headers: HEADERS,
  };
  const missing: string[] = [];
  for (const endpoint of listEndpoints(contract)) {
    const { method, path, access, name } = endpoint;
    const operation = description.paths?.[path]?.[METHOD_KEYS[method]];
    if (operation === undefined) throw new Error(`${name} is missing in the interface description`);
    if (IN_MANAGEMENT.has(name)) closeObjects(operation.requestBody);
    operation.security = securityOf(access.kind);
    operation.parameters = parametersOf(endpoint, operation.parameters);
    if (CACHED.includes(name) || (endpoint.isTagged && method === "GET"))
      Object.assign(operation, { responses: { ...operation.responses, "304": NOT_MODIFIED } });
    if (operation.tags?.some((tag) => Object.hasOwn(BETA_TAGS, tag)))
      Object.assign(operation, { "x-beta": true });
    Object.assign(operation, { responses: { ...successesOf(operation), ...errorsOf(endpoint, operation) } });
    const answer = operation.responses?.["200"];
    if (answer !== undefined && !("$ref" in answer)) {
      answer.headers = headersOf(endpoint);
      // Its headings depend on the request.
      const schema = { type: "string" as const, examples: ["time,impressions,clicks\r\n"] };
      if (endpoint.csv !== null) answer.content = { ...answer.content, "text/csv": { schema } };
    }
    missing.push(...addExamples(name, operation, description.components.schemas ?? {}));
  }
  addPropertyExamples("Field", description.components.schemas ?? {});
  plainNumbers(description);
  return { description, missing, unnamed: nameSchemas(description) };
}

/**
 * The contract's errors under their names, and those that an operation can have beside them: 503 while an engine that it
 * needs is away, and what becomes of a body, which is looked at whether the endpoint takes one or not. What
 * browsers report may have a body of any type.
 */
function errorsOf(endpoint: Endpoint, operation: OpenAPI.OperationObject): OpenAPI.ResponsesObject {
  const { name, method, callsProcessor } = endpoint;
  const declared = Object.keys(operation.responses ?? {})
    .map(Number)
    .filter((status) => status >= 400 && (status !== 404 || canMiss(endpoint)));
  const others = [
    ...(method === "GET" ? [] : [413]),
    ...(method === "GET" || !IN_MANAGEMENT.has(name) ? [] : [412]),
    ...(method === "GET" || TRACKING.includes(name) ? [] : [415]),
    ...(callsProcessor ? [502] : []),
    503,
  ];
  return Object.fromEntries(
    [...declared, ...others].flatMap((status) => {
      const response = errorResponse(status);
      return response === undefined ? [] : [[String(status), response]];
    }),
  );
}

function successesOf({ responses }: OpenAPI.OperationObject): OpenAPI.ResponsesObject {
  return Object.fromEntries(Object.entries(responses ?? {}).filter(([status]) => Number(status) < 400));
}

/** Whether it names something that may be missing. A workspace that a member or a key cannot see is 403. */
function canMiss({ name, path, access }: Endpoint): boolean {
  return access.kind === "public" || /\{(?!workspaceId)/.test(path) || NAME_IN_BODY.includes(name);
}

/** Says of every object of a body that it takes no other keys. */
function closeObjects(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  if ("type" in value && value.type === "object" && "properties" in value) {
    Object.assign(value, { additionalProperties: false });
  }
  for (const [key, inner] of Object.entries(value)) {
    if (key !== "example" && key !== "examples" && key !== "default") closeObjects(inner);
  }
}

function securityOf(kind: Endpoint["access"]["kind"]): Record<string, string[]>[] {
  if (kind === "public") return [];
  if (kind === "tracking") return [{ trackingKey: [] }];
  return kind === "member" ? [{ apiKey: [] }, { session: [] }] : [{ session: [] }];
}
