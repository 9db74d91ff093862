import type { OpenAPI } from "@orpc/contract";

/** The envelope of `service.md`, without and with what is wrong with which field. */
const envelope = {
  type: "object",
  required: ["defined", "code", "status", "message"],
  properties: {
    defined: { type: "boolean", description: "Whether this description declares the code." },
    code: { type: "string", description: "Machine-readable." },
    status: { type: "integer", description: "The HTTP status." },
    message: { type: "string", description: "For people." },
  },
} as const satisfies OpenAPI.SchemaObject;

const problems = {
  type: "object",
  required: ["formErrors", "fieldErrors"],
  properties: {
    formErrors: { type: "array", items: { type: "string" }, description: "What is wrong with the whole." },
    fieldErrors: {
      type: "object",
      additionalProperties: { type: "array", items: { type: "string" } },
      description: "What is wrong with a field, by its dotted path.",
    },
  },
} as const satisfies OpenAPI.SchemaObject;

export const ERROR_SCHEMAS = {
  Error: { ...envelope, additionalProperties: false },
  FieldProblems: { ...problems, additionalProperties: false },
  FieldError: {
    ...envelope,
    required: [...envelope.required, "data"],
    properties: { ...envelope.properties, data: { $ref: "#/components/schemas/FieldProblems" } },
    additionalProperties: false,
  },
} satisfies Record<string, OpenAPI.SchemaObject>;

interface ErrorRule {
  readonly name: string;
  readonly code: string;
  readonly description: string;
  readonly message?: string;
  readonly fields?: readonly [
    formErrors: readonly string[],
    fieldErrors: Readonly<Record<string, readonly string[]>>,
  ];
  readonly defined?: false;
  readonly retryAfter?: true;
}

const RULES: Readonly<Record<number, ErrorRule>> = {
  401: {
    name: "Unauthorized",
    code: "UNAUTHORIZED",
    description: "The key or session is missing, malformed or revoked.",
    message: "A valid API key or session is required.",
  },
  403: {
    name: "Forbidden",
    code: "FORBIDDEN",
    description: "The key belongs to another workspace, or the role does not reach.",
    message: "This key belongs to another workspace.",
  },
  404: {
    name: "NotFound",
    code: "NOT_FOUND",
    description: "Nothing with that id here. A malformed id is one that does not exist.",
    message: "Ad not found.",
  },
  409: {
    name: "Conflict",
    code: "CONFLICT_FIELD",
    description: "The request is sound, the state of the resource does not allow it.",
    fields: [["Only a pending ad can be approved."], {}],
  },
  413: {
    name: "TooLarge",
    code: "PAYLOAD_TOO_LARGE",
    description: "The body is over 1 MiB; at impressions and clicks, over 64 KiB.",
    message: "The request body is too large.",
    defined: false,
  },
  415: {
    name: "WrongType",
    code: "UNSUPPORTED_MEDIA_TYPE",
    description: "The body is not sent as application/json.",
    message: "The body has to be application/json.",
    defined: false,
  },
  422: {
    name: "Invalid",
    code: "INPUT_VALIDATION_FAILED",
    description: "The input is not valid.",
    fields: [[], { name: ["Too small: expected string to have >=2 characters"] }],
  },
  429: {
    name: "TooMany",
    code: "TOO_MANY_REQUESTS",
    description: "Over the limit; wait as long as `Retry-After` says.",
    message: "Too many requests. Try again later.",
    retryAfter: true,
  },
  502: {
    name: "ProcessorFailed",
    code: "PAYMENT_PROCESSOR_FAILED",
    description: "The payment processor did not go along; nothing was changed.",
    message: "The payment processor did not go along. Nothing was changed.",
    defined: false,
  },
  503: {
    name: "Unavailable",
    code: "SERVICE_UNAVAILABLE",
    description: "A part that is needed is away; nothing was acknowledged.",
    message: "Not available right now. Try again soon.",
    defined: false,
    retryAfter: true,
  },
};

/** Every error response there is, by name, for `components.responses`. */
export const ERROR_RESPONSES: Record<string, OpenAPI.ResponseObject> = Object.fromEntries(
  Object.entries(RULES).map(([status, rule]) => [rule.name, describe(Number(status), rule)]),
);

/** A reference to the response of that status; undefined for a status that no error has. */
export function errorResponse(status: number): OpenAPI.ReferenceObject | undefined {
  const rule = RULES[status];
  return rule === undefined ? undefined : { $ref: `#/components/responses/${rule.name}` };
}

function describe(status: number, rule: ErrorRule): OpenAPI.ResponseObject {
  const { code, description, defined = true, message = code, fields, retryAfter } = rule;
  const data = fields === undefined ? {} : { data: { formErrors: fields[0], fieldErrors: fields[1] } };
  return {
    description,
    ...(retryAfter === true
      ? {
          headers: {
            "Retry-After": { description: "Seconds to wait.", schema: { type: "integer", minimum: 1 } },
          },
        }
      : {}),
    content: {
      "application/json": {
        schema: { $ref: `#/components/schemas/${fields === undefined ? "Error" : "FieldError"}` },
        example: { defined, code, status, message, ...data },
      },
    },
  };
}
