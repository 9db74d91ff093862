import { sql } from "kysely";
import { expect, it } from "vitest";
import { managementContract } from "#libs/contract/contract.ts";
import { listEndpoints } from "#libs/contract/endpoints.ts";
import { startTestServer } from "#libs/http/tests/test-server.ts";
import { grant } from "../api/access/granted.ts";
import { api, forMembers, type MemberContext } from "../api/api.ts";
import { answerOf } from "../api/procedures.ts";
import { startManagement } from "./management.ts";
import { aPublisher, aTier } from "./story.ts";

const service = await startManagement({ unlimited: true });
const ours = await aPublisher(service, "Heron Weekly");
const theirs = await aPublisher(service, "Magpie Weekly");
await aTier(theirs, { name: "Magpie Gold" });

const toReview = listEndpoints(managementContract).find(({ name }) => name === "ads.toReview");
if (toReview === undefined) throw new Error("the contract has no ads.toReview");
const actor = { kind: "person", id: "person_1", personId: "person_1", name: "Ada Example" } as const;
const access = grant(
  toReview.access.kind === "member" ? toReview.access : { kind: "member", role: "Viewer" },
  {
    actor,
    member: { id: "member_1", workspaceId: ours.workspace.id, role: "Owner" },
  },
);

/** What a handler that says nothing of whose rows it means leaves behind: its answer's status, and what it has found. */
async function answerBy(forget: (context: MemberContext) => Promise<unknown>) {
  let found: unknown;
  const handler = forMembers(api.ads.toReview, async ({ context }) => {
    found = await forget(context);
    return {
      total: 0,
      page: 1,
      perPage: 25,
      pageCount: 1,
      nextCursor: null,
      ads: 0,
      revisions: 0,
      items: [],
    };
  });
  const answer = answerOf({ ads: { toReview: handler } }, endpoint(), service.services.publicUrl);
  const { services } = service;
  const server = await startTestServer((app) => {
    app.get("/:workspaceId", (request, reply) =>
      answer(request, reply, { db: services.db, logger: services.logger, access, reply }),
    );
  });
  const { status } = await server.fetch(`/${theirs.workspace.id}`);
  await server.close();
  return { status, found };
}

function endpoint() {
  if (toReview === undefined) throw new Error("the contract has no ads.toReview");
  return toReview;
}

it("shows a handler that forgets whose rows it means no row of another workspace", async () => {
  const { status, found } = await answerBy(async ({ db }) => [
    await db.selectFrom("tiers").selectAll().execute(),
    await db
      .selectFrom("workspaces")
      .leftJoin("tiers", (join) => join.onTrue())
      .selectAll("tiers")
      .execute(),
    await db
      .selectFrom("members")
      .innerJoin("people", "people.id", "members.person_id")
      .select("email")
      .execute(),
  ]);

  expect(status).toBe(200);
  expect(JSON.stringify(found)).not.toContain("Magpie");
  expect(JSON.stringify(found)).toContain(ours.person.email);
  expect(JSON.stringify(found)).not.toContain(theirs.person.email);
});

it("lets a handler that forgets whose rows it means change no row of another workspace", async () => {
  const { status } = await answerBy(async ({ db }) => {
    await db.updateTable("tiers").set({ name: "Ours now" }).execute();
    await db.transaction().execute((trx) => trx.deleteFrom("tiers").execute());
  });

  expect(status).toBe(200);
  const { text } = await theirs.caller.request("GET", `${theirs.path}/tiers`);
  expect(text).toContain("Magpie Gold");
});

it.each<[string, (context: MemberContext) => Promise<unknown>]>([
  ["runs SQL of its own", ({ db }) => sql`select * from tiers`.execute(db)],
  ["reads what people sign in with", ({ db }) => db.selectFrom("sessions").selectAll().execute()],
  [
    "writes for another workspace",
    ({ db }) =>
      db
        .insertInto("uploads")
        .values({
          key: "upload",
          workspace_id: theirs.workspace.id,
          granted_at: new Date(),
          due_at: new Date(),
        })
        .execute(),
  ],
])("answers 500 where a handler %s", async (_what, forget) => {
  expect((await answerBy(forget)).status).toBe(500);
});
