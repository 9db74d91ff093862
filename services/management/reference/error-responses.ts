import type { OpenAPI } from "@orpc/contract";
import { ERRORS, type ErrorCode } from "#libs/domain/error-codes.ts";
import type { RefusedInput } from "#libs/http/index.ts";
import { headersOfError } from "./headers.ts";

const envelope = {
  type: "object",
  required: ["defined", "code", "status", "message", "data"],
  properties: {
    defined: { type: "boolean", description: "Whether this description declares the code." },
    code: { type: "string", description: "Machine-readable." },
    status: { type: "integer", minimum: 400, maximum: 599, description: "The HTTP status." },
    message: { type: "string", description: "For people." },
  },
} as const satisfies OpenAPI.SchemaObject;

const requestId = {
  type: "string",
  description: "As in the `x-request-id` header. Send it along when you ask for help.",
} as const satisfies OpenAPI.SchemaObject;

const problems = {
  type: "object",
  required: ["formErrors", "fieldErrors", "reason", "requestId"],
  properties: {
    formErrors: { type: "array", items: { type: "string" }, description: "What is wrong with the whole." },
    fieldErrors: {
      type: "object",
      additionalProperties: { type: "array", items: { type: "string" } },
      description: "What is wrong with a field, by its dotted path.",
    },
    version: {
      type: "integer",
      minimum: 1,
      description: "The version of the content now, where another one was decided on.",
    },
    reason: {
      type: "string",
      description:
        "The cause, for programs. The table of causes is in the introduction; a later version may have more.",
    },
    requestId,
  },
} as const satisfies OpenAPI.SchemaObject;

export const ERROR_SCHEMAS = {
  Error: {
    ...envelope,
    properties: { ...envelope.properties, data: { $ref: "#/components/schemas/ErrorData" } },
    additionalProperties: false,
  },
  ErrorData: {
    type: "object",
    required: ["requestId"],
    properties: { requestId },
    additionalProperties: false,
  },
  FieldProblems: { ...problems, additionalProperties: false },
  FieldError: {
    ...envelope,
    properties: { ...envelope.properties, data: { $ref: "#/components/schemas/FieldProblems" } },
    additionalProperties: false,
  },
} satisfies Record<string, OpenAPI.SchemaObject>;

interface Description {
  readonly name: string;
  readonly code: ErrorCode;
  readonly description: string;
  /** The message of the example, where the code's own says less. */
  readonly message?: string;
  readonly refused?: RefusedInput;
}

const DESCRIPTIONS: readonly Description[] = [
  {
    name: "BadRequest",
    code: "BAD_REQUEST",
    description: "The request cannot be understood.",
  },
  {
    name: "Unauthorized",
    code: "UNAUTHORIZED",
    description: "The key or session is missing, malformed or revoked.",
  },
  {
    name: "Forbidden",
    code: "FORBIDDEN",
    description: "The key belongs to another workspace, or the role doesn't allow this.",
    message: "This key belongs to another workspace.",
  },
  {
    name: "NotFound",
    code: "NOT_FOUND",
    description: "Nothing with that id here. A malformed id is one that does not exist.",
    message: "Ad not found.",
  },
  {
    name: "Conflict",
    code: "CONFLICT_FIELD",
    description: "The request is sound, the state of the resource does not allow it.",
    refused: {
      formErrors: ["Only a pending ad can be approved."],
      fieldErrors: {},
      reason: "AD_ALREADY_APPROVED",
    },
  },
  {
    name: "Changed",
    code: "PRECONDITION_FAILED",
    description:
      "`If-Match` names another state than the one of now, or the resource has no `ETag`. Nothing was changed.",
  },
  {
    name: "TooLarge",
    code: "PAYLOAD_TOO_LARGE",
    description:
      "The body is over 1 MiB; for accounts, invitations, the start of a checkout and the impressions of a page, over 16 KiB; at a single impression or click, over 64 KiB.",
  },
  {
    name: "WrongType",
    code: "UNSUPPORTED_MEDIA_TYPE",
    description: "The body is not sent as application/json.",
  },
  {
    name: "Invalid",
    code: "INPUT_VALIDATION_FAILED",
    description: "The input is not valid.",
    refused: {
      formErrors: [],
      fieldErrors: { name: ["Must have at least 2 characters."] },
      reason: "INVALID_INPUT",
    },
  },
  {
    name: "TooMany",
    code: "TOO_MANY_REQUESTS",
    description: "Over the limit; wait as long as `Retry-After` says.",
  },
  {
    name: "ProcessorFailed",
    code: "PAYMENT_PROCESSOR_FAILED",
    description:
      "The payment processor rejected the request, and nothing was changed, or did not answer, and may have made the change all the same.",
  },
  {
    name: "Unavailable",
    code: "SERVICE_UNAVAILABLE",
    description: "A required service is unavailable. Nothing was acknowledged.",
  },
];

/** Every error response there is, by name, for `components.responses`. */
export const ERROR_RESPONSES: Record<string, OpenAPI.ResponseObject> = Object.fromEntries(
  DESCRIPTIONS.map((one) => [one.name, describe(one)]),
);

/** A reference to the response of that status; undefined for a status that no error has. */
export function errorResponse(status: number): OpenAPI.ReferenceObject | undefined {
  const found = DESCRIPTIONS.find(({ code }) => ERRORS[code].status === status);
  return found === undefined ? undefined : { $ref: `#/components/responses/${found.name}` };
}

function describe({ code, description, refused, ...rest }: Description): OpenAPI.ResponseObject {
  const { status, defined, message } = { ...ERRORS[code], ...rest };
  const data = { ...refused, requestId: "b5f0a6c1d2e3-4k" };
  return {
    description,
    headers: headersOfError(status),
    content: {
      "application/json": {
        schema: { $ref: `#/components/schemas/${refused === undefined ? "Error" : "FieldError"}` },
        example: { defined, code, status, message, data },
      },
    },
  };
}
