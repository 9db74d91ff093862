import type { AnySchema, ErrorMap, InferSchemaInput, InferSchemaOutput, Meta, Schema } from "@orpc/contract";
import { implement, type ProcedureImplementer } from "@orpc/server";
import type { FastifyReply } from "fastify";
import type { Logger } from "pino";
import type { Access, MemberMeta, PublicMeta, SessionMeta } from "#libs/contract/errors.ts";
import { managementContract } from "#libs/contract/index.ts";
import type { Granted } from "./access/authorise.ts";
import { isMemberAccess, isPersonAccess, type MemberAccess, type PersonAccess } from "./access/granted.ts";
import { inWorkspace, type Services } from "./services.ts";

/** What every handler gets beside its input. */
export interface PublicContext {
  readonly services: Services;
  readonly reply: FastifyReply;
}

/** What a handler of a signed-in person's endpoint gets. */
export interface PersonContext extends PublicContext {
  readonly access: PersonAccess;
}

/** What a handler of a workspace's endpoint gets; its database shows the rows of that workspace alone. */
export interface MemberContext extends PublicContext {
  readonly access: MemberAccess;
}

/** A request as its route hands it over, with what it was granted. */
export interface RequestContext extends PublicContext {
  readonly access: Granted;
}

const REQUEST = Symbol("request");

/** A request that nobody can look into but the makers of handlers below. */
export interface SealedContext {
  readonly [REQUEST]: RequestContext;
}

/** Hands a request over to a procedure. */
export function seal(context: RequestContext): SealedContext {
  return { [REQUEST]: context };
}

/** Where errors of a request's handler are answered and logged. */
export function errorsOf(context: SealedContext): { readonly reply: FastifyReply; readonly logger: Logger } {
  const { reply, services } = context[REQUEST];
  return { reply, logger: services.logger };
}

/** The endpoints to be answered. A handler that is hung here directly sees nothing of the request but its input. */
export const api = implement(managementContract).$context<SealedContext>();

type Endpoint<
  Initial extends SealedContext,
  In extends AnySchema,
  Out extends AnySchema,
  Errors extends ErrorMap,
  EndpointMeta extends Meta,
> = ProcedureImplementer<Initial, SealedContext, In, Out, Errors, EndpointMeta>;

interface Given<Input, Context> {
  readonly input: Input;
  readonly context: Context;
}

type Kind = Access["kind"];

/** For whom each handler was made, and therefore what has been checked when it runs. */
const MADE_FOR = new WeakMap<object, readonly Kind[]>();

/** Whether a handler was made for endpoints of that access. */
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
  handle: (given: Given<InferSchemaOutput<In>, PublicContext>) => Promise<InferSchemaInput<Out>>,
) {
  return made(endpoint, ["public"], ({ input, context: { services, reply } }) =>
    handle({ input, context: { services, reply } }),
  );
}

/** Answers an endpoint of a signed-in person, in no workspace. */
export function forSignedIn<
  Initial extends SealedContext,
  In extends AnySchema,
  Out extends AnySchema,
  Errors extends ErrorMap,
>(
  endpoint: Endpoint<Initial, In, Out, Errors, SessionMeta>,
  handle: (given: Given<InferSchemaOutput<In>, PersonContext>) => Promise<InferSchemaInput<Out>>,
) {
  return made(endpoint, ["session"], ({ input, context: { services, reply, access } }) => {
    if (access === null || !isPersonAccess(access)) throw new Error("nobody is signed in");
    return handle({ input, context: { services, reply, access } });
  });
}

/**
 * Answers an endpoint of a workspace. Which workspace that is the handler knows from the access that was granted, and
 * from nothing else: its input does not name one, and its database shows no other.
 */
export function forMembers<
  Initial extends SealedContext,
  In extends Schema<unknown, { readonly workspaceId: string }>,
  Out extends AnySchema,
  Errors extends ErrorMap,
>(
  endpoint: Endpoint<Initial, In, Out, Errors, MemberMeta>,
  handle: (
    given: Given<Omit<InferSchemaOutput<In>, "workspaceId">, MemberContext>,
  ) => Promise<InferSchemaInput<Out>>,
) {
  return forMembersUnscoped(endpoint, ({ input, context }) => {
    const services = inWorkspace(context.services, context.access.workspaceId);
    return handle({ input, context: { ...context, services } });
  });
}

/**
 * As `forMembers`, with the database of the whole installation: for what goes through all tables by hand-written SQL,
 * and has to say itself whose rows it means. A test has the list of these endpoints.
 */
export function forMembersUnscoped<
  Initial extends SealedContext,
  In extends Schema<unknown, { readonly workspaceId: string }>,
  Out extends AnySchema,
  Errors extends ErrorMap,
>(
  endpoint: Endpoint<Initial, In, Out, Errors, MemberMeta>,
  handle: (
    given: Given<Omit<InferSchemaOutput<In>, "workspaceId">, MemberContext>,
  ) => Promise<InferSchemaInput<Out>>,
) {
  return made(endpoint, ["member", "people"], ({ input, context: { services, reply, access } }) => {
    if (access === null || !isMemberAccess(access)) throw new Error("no access to a workspace was granted");
    return handle({ input: withoutWorkspace(input), context: { services, reply, access } });
  });
}

/** What is left when the access has told the workspace. */
function withoutWorkspace<Input extends { readonly workspaceId: string }>({
  workspaceId: _granted,
  ...input
}: Input): Omit<Input, "workspaceId"> {
  return input;
}

function made<
  Initial extends SealedContext,
  In extends AnySchema,
  Out extends AnySchema,
  Errors extends ErrorMap,
  EndpointMeta extends Meta,
>(
  endpoint: Endpoint<Initial, In, Out, Errors, EndpointMeta>,
  kinds: readonly Kind[],
  handle: (given: Given<InferSchemaOutput<In>, RequestContext>) => Promise<InferSchemaInput<Out>>,
) {
  const procedure = endpoint.handler(({ input, context }) => handle({ input, context: context[REQUEST] }));
  MADE_FOR.set(procedure["~orpc"].handler, kinds);
  return procedure;
}
