import { type OpenAPI, OpenAPIGenerator } from "@orpc/openapi";
import { ZodToJsonSchemaConverter } from "@orpc/zod/zod4";
import { ad, adStats } from "#libs/contract/ad.ts";
import { advertiser } from "#libs/contract/advertisers.ts";
import { contract } from "#libs/contract/contract.ts";
import { type Endpoint, listEndpoints } from "#libs/contract/endpoints.ts";
import { field } from "#libs/contract/fields.ts";
import { invoice } from "#libs/contract/invoices.ts";
import { price } from "#libs/contract/price.ts";
import { revision } from "#libs/contract/revisions.ts";
import { servingAd, servingTier } from "#libs/contract/serving.ts";
import { tier } from "#libs/contract/tiers.ts";
import { uploadGrant } from "#libs/contract/uploads.ts";
import { workspace } from "#libs/contract/workspaces.ts";
import { sessionCookieName } from "../accounts/people/sessions.ts";
import { ERROR_RESPONSES, ERROR_SCHEMAS, errorResponse } from "./error-responses.ts";
import { addExamples } from "./examples.ts";
import { guide } from "./guide.ts";
import { HEADERS, headersOf, referTo } from "./headers.ts";
import { plainIntegers } from "./integers.ts";
import { OTHER_PATHS, WEBHOOKS_TAG } from "./other-routes.ts";

const METHOD_KEYS = { GET: "get", POST: "post", PUT: "put", PATCH: "patch", DELETE: "delete" } as const;

const IDEMPOTENCY_KEY: OpenAPI.ParameterObject = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "1 to 255 visible ASCII characters, new for each change. The same request with the same key gets the same answer for 24 hours (without API key or session: for the UTC day) and changes nothing again. Another request with the key is a 422; a repeated request while the first is in progress is a 409.",
  schema: { type: "string", pattern: "^[!-~]{1,255}$" },
};

const IF_MATCH: OpenAPI.ParameterObject = {
  name: "If-Match",
  in: "header",
  description:
    "The `ETag` of the ad or edit that was looked at, several of them, or `*`. As `version` in the body: a 409 with the new version in `data` if the advertiser has submitted again since. Without both the decision is about the newest submission.",
  schema: { type: "string" },
};

const IF_NONE_MATCH: OpenAPI.ParameterObject = {
  name: "If-None-Match",
  in: "header",
  description: "The `ETag` of an answer that you have: a 304 without a body if it is still the same.",
  schema: { type: "string" },
  example: '"kR3mVq8Zt5Wy1Xc7Bn9Ls4Gd6Fh"',
};
const NOT_MODIFIED: OpenAPI.ResponseObject = {
  description: "The answer that the caller has is still the same.",
  headers: referTo(["x-request-id", "Cache-Control", "ETag"]),
};
const PROOF: OpenAPI.ParameterObject = {
  name: "proof",
  in: "query",
  required: false,
  description:
    "The `proof` of the ad, from an answer to `proof=1`. Where the workspace asks for proof, an event without a valid one is recorded and does not count. No proof is ever refused.",
  schema: { type: "string" },
};
/** Events that carry a proof. Their bodies are ignored, so it is in the address. */
const PROVEN = ["serving.impression", "serving.click"];

/** Answers that caches keep. */
/** They discard it. */
const TAKE_ANY_BODY = ["serving.impression", "serving.click"];
const CACHED = ["serving.ads", "serving.tiers"];

const BETA_TAGS = {
  Ads: "Review, edits, pauses, and what ads bring.",
  Tiers: "What is for sale, and for how much.",
  Fields: "What advertisers fill in, beside a name and an address.",
  Advertisers: "Who bought, what they pay and what they owe.",
  Uploads: "Files of the publisher.",
};

/** The interface description of everything below `{base}`: OpenAPI 3.1, made from the contract alone. */
export async function describeInterface(baseUrl: string) {
  return (await describe(baseUrl)).description;
}

/** The places in the interface that have no example. */
export async function findMissingExamples(): Promise<readonly string[]> {
  return (await describe("https://placard.example/v1")).missing;
}

