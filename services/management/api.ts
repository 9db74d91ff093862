import type { AnySchema, ErrorMap, InferSchemaInput, InferSchemaOutput, Meta, Schema } from "@orpc/contract";
import { implement, type ProcedureImplementer } from "@orpc/server";
import type { FastifyReply } from "fastify";
import type { Logger } from "pino";
import type { Access, MemberMeta, PublicMeta, SessionMeta } from "#libs/contract/errors.ts";
import { managementContract } from "#libs/contract/index.ts";
import type { Granted } from "./access/authorise.ts";
import { isMemberAccess, isPersonAccess, type MemberAccess, type PersonAccess } from "./access/granted.ts";
import { inWorkspace, type Services } from "./services.ts";

/** What every handler gets in addition to its input. */
export interface PublicContext {
  readonly services: Services;
  readonly reply: FastifyReply;
}

/** What a handler of a signed-in person's endpoint gets. */
export interface PersonContext extends PublicContext {
  readonly access: PersonAccess;
}

/** What a handler of a workspace's endpoint gets. Its database handle sees the rows of that workspace only. */
export interface MemberContext extends PublicContext {
  readonly access: MemberAccess;
}

/** A request and the access that it was granted, as its route passes them on. */
export interface RequestContext extends PublicContext {
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

/** Where an error of the handler is answered and logged. */
export function errorsOf(context: SealedContext): { readonly reply: FastifyReply; readonly logger: Logger } {
  const { reply, services } = context[REQUEST];
  return { reply, logger: services.logger };
}

/** The endpoints of the contract. A handler attached to them directly, not by `for…` below, sees only its input. */
export const api = implement(managementContract).$context<SealedContext>();

type Endpoint<
  Initial extends SealedContext,
  In extends AnySchema,
  Out extends AnySchema,
  Errors extends ErrorMap,
  EndpointMeta extends Meta,
> = ProcedureImplementer<Initial, SealedContext, In, Out, Errors, EndpointMeta>;

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

/** The kinds of access that each handler was made for: what must have been checked before it runs. */
const MADE_FOR = new WeakMap<object, readonly Kind[]>();

/** Whether a handler was made for endpoints with that kind of access. */
export function isMadeFor(handler: object, kind: Kind): boolean {
  return MADE_FOR.get(handler)?.includes(kind) ?? false;
}

/** Answers an endpoint that anybody may call. */
export function forAnybody<
  Initial extends SealedContext,
  In extends AnySchema,
  Out extends AnySchema,
  Errors extends ErrorMap,
>(
  endpoint: Endpoint<Initial, In, Out, Errors, PublicMeta>,
  handle: Handler<InferSchemaOutput<In>, PublicContext, Out>,
) {
  return makeProcedure(endpoint, ["public"], ({ input, context: { services, reply } }) =>
    handle({ input, context: { services, reply } }),
  );
}

/** Answers an endpoint of a signed-in person that belongs to no workspace. */
export function forSignedIn<
  Initial extends SealedContext,
  In extends AnySchema,
  Out extends AnySchema,
  Errors extends ErrorMap,
>(
  endpoint: Endpoint<Initial, In, Out, Errors, SessionMeta>,
  handle: Handler<InferSchemaOutput<In>, PersonContext, Out>,
) {
  return makeProcedure(endpoint, ["session"], ({ input, context: { services, reply, access } }) => {
    if (access === null || !isPersonAccess(access)) throw new Error("nobody is signed in");
    return handle({ input, context: { services, reply, access } });
  });
}

/**
 * Answers an endpoint of a workspace. The handler learns the workspace from the granted access alone: its input does not
 * name one, and its database handle sees no other.
 */
export function forMembers<
  Initial extends SealedContext,
  In extends WorkspaceInput,
  Out extends AnySchema,
  Errors extends ErrorMap,
>(endpoint: Endpoint<Initial, In, Out, Errors, MemberMeta>, handle: MemberHandler<In, Out>) {
  return forMembersUnscoped(endpoint, ({ input, context }) => {
    const services = inWorkspace(context.services, context.access.workspaceId);
    return handle({ input, context: { ...context, services } });
  });
}

/**
 * As `forMembers`, but with the database of the whole installation, for handlers whose hand-written SQL goes through many
 * tables. Such SQL must filter by workspace itself. A test lists these endpoints.
 */
export function forMembersUnscoped<
  Initial extends SealedContext,
  In extends WorkspaceInput,
  Out extends AnySchema,
  Errors extends ErrorMap,
>(endpoint: Endpoint<Initial, In, Out, Errors, MemberMeta>, handle: MemberHandler<In, Out>) {
  return makeProcedure(endpoint, ["member", "people"], ({ input, context: { services, reply, access } }) => {
    if (access === null || !isMemberAccess(access)) throw new Error("no access to a workspace was granted");
    return handle({ input: withoutWorkspace(input), context: { services, reply, access } });
  });
}

function withoutWorkspace<Input extends { readonly workspaceId: string }>({
  workspaceId: _granted,
  ...input
}: Input): Omit<Input, "workspaceId"> {
  return input;
}

function makeProcedure<
  Initial extends SealedContext,
  In extends AnySchema,
  Out extends AnySchema,
  Errors extends ErrorMap,
  EndpointMeta extends Meta,
>(
  endpoint: Endpoint<Initial, In, Out, Errors, EndpointMeta>,
  kinds: readonly Kind[],
  handle: Handler<InferSchemaOutput<In>, RequestContext, Out>,
) {
  const procedure = endpoint.handler(({ input, context }) => handle({ input, context: context[REQUEST] }));
  MADE_FOR.set(procedure["~orpc"].handler, kinds);
  return procedure;
}
