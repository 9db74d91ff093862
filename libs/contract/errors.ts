import "./plain-messages.ts";
import { oc } from "@orpc/contract";
import { z } from "zod";
import { ERRORS, type ErrorCode } from "#libs/domain/error-codes.ts";
import { CONFLICT_REASONS, INPUT_REASONS } from "#libs/domain/error-reasons.ts";
import type { MemberRole } from "#libs/domain/member.ts";
import { version } from "./text.ts";

const withRequestId = z.object({ requestId: z.string() });

/** What was wrong with an input: sentences for the whole, and for each field by its dotted path; and why, for programs. */
export const problems = withRequestId.extend({
  formErrors: z.array(z.string()),
  fieldErrors: z.record(z.string(), z.array(z.string())),
  reason: z.string(),
});
const wrongInputs = problems.extend({ reason: z.enum(keysOf(INPUT_REASONS)) });

/** As `problems`; a decision on content that was submitted again since also gets the new version. */
const conflictProblems = problems.extend({
  reason: z.enum(keysOf(CONFLICT_REASONS)),
  version: version.exactOptional(),
});

const inputErrors = {
  INPUT_VALIDATION_FAILED: { ...answerOf("INPUT_VALIDATION_FAILED"), data: wrongInputs },
  CONFLICT_FIELD: { ...answerOf("CONFLICT_FIELD"), data: conflictProblems },
  NOT_FOUND: answerOf("NOT_FOUND"),
};
const limitErrors = { TOO_MANY_REQUESTS: answerOf("TOO_MANY_REQUESTS") };
const accessErrors = { UNAUTHORIZED: answerOf("UNAUTHORIZED"), FORBIDDEN: answerOf("FORBIDDEN") };

function answerOf<Code extends ErrorCode>(code: Code) {
  const { status, message } = ERRORS[code];
  return { status, message, data: withRequestId };
}

function keysOf<Key extends string>(table: Readonly<Record<Key, string>>) {
  const isKey = (name: string): name is Key => Object.hasOwn(table, name);
  return Object.keys(table).filter(isKey);
}

/**
 * Who may call: anybody (`public`), a server with a tracking key of the workspace of the path (`tracking`), a person's session alone (`session`), or a session or key of a member with at
 * least `role` in the workspace of the path (`member`); `people` is a session of such a member, keys excluded.
 */
export type Access =
  | { readonly kind: "public" }
  | { readonly kind: "tracking" }
  | { readonly kind: "session" }
  | { readonly kind: "member"; readonly role: MemberRole }
  | { readonly kind: "people"; readonly role: MemberRole };

interface Meta<Kind extends Access["kind"]> {
  readonly access?: Extract<Access, { readonly kind: Kind }>;
  /** Whether a request with an `Idempotency-Key` is answered once and its repetitions alike, for a day. */
  readonly idempotent?: boolean;
  /** Calls the payment processor, and answers 502 with nothing changed when that fails. */
  readonly callsProcessor?: boolean;
  /** Its answer has an `ETag`; a GET can be a 304. */
  readonly isTagged?: boolean;
  /** The endpoint that answers in its place where CSV is asked for. */
  readonly csv?: string;
  /** Changes what has an `ETag`, and takes it in `If-Match`. */
  readonly takesIfMatch?: boolean;
}

/** Types of their own, so that no endpoint is implemented as one of another kind. */
export type PublicMeta = Meta<"public">;
export type TrackingKeyMeta = Meta<"tracking">;
export type SessionMeta = Meta<"session">;
export type MemberMeta = Meta<"member" | "people">;

const base = oc.$route({ inputStructure: "compact" });

/** Endpoints for browsers and advertisers: no key, scoped by ids in the path. */
export const publicApi = base
  .$meta<PublicMeta>({ access: { kind: "public" } })
  .errors({ ...inputErrors, ...limitErrors });

/** Endpoints of serving for servers, with a tracking key. */
export const trackingKeyApi = base.$meta<TrackingKeyMeta>({ access: { kind: "tracking" } }).errors({
  UNAUTHORIZED: accessErrors.UNAUTHORIZED,
  INPUT_VALIDATION_FAILED: inputErrors.INPUT_VALIDATION_FAILED,
  NOT_FOUND: inputErrors.NOT_FOUND,
  ...limitErrors,
});

/** Endpoints of a signed-in person that belong to no workspace yet. */
export const sessionApi = base
  .$meta<SessionMeta>({ access: { kind: "session" } })
  .errors({ ...accessErrors, ...limitErrors, ...inputErrors });

/** Endpoints of a workspace for a key or a session of a member with at least that role. */
export function memberApi(role: MemberRole) {
  return base
    .$meta<MemberMeta>({ access: { kind: "member", role } })
    .errors({ ...accessErrors, ...limitErrors, ...inputErrors });
}

/** Endpoints of a workspace that no key may use. */
export function peopleApi(role: MemberRole) {
  return base
    .$meta<MemberMeta>({ access: { kind: "people", role } })
    .errors({ ...accessErrors, ...limitErrors, ...inputErrors });
}
