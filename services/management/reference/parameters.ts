import type { OpenAPI } from "@orpc/openapi";
import type { Endpoint } from "#libs/contract/endpoints.ts";

const IDEMPOTENCY_KEY: OpenAPI.ParameterObject = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "1 to 255 visible ASCII characters, new for each change. Once the request has succeeded, the same one with the same key gets the same answer for 24 hours (without API key or session: for the UTC day) and changes nothing again. A refusal does not use the key up. Keys are those of the workspace and this endpoint. Another request with the key is a 422; a repeated request while the first is in progress is a 409.",
  schema: { type: "string", pattern: "^[!-~]{1,255}$" },
};

const IF_MATCH: OpenAPI.ParameterObject = {
  name: "If-Match",
  in: "header",
  description:
    "The `ETag` of what was looked at, as its GET answers it, several of them, or `*`: a 412 if any of it has changed since, and nothing is changed.",
  schema: { type: "string" },
};

const IF_NONE_MATCH: OpenAPI.ParameterObject = {
  name: "If-None-Match",
  in: "header",
  description: "The `ETag` of an answer that you have: a 304 without a body if it is still the same.",
  schema: { type: "string" },
  example: '"kR3mVq8Zt5Wy1Xc7Bn9Ls4Gd6Fh"',
};
/** An event carries it in its address. */
export const PROOF = {
  name: "proof",
  in: "query",
  required: false,
  description:
    "The `proof` of the ad, from an answer to `proof=1`. Where the workspace asks for proof, an event without a valid one is recorded and does not count. No proof is ever refused.",
  schema: { type: "string" },
} as const satisfies OpenAPI.ParameterObject;
/** Events that carry a proof. Their bodies are ignored, so it is in the address. */
const ALONE = ["serving.impression", "serving.click"];
/** What browsers report. */
export const TRACKING = [...ALONE, "serving.impressions"];

/** Endpoints whose answers caches keep. */
export const CACHED = ["serving.ads", "serving.tiers"];

/** The parameters of an endpoint: those of its input as a reader wants them, and those of what it does beside. */
export function parametersOf(
  { name, method, idempotent, isTagged, takesIfMatch }: Endpoint,
  described: readonly Parameter[] | undefined,
): Parameter[] {
  return [
    ...plainParameters(described),
    ...(idempotent ? [IDEMPOTENCY_KEY] : []),
    ...(takesIfMatch ? [IF_MATCH] : []),
    ...(ALONE.includes(name) ? [PROOF] : []),
    ...(CACHED.includes(name) || (isTagged && method === "GET") ? [IF_NONE_MATCH] : []),
  ];
}

type Parameter = NonNullable<OpenAPI.OperationObject["parameters"]>[number];

/**
 * Query parameters as a reader wants them: an empty value is not a value, and a bracketed object is one parameter for
 * each of its keys (`weight[gte]`, `weight[lt]`). Lists are repeated, which is what a reader expects without a style; that
 * they may also be joined is said in words.
 */
function plainParameters(parameters: readonly Parameter[] | undefined): Parameter[] {
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

/**
 * A list is an array and nothing else, and a constant has a type: without one, generators take anything, even nothing. The
 * description is beside the schema too: each generator looks at one place.
 */
function describedSchema(given: Schema | undefined): Pick<OpenAPI.ParameterObject, "description" | "schema"> {
  if (given === undefined) return {};
  if ("$ref" in given) return { schema: given };
  const { anyOf: _orJoined, ...list } = given;
  const typed =
    "const" in given && typeof given.const === "string" ? { ...given, type: "string" as const } : given;
  return {
    ...(given.description === undefined ? {} : { description: given.description }),
    schema: given.type === "array" ? list : typed,
  };
}

function propertiesOf(schema: Schema | undefined): Readonly<Record<string, Schema>> | undefined {
  return schema === undefined || "$ref" in schema ? undefined : schema.properties;
}