async function describe(baseUrl: string) {
  const generator = new OpenAPIGenerator({
    schemaConverters: [new ZodToJsonSchemaConverter({ unsupportedJsonSchema: {} })],
  });
  const description = await generator.generate(contract, {
    info: {
      title: "Placard",
      version: "1.0.0",
      description: guide(baseUrl),
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: baseUrl }],
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
    const { method, path, access, name, idempotent, takesVersion } = endpoint;
    const operation = description.paths?.[path]?.[METHOD_KEYS[method]];
    if (operation === undefined) throw new Error(`${name} is missing in the interface description`);
    operation.security = securityOf(access.kind);
    operation.parameters = plainParameters(operation.parameters);
    if (idempotent) operation.parameters = [...(operation.parameters ?? []), IDEMPOTENCY_KEY];
    if (takesVersion) operation.parameters = [...(operation.parameters ?? []), IF_MATCH];
    if (PROVEN.includes(name)) operation.parameters = [...(operation.parameters ?? []), PROOF];
    if (CACHED.includes(name)) {
      operation.parameters = [...(operation.parameters ?? []), IF_NONE_MATCH];
      Object.assign(operation, { responses: { ...operation.responses, "304": NOT_MODIFIED } });
    }
    if (operation.tags?.some((tag) => Object.hasOwn(BETA_TAGS, tag)))
      Object.assign(operation, { "x-beta": true });
    Object.assign(operation, { responses: { ...operation.responses, ...errorsOf(endpoint, operation) } });
    const answer = operation.responses?.["200"];
    if (answer !== undefined && !("$ref" in answer)) answer.headers = headersOf(endpoint);
    missing.push(...addExamples(name, operation, description.components.schemas ?? {}));
  }
  plainIntegers(description);
  return { description, missing };
}

/**
 * The contract's errors under their names, and those that an operation can have beside them: 503 while an engine that it
 * needs is away, and what becomes of a body, which is looked at whether the endpoint takes one or not. Impressions and
 * clicks throw away bodies of any type.
 */
function errorsOf(
  { name, method, callsProcessor }: Endpoint,
  operation: OpenAPI.OperationObject,
): OpenAPI.ResponsesObject {
  const declared = Object.keys(operation.responses ?? {})
    .map(Number)
    .filter((status) => status >= 400);
  const others = [
    ...(method === "GET" ? [] : [413]),
    ...(method === "GET" || TAKE_ANY_BODY.includes(name) ? [] : [415]),
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

function securityOf(kind: Endpoint["access"]["kind"]): Record<string, string[]>[] {
  if (kind === "public") return [];
  if (kind === "tracking") return [{ trackingKey: [] }];
  return kind === "member" ? [{ apiKey: [] }, { session: [] }] : [{ session: [] }];
}

type Parameter = NonNullable<OpenAPI.OperationObject["parameters"]>[number];

/**
 * Query parameters as a reader wants them: an empty value is not a value, and a bracketed object is one parameter for
 * each of its keys (`weight[gte]`, `weight[lt]`). Lists are repeated, which is what a reader expects without a style; that
 * they may also be joined is said in words.
 */
export function plainParameters(parameters: readonly Parameter[] | undefined): Parameter[] {
  return (parameters ?? []).flatMap((parameter): Parameter[] => {
    if (!("in" in parameter) || parameter.in !== "query") return [parameter];
    const { allowEmptyValue: _emptyIsNoValue, ...rest } = parameter;
    const properties = propertiesOf(rest.schema);
    if (properties === undefined) {
      const { style: _notOfLists, explode: _asByDefault, ...plain } = rest;
      return [{ ...plain, ...describedSchema(rest.schema) }];
    }
    return Object.entries(properties).map(([key, schema]) => ({
      name: `${rest.name}[${key}]`,
      in: "query",
      required: false,
      ...describedSchema(schema),
    }));
  });
}

type Schema = NonNullable<OpenAPI.ParameterObject["schema"]>;

/** A list is an array and nothing else. The description is beside the schema too: each generator looks at one place. */
function describedSchema(given: Schema | undefined): Pick<OpenAPI.ParameterObject, "description" | "schema"> {
  if (given === undefined) return {};
  if ("$ref" in given) return { schema: given };
  const { anyOf: _orJoined, ...list } = given;
  return {
    ...(given.description === undefined ? {} : { description: given.description }),
    schema: given.type === "array" ? list : given,
  };
}

function propertiesOf(schema: Schema | undefined): Readonly<Record<string, Schema>> | undefined {
  return schema === undefined || "$ref" in schema ? undefined : schema.properties;
}
