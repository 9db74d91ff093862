import { expect, it } from "vitest";
import { createTestDatabase } from "#libs/database/testing.ts";
import { newId } from "#libs/domain/ids.ts";
import { startManagement } from "../tests/management.ts";
import { anApprovedAd, aPublisher } from "../tests/story.ts";
import { endPageTurn, inPageTurn, inReadersTurn, inStatsTurn, noteReading } from "./turns.ts";

const { db } = await createTestDatabase();
const WANTED = { closed: false };

it("lets sixteen counts of an owner wait, and refuses more of this owner alone", async () => {
  const workspaceId = newId("workspace");
  const gate = Promise.withResolvers<void>();
  const counts = Array.from({ length: 18 }, () => inStatsTurn(db, workspaceId, WANTED, () => gate.promise));

  const first = await Promise.race(counts.map((count) => count.catch((error: unknown) => error)));
  expect(first).toMatchObject({ status: 429 });
  expect(await inStatsTurn(db, newId("workspace"), WANTED, async () => "counted")).toBe("counted");
  gate.resolve();
  const settled = await Promise.allSettled(counts);
  expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(17);
});

it("lets an owner have two that wait where 64 wait in all", async () => {
  const gate = Promise.withResolvers<void>();
  const ask = (owner: string) => inStatsTurn(db, owner, WANTED, () => gate.promise);
  /** How the first of them settles, while none is counted. */
  const refusalOf = (counts: readonly Promise<void>[]) =>
    Promise.race(counts.map((count) => count.catch((error: unknown) => error)));
  const owners = Array.from({ length: 10 }, () => newId("workspace"));
  const many = owners.flatMap((owner) => Array.from({ length: 8 }, () => ask(owner)));
  expect(await refusalOf(many)).toMatchObject({ status: 429 });

  const newcomer = newId("workspace");
  const three = [ask(newcomer), ask(newcomer), ask(newcomer)];
  expect(await refusalOf(three)).toMatchObject({ status: 429 });
  gate.resolve();

  const settled = await Promise.allSettled(three);
  expect(settled.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "fulfilled", "rejected"]);
  await Promise.allSettled(many);
});

it("lets three readers of an ad's report wait, and none of its owner's own counts for them", async () => {
  const workspaceId = newId("workspace");
  const gate = Promise.withResolvers<void>();
  const read = (adId: string) => inReadersTurn(adId, db, workspaceId, WANTED, () => gate.promise);
  const [ad, other] = [newId("ad"), newId("ad")];
  const readers = [ad, ad, ad, ad, other].map(read);

  expect(await Promise.race(readers.map((one) => one.catch((error: unknown) => error)))).toMatchObject({
    status: 429,
  });
  expect(await inStatsTurn(db, workspaceId, WANTED, async () => "counted")).toBe("counted");
  gate.resolve();
  const settled = await Promise.allSettled(readers);
  expect(settled.map(({ status }) => status)).toEqual([
    "fulfilled",
    "fulfilled",
    "fulfilled",
    "rejected",
    "fulfilled",
  ]);
  await expect(read(ad)).resolves.toBeUndefined();
});

it("begins nothing that nobody waits for any more", async () => {
  let begun = false;
  const count = async () => {
    begun = true;
  };

  await expect(inStatsTurn(db, newId("workspace"), { closed: true }, count)).rejects.toMatchObject({
    status: 503,
  });
  expect(begun).toBe(false);
});

it("makes long pages and files of one owner wait for each other, and no short pages or others", async () => {
  const service = await startManagement({ unlimited: true, stats: "real" });
  const [busy, other] = [await aPublisher(service), await aPublisher(service)];
  await anApprovedAd(service, busy);
  const gate = Promise.withResolvers<void>();
  const reads = Array.from({ length: 18 }, () =>
    inPageTurn(service.database.db, busy.workspace.id, WANTED, () => gate.promise),
  );
  const statusOf = async ({ caller, path }: typeof busy, list: string) =>
    (await caller.request("GET", `${path}${list}`)).status;
  const long = [
    "/ads?include=meta",
    "/revisions",
    "/advertisers",
    "/subscriptions",
    "/invoices",
    "/ads?perPage=100",
    "/ads.csv",
  ];

  expect(await Promise.race(reads.map((read) => read.catch((error: unknown) => error)))).toMatchObject({
    status: 429,
  });
  expect(await Promise.all(long.map((list) => statusOf(busy, list)))).toEqual(long.map(() => 429));
  expect(await statusOf(busy, "/ads")).toBe(200);
  expect(await Promise.all(long.map((list) => statusOf(other, list)))).toEqual(long.map(() => 200));
  gate.resolve();
  await Promise.allSettled(reads);
  expect(await Promise.all(long.map((list) => statusOf(busy, list)))).toEqual(long.map(() => 200));
});

it("has all that a person reads wait for turns once they have read much, also what has turns of its own", async () => {
  const service = await startManagement({ unlimited: true, stats: "real" });
  const publisher = await aPublisher(service);
  await anApprovedAd(service, publisher);
  const { caller, path, workspace } = publisher;
  const statusOf = async (what: string) => (await caller.request("GET", `${path}${what}`)).status;
  const gate = Promise.withResolvers<void>();
  const reads = Array.from({ length: 18 }, () =>
    inPageTurn(service.database.db, workspace.id, WANTED, () => gate.promise),
  );
  await Promise.race(reads.map((read) => read.catch((error: unknown) => error)));

  expect(await statusOf("/fields")).toBe(200);
  const { person_id: personId } = await service.database.db
    .selectFrom("members")
    .where("workspace_id", "=", workspace.id)
    .select("person_id")
    .executeTakeFirstOrThrow();
  noteReading(personId, 1024 * 1024);
  expect(await statusOf("/fields")).toBe(429);
  gate.resolve();
  await Promise.allSettled(reads);

  const all = [
    "/fields",
    "/subscriptions",
    "/ads.csv",
    "/ads?sort=clicks",
    "/traffic",
    "/reports.csv",
    "/stats",
  ];
  expect(await Promise.all(all.map(statusOf))).toEqual(all.map(() => 200));
});

it("keeps no page's turn while it waits for a count, nor once the work has gone on without it", async () => {
  const workspaceId = newId("workspace");
  const gate = Promise.withResolvers<void>();
  const read = inPageTurn(db, workspaceId, WANTED, () =>
    inStatsTurn(db, workspaceId, WANTED, () => gate.promise),
  );
  const begun: string[] = [];
  const other = inPageTurn(db, workspaceId, WANTED, async () => {
    begun.push("other");
  });

  await other;
  expect(begun).toEqual(["other"]);
  gate.resolve();
  await read;

  const failing = inPageTurn(db, workspaceId, WANTED, async () => {
    endPageTurn();
    throw new Error("too late");
  });
  await expect(failing).rejects.toThrow("too late");
  expect(await inPageTurn(db, workspaceId, WANTED, async () => "read")).toBe("read");
});
