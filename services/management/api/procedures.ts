import { toORPCError } from "@orpc/client";
import { StandardOpenAPICodec } from "@orpc/openapi/standard";
import {
  StandardBracketNotationSerializer,
  StandardOpenAPIJsonSerializer,
  StandardOpenAPISerializer,
} from "@orpc/openapi-client/standard";
import {
  type AnyProcedure,
  type AnyRouter,
  createProcedureClient,
  getRouter,
  isProcedure,
} from "@orpc/server";
import type { FastifyReply, FastifyRequest } from "fastify";
import {
  type BodyKeys,
  bodyKeysOf,
  findUnknownKeys,
  MOST_UNKNOWN,
  type UnknownName,
} from "#libs/contract/body-form.ts";
import type { Endpoint } from "#libs/contract/endpoints.ts";
import {
  type QueryParameters,
  type QueryValues,
  queryParametersOf,
  readQuery,
} from "#libs/contract/query-form.ts";
import { invalidInput } from "#libs/http/index.ts";
import { errorsOf, isMadeFor, type RequestContext, type SealedContext, seal } from "./api.ts";
import { checkIfMatch, sendTag } from "./preconditions.ts";
import { refuse } from "./refusals.ts";

const codec = new StandardOpenAPICodec(
  new StandardOpenAPISerializer(new StandardOpenAPIJsonSerializer(), new StandardBracketNotationSerializer()),
);

const NO_PARAMETERS: QueryParameters = new Map();

/** Answers a request of one endpoint: validates its input, runs its handler and shapes the answer. */
export type Answer = (
  request: FastifyRequest,
  reply: FastifyReply,
  context: RequestContext,
) => Promise<FastifyReply>;

/**
 * Makes the function that answers one endpoint. It is bound to the endpoint's procedure, so the route that Fastify matched
 * decides what runs, and no second router parses the path. Throws if the router has no handler for the endpoint, or
 * another endpoint's.
 */
export function answerOf(router: AnyRouter, endpoint: Endpoint, publicUrl: URL): Answer {
  const procedure = procedureOf(router, endpoint);
  const { inputSchema } = procedure["~orpc"];
  const readsQuery = endpoint.method === "GET";
  const parameters = readsQuery ? queryParametersOf(inputSchema, endpoint.path) : NO_PARAMETERS;
  const keys = bodyKeysOf(inputSchema, endpoint.path);
  const call = createProcedureClient(procedure, {
    context: (context: SealedContext) => context,
    path: endpoint.name.split("."),
    interceptors: [
      async ({ next, context }) => {
        try {
          return await next();
        } catch (thrown) {
          const { reply, logger } = errorsOf(context);
          throw refuse(thrown, reply, logger);
        }
      },
    ],
  });
  return async (request, reply, context) => {
    checkIfMatch(request, endpoint);
    const query = queryOf(request, parameters, endpoint.access.kind === "public");
    const given = readsQuery ? query : bodyOf(request, keys);
    try {
      const output = await call(inputOf(given, request), { context: seal(context) });
      linkNextPage(request, reply, output, publicUrl);
      if (endpoint.isTagged && sendTag(request, reply, output)) return reply.code(304).send();
      return await send(reply, codec.encode(output, procedure));
    } catch (thrown) {
      return await send(reply, codec.encodeError(toORPCError(thrown)));
    }
  };
}

/** Names the next page of a list in `Link` (RFC 8288), for clients that follow it without a look at the body. */
function linkNextPage({ url }: FastifyRequest, reply: FastifyReply, output: unknown, publicUrl: URL): void {
  if (!isObject(output) || !("nextCursor" in output) || typeof output.nextCursor !== "string") return;
  const next = new URL(url, publicUrl);
  next.searchParams.delete("page");
  next.searchParams.set("after", output.nextCursor);
  reply.header("link", `<${next.href}>; rel="next"`);
}

function procedureOf(router: AnyRouter, { name, method, path, access }: Endpoint): AnyProcedure {
  const found = getRouter(router, name.split("."));
  if (!isProcedure(found)) throw new Error(`${name} has no handler`);
  const { route, handler } = found["~orpc"];
  if (route.method !== method || route.path !== path) {
    throw new Error(`${name} has the handler of ${route.method} ${route.path}`);
  }
  if (!isMadeFor(handler, access.kind)) throw new Error(`${name} has no handler for ${access.kind} access`);
  return found;
}

/** The query or the body, then the path parameters: last, so that nothing overrides them. */
function inputOf(given: unknown, { params }: FastifyRequest): Record<string, unknown> {
  return { ...(isObject(given) ? given : {}), ...(isObject(params) ? params : {}) };
}

/**
 * Throws 422 for a parameter in a form that its schema does not have, and for one that is not known: a misspelt filter would
 * show everything. What anybody may call ignores these, as proxies and other sites append their own.
 */
function queryOf(
  { query }: FastifyRequest,
  parameters: QueryParameters,
  ignoresUnknown: boolean,
): QueryValues {
  const { values, problems, unknown } = readQuery(isObject(query) ? { ...query } : {}, parameters);
  if (Object.keys(problems).length > 0) throw invalidInput("INVALID_INPUT", { fieldErrors: problems });
  if (!ignoresUnknown) {
    const known = [...parameters.keys()];
    refuseUnknown(
      "parameter",
      unknown.slice(0, MOST_UNKNOWN).map((at) => ({ at, known })),
    );
  }
  return values;
}

/** Throws 422 for a key that the schema does not have, at any depth: a misspelt `amount` would refund everything. */
function bodyOf({ body }: FastifyRequest, keys: BodyKeys): unknown {
  if (isObject(body)) refuseUnknown("key", findUnknownKeys(body, keys));
  return body;
}

function refuseUnknown(what: "key" | "parameter", unknown: readonly UnknownName[]): void {
  if (unknown.length === 0) return;
  const problems = unknown.map(({ at, known }) => {
    const names = known.map((name) => `\`${name}\``).join(", ");
    return [
      at,
      [`Unknown ${what}. ${names === "" ? "None is taken here." : `Known here: ${names}.`}`],
    ] as const;
  });
  throw invalidInput("UNKNOWN_KEY", { fieldErrors: Object.fromEntries(problems) });
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

async function send(
  reply: FastifyReply,
  answer: { readonly status: number; readonly body: unknown },
): Promise<FastifyReply> {
  reply.code(answer.status);
  // A handler that streams has set the content type itself.
  if (answer.body instanceof ReadableStream) {
    if (reply.request.method !== "HEAD") return reply.send(answer.body);
    // Else all of a file would be read and written for nobody.
    await answer.body.cancel();
    return reply.send();
  }
  return reply.header("content-type", "application/json").send(JSON.stringify(answer.body));
}
