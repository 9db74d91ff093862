import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fastify } from "fastify";
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";
import { pino } from "pino";
import { expect, expectTypeOf, it } from "vitest";
import { managementContract } from "#libs/contract/contract.ts";
import { type Endpoint, listEndpoints } from "#libs/contract/endpoints.ts";
import { onePage } from "#libs/contract/query.ts";
import type { Tables } from "#libs/database/tables.ts";
import { notFound } from "#libs/http/index.ts";
import { grant, isMemberAccess, type MemberAccess } from "../api/access/granted.ts";
import { api, forAnybody, forMembers, forSignedIn, type SealedContext } from "../api/api.ts";
import { answerOf } from "../api/procedures.ts";

const MANAGEMENT = join(import.meta.dirname, "..");

const answer = async () => ({
  total: 0,
  page: 1,
  perPage: 25,
  pageCount: 1,
  nextCursor: null,
  ads: 0,
  revisions: 0,
  items: [],
});
const origin = new URL("https://ads.example");
const actor = { kind: "person", id: "person_1", personId: "person_1", name: "Ada Example" } as const;

function endpointNamed(wanted: string): Endpoint {
  const found = listEndpoints(managementContract).find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`there is no ${wanted}`);
  return found;
}

it("takes for a workspace's endpoint only a handler that is given access, by the types and at the start", () => {
  // @ts-expect-error An endpoint of a workspace is not for anybody.
  const open = forAnybody(api.ads.toReview, answer);
  // @ts-expect-error It takes more than to be signed in.
  const signedIn = forSignedIn(api.ads.toReview, answer);
  const bare = api.ads.toReview.handler(answer);

  for (const toReview of [open, signedIn, bare]) {
    expect(() => answerOf({ ads: { toReview } }, endpointNamed("ads.toReview"), origin)).toThrow(
      "ads.toReview has no handler for member access",
    );
  }
});

it("takes for a person's endpoint only a handler that is given who is signed in", () => {
  // @ts-expect-error An endpoint of a signed-in person is not for anybody.
  const list = forAnybody(api.workspaces.list, async () => onePage([]));

  expect(() => answerOf({ workspaces: { list } }, endpointNamed("workspaces.list"), origin)).toThrow(
    "workspaces.list has no handler for session access",
  );
});

it("does not start without a handler, or with the handler of another endpoint", () => {
  const toReview = forMembers(api.ads.toReview, answer);

  expect(() => answerOf({ ads: {} }, endpointNamed("ads.toReview"), origin)).toThrow(
    "ads.toReview has no handler",
  );
  expect(() => answerOf({ ads: { pause: toReview } }, endpointNamed("ads.pause"), origin)).toThrow(
    "ads.pause has the handler of GET /workspaces/{workspaceId}/review-queue",
  );
});

it("shows a handler of a workspace's endpoint no workspace but the one that was granted", () => {
  forMembers(api.ads.get, async ({ input, context }) => {
    expectTypeOf(input).toEqualTypeOf<{ adId: string }>();
    expectTypeOf(context.access).toEqualTypeOf<MemberAccess>();
    throw new Error("never called");
  });
  api.ads.get.handler(async ({ context }) => {
    expectTypeOf(context).toEqualTypeOf<SealedContext>();
    // @ts-expect-error A handler without access sees nothing of the request.
    return context.db;
  });
});

it("shows a handler for anybody the database and the reply, and no more of the request", async () => {
  const seen: string[] = [];
  const get = forAnybody(api.checkout.get, async ({ context }) => {
    seen.push(...Object.keys(context));
    throw notFound("Checkout session");
  });
  const answerGet = answerOf({ checkout: { get } }, endpointNamed("checkout.get"), origin);
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (at) => new PostgresIntrospector(at),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  const app = fastify();
  app.get("/:sessionId", (request, reply) =>
    answerGet(request, reply, { db, logger: pino({ level: "silent" }), access: null, reply }),
  );

  const { statusCode } = await app.inject("/cs_1");

  expect(statusCode).toBe(404);
  expect(seen.toSorted()).toEqual(["db", "reply"]);
});

it("believes no access but what the check has granted", () => {
  const member = { id: "member_1", workspaceId: "workspace_1", role: "Owner" } as const;
  // @ts-expect-error An object with the same properties is no proof.
  const forged: MemberAccess = {
    actor,
    workspaceId: member.workspaceId,
    memberId: member.id,
    role: member.role,
  };

  expect(isMemberAccess(forged)).toBe(false);
  expect(isMemberAccess(grant({ kind: "session" }, { actor, member }))).toBe(false);
  expect(isMemberAccess(grant({ kind: "member", role: "Viewer" }, { actor, member }))).toBe(true);
  expect(() => grant({ kind: "member", role: "Viewer" }, { actor, member: null })).toThrow(/role Viewer/);
});

it("gives the database of the whole installation to few handlers of a workspace's endpoints", async () => {
  const sources = await readdir(MANAGEMENT, { recursive: true });
  const texts = sources
    .filter((name) => name.endsWith(".ts") && !name.endsWith("api.test.ts"))
    .map((name) => readFile(join(MANAGEMENT, name), "utf8"));
  const unscoped = [...(await Promise.all(texts)).join("").matchAll(/forMembersUnscoped\(\s*api\.([\w.]+)/g)];

  expect(unscoped.map(([, name]) => name).toSorted()).toEqual([
    "advertisers.erase",
    "advertisers.export",
    "workspaces.export",
  ]);
});

it("composes no handlers but the checkout's with the database of the whole installation", async () => {
  const router = await readFile(join(MANAGEMENT, "start/router.ts"), "utf8");

  expect([...router.matchAll(/(\w+)\(services\)/g)].map(([, name]) => name)).toEqual(["checkoutRoutes"]);
});
