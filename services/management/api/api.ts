import type { AnySchema, ErrorMap, InferSchemaInput, InferSchemaOutput, Meta, Schema } from "@orpc/contract";
import { implement, type ProcedureImplementer } from "@orpc/server";
import type { FastifyReply } from "fastify";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { managementContract } from "#libs/contract/contract.ts";
import type { Access, MemberMeta, PublicMeta, SessionMeta } from "#libs/contract/errors.ts";
import { forWorkspace } from "#libs/database/for-workspace.ts";
import type { Tables } from "#libs/database/tables.ts";
import type { Granted } from "./access/authorise.ts";
import { isMemberAccess, isPersonAccess, type MemberAccess, type PersonAccess } from "./access/granted.ts";

/** Every handler receives this in addition to its input. */
export interface PublicContext {
  /** The database of the whole installation. */
  readonly db: Kysely<Tables>;
  readonly reply: FastifyReply;
}

export interface PersonContext extends PublicContext {
  readonly access: PersonAccess;
}

export interface MemberContext extends PublicContext {
  /** Sees only the rows of that workspace, except in handlers made by `forMembersUnscoped`. */
  readonly db: Kysely<Tables>;
  readonly access: MemberAccess;
}

/** A request and the access that its route has granted it. */
export interface RequestContext extends PublicContext {
  readonly logger: Logger;
  readonly access: Granted;
}

const REQUEST = Symbol("request");

/** A request that only the functions of this file can open, so that no handler runs without its access check. */
export interface SealedContext {
  readonly [REQUEST]: RequestContext;
}

/** Seals a request for its procedure. */
export function seal(context: RequestContext): SealedContext {
  return { [REQUEST]: context };
}

/** The reply and the log for an error of the handler. */
export function errorsOf(context: SealedContext): { readonly reply: FastifyReply; readonly logger: Logger } {
  return context[REQUEST];
}

/** The endpoints of the contract. A handler that is attached without one of the `for…` functions below sees only its input. */
export const api = implement(managementContract).$context<SealedContext>();

type Endpoint<
  In extends AnySchema,
  Out extends AnySchema,
  Errors extends ErrorMap,
  EndpointMeta extends Meta,
> = ProcedureImplementer<SealedContext & Record<never, never>, SealedContext, In, Out, Errors, EndpointMeta>;

type Handler<Input, Context, Out extends AnySchema> = (given: {
  readonly input: Input;
  readonly context: Context;
}) => Promise<InferSchemaInput<Out>>;

type WorkspaceInput = Schema<unknown, { readonly workspaceId: string }>;
/** Its input does not name the workspace: only `access` does. */
type MemberHandler<In extends WorkspaceInput, Out extends AnySchema> = Handler<
  Omit<InferSchemaOutput<In>, "workspaceId">,
  MemberContext,
  Out
>;

type Kind = Access["kind"];

/** The kinds of access that each handler was made for; a route checks one of them before the handler runs. */
const MADE_FOR = new WeakMap<object, readonly Kind[]>();

/** Whether a handler was made for endpoints with that kind of access. */
export function isMadeFor(handler: object, kind: Kind): boolean {
  return MADE_FOR.get(handler)?.includes(kind) ?? false;
}

/** Answers an endpoint that anybody may call. */
export function forAnybody<In extends AnySchema, Out extends AnySchema, Errors extends ErrorMap>(
  endpoint: Endpoint<In, Out, Errors, PublicMeta>,
  handle: Handler<InferSchemaOutput<In>, PublicContext, Out>,
) {
  return makeProcedure(endpoint, ["public"], ({ input, context: { db, reply } }) =>
    handle({ input, context: { db, reply } }),
  );
}

/** Answers an endpoint of a signed-in person that belongs to no workspace. */
export function forSignedIn<In extends AnySchema, Out extends AnySchema, Errors extends ErrorMap>(
  endpoint: Endpoint<In, Out, Errors, SessionMeta>,
  handle: Handler<InferSchemaOutput<In>, PersonContext, Out>,
) {
  return makeProcedure(endpoint, ["session"], ({ input, context: { db, reply, access } }) => {
    if (access === null || !isPersonAccess(access)) throw new Error("nobody is signed in");
    return handle({ input, context: { db, reply, access } });
  });
}

/**
 * Answers an endpoint of a workspace. The handler knows the workspace only from the granted access: its input names none, and
 * its database handle sees no other.
 */
export function forMembers<In extends WorkspaceInput, Out extends AnySchema, Errors extends ErrorMap>(
  endpoint: Endpoint<In, Out, Errors, MemberMeta>,
  handle: MemberHandler<In, Out>,
) {
  return forMembersUnscoped(endpoint, ({ input, context }) => {
    const db = forWorkspace(context.db, context.access.workspaceId);
    return handle({ input, context: { ...context, db } });
  });
}

/**
 * As `forMembers`, but with the database of the whole installation, for handlers with hand-written SQL over many tables. Such
 * SQL must filter by workspace itself. A test lists these endpoints.
 */
export function forMembersUnscoped<In extends WorkspaceInput, Out extends AnySchema, Errors extends ErrorMap>(
  endpoint: Endpoint<In, Out, Errors, MemberMeta>,
  handle: MemberHandler<In, Out>,
) {
  return makeProcedure(endpoint, ["member", "people"], ({ input, context }) => {
    const { db, reply, access } = context;
    if (access === null || !isMemberAccess(access)) throw new Error("no access to a workspace was granted");
    return handle({ input: withoutWorkspace(input), context: { db, reply, access } });
  });
}

function withoutWorkspace<Input extends { readonly workspaceId: string }>({
  workspaceId: _granted,
  ...input
}: Input): Omit<Input, "workspaceId"> {
  return input;
}

function makeProcedure<
  In extends AnySchema,
  Out extends AnySchema,
  Errors extends ErrorMap,
  EndpointMeta extends Meta,
>(
  endpoint: Endpoint<In, Out, Errors, EndpointMeta>,
  kinds: readonly Kind[],
  handle: Handler<InferSchemaOutput<In>, RequestContext, Out>,
) {
  const procedure = endpoint.handler(({ input, context }) => handle({ input, context: context[REQUEST] }));
  MADE_FOR.set(procedure["~orpc"].handler, kinds);
  return procedure;
}
