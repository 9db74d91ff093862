import { expect, it } from "vitest";
import { auditEntry } from "#libs/contract/audit.ts";
import { pageOf } from "#libs/contract/query.ts";
import { workspace } from "#libs/contract/workspaces.ts";
import { aMember } from "../../tests/joining.ts";
import { startManagement } from "../../tests/management.ts";
import { aPublisher } from "../../tests/story.ts";

const service = await startManagement({ unlimited: true, workspacesPerPerson: 100 });
const sparing = await startManagement({ unlimited: true, workspacesPerPerson: 3, beside: service });
const publisher = await aPublisher(service);
const { person, caller, path } = publisher;

it("shows a workspace to any member, by session and by key, with their role", async () => {
  const viewer = await aMember(service, publisher, "Viewer");

  for (const reader of [person.caller, caller, viewer.caller]) {
    const role = reader === viewer.caller ? "Viewer" : "Owner";
    expect(await reader.ok(workspace, "GET", path)).toEqual({ ...publisher.workspace, role });
  }
});

it("lists my workspaces alone, with what I am in each", async () => {
  const other = await aMember(service, publisher, "Manager");
  const made = await other.caller.ok(workspace, "POST", "/v1/workspaces", { name: "Mine" });

  const mine = await other.caller.ok(pageOf(workspace), "GET", "/v1/workspaces");

  expect(made.role).toBe("Owner");
  expect(mine.items).toEqual([{ ...publisher.workspace, role: "Manager" }, made]);
  await caller.refused(403, "GET", "/v1/workspaces");
  await caller.refused(403, "POST", "/v1/workspaces", { name: "By a key" });
});

it("changes only the members that are sent", async () => {
  const { person, path, workspace: before } = await aPublisher(service, "Merging Weekly");

  const named = await person.caller.ok(workspace, "PATCH", path, { name: "  Merged Weekly " });
  const linked = await person.caller.ok(workspace, "PATCH", path, { websiteUrl: "https://merged.example" });
  const unlinked = await person.caller.ok(workspace, "PATCH", path, { websiteUrl: null, currency: "eur" });
  const untouched = await person.caller.ok(workspace, "PATCH", path, {});

  expect(named).toEqual({ ...before, name: "Merged Weekly", updatedAt: named.updatedAt });
  expect(linked).toMatchObject({ name: "Merged Weekly", websiteUrl: "https://merged.example" });
  expect(unlinked).toMatchObject({ name: "Merged Weekly", websiteUrl: null, currency: "eur" });
  expect(untouched).toEqual(unlinked);
});

it("merges changes of different fields that race", async () => {
  const { person, caller, path } = await aPublisher(service, "Racing Weekly");
  const changes = [
    { name: "Raced Weekly" },
    { slug: "raced-weekly" },
    { websiteUrl: "https://raced.example" },
    { currency: "jpy" },
  ];

  await Promise.all([
    ...changes.map((change) => person.caller.ok(workspace, "PATCH", path, change)),
    // Other changes hold on to the workspace's row meanwhile.
    ...Array.from({ length: 8 }, () =>
      caller.request("POST", `${path}/tiers`, {
        name: "Gold",
        weight: 3,
        initialPrices: [{ amount: 4900, intervalCount: 1, currency: "usd" }],
      }),
    ),
  ]).then((answers) => {
    for (const answer of answers) if ("status" in answer) expect(answer.status).toBe(200);
  });

  expect(await caller.ok(workspace, "GET", path)).toMatchObject(Object.assign({}, ...changes));
});

it("records racing changes one after the other: each begins where another ended", async () => {
  const publisher = await aPublisher(service, "Renamed Weekly");
  const names = Array.from({ length: 6 }, (_, n) => `Name ${n}`);

  await Promise.all(
    names.map((name) => publisher.person.caller.ok(workspace, "PATCH", publisher.path, { name })),
  );

  const log = await publisher.caller.ok(pageOf(auditEntry), "GET", `${publisher.path}/audit-log?perPage=100`);
  const changes = log.items.filter(({ action }) => action === "workspace.update");
  const now = await publisher.caller.ok(workspace, "GET", publisher.path);
  expect(changes.map(({ after }) => after?.name).toSorted()).toEqual(names);
  expect(changes.map(({ before }) => before?.name).toSorted()).toEqual(
    [...names.filter((name) => name !== now.name), "Renamed Weekly"].toSorted(),
  );
});

it("answers a slug that is taken with a conflict at `slug`, one of two racing ones winning", async () => {
  const one = await aPublisher(service, "First Weekly");
  const two = await aPublisher(service, "Second Weekly");

  const { data } = await one.person.caller.refused(409, "PATCH", one.path, { slug: two.workspace.slug });
  const race = await Promise.all(
    [one, two].map(({ person, path }) => person.caller.request("PATCH", path, { slug: "wanted-by-both" })),
  );
  const created = await one.person.caller.refused(409, "POST", "/v1/workspaces", {
    name: "Third",
    slug: "wanted-by-both",
  });

  expect(data?.fieldErrors).toEqual({ slug: ["This slug is taken."] });
  expect(race.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(created.data?.fieldErrors).toEqual({ slug: ["This slug is taken."] });
});

it("makes slugs from names, numbered where they are taken", async () => {
  const { person } = await aPublisher(service, "Numbered Weekly");

  const made = await Promise.all(
    Array.from({ length: 4 }, () =>
      person.caller.ok(workspace, "POST", "/v1/workspaces", { name: "Numbered Weekly" }),
    ),
  );

  expect(made.map(({ slug }) => slug).toSorted()).toEqual(
    [2, 3, 4, 5].map((number) => `numbered-weekly-${number}`),
  );
});

it("lets one person own so many workspaces and no more, however many they ask for at once", async () => {
  const elsewhere = await aPublisher(sparing);
  const manager = await aMember(sparing, elsewhere, "Manager");
  const create = () => manager.caller.request("POST", "/v1/workspaces", { name: "Many Weekly" });

  const answers = await Promise.all(Array.from({ length: 6 }, create));
  const { data } = await manager.caller.refused(409, "POST", "/v1/workspaces", { name: "Many Weekly" });

  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 409, 409, 409]);
  expect(data?.formErrors).toEqual(["One person may own 3 workspaces at most."]);
});

it("finds a slug for any number of workspaces of one name", async () => {
  const { person } = await aPublisher(service, "Popular Weekly");

  const made = await Promise.all(
    Array.from({ length: 60 }, () =>
      person.caller.ok(workspace, "POST", "/v1/workspaces", { name: "Popular Weekly" }),
    ),
  );

  expect(new Set(made.map(({ slug }) => slug)).size).toBe(60);
  for (const { slug } of made) expect(slug).toMatch(/^popular-weekly-([2-9]|[0-9a-z]{8})$/);
});

it("answers bad values with 422 at the field", async () => {
  for (const [field, values] of Object.entries({
    name: ["", "x", "  x  ", "x".repeat(81), 5, null, "a\u0000b", "\ud800\ud800"],
    slug: ["", "x", "Upper", "two--hyphens", "-edge", "a b", "x".repeat(61), null, "ümlaut"],
    websiteUrl: ["", "javascript:alert(1)", "ftp://example.com", "nothing", 5],
    currency: ["", "USD", "xxy", "us", null],
  })) {
    for (const value of values) {
      expect(await person.caller.invalid("PATCH", path, { [field]: value })).toEqual([field]);
    }
  }
});

it("tells which site showed its placements, and when", async () => {
  const publisher = await aPublisher(service);
  const { caller, path, workspace: made } = publisher;
  expect(made.site).toBeNull();
  const seenAt = Date.UTC(2026, 10, 23, 12);
  const see = (host: string, at: number) =>
    service.placements.noteSeen({ workspaceId: made.id, host, seenAt: at });
  const site = async () => (await caller.ok(workspace, "GET", path)).site;

  see("novak.example", seenAt);
  await expect.poll(site).toEqual({ host: "novak.example", seenAt: "2026-11-23T12:00:00.000Z" });

  see("late.example", seenAt - 1);
  see("www.novak.example", seenAt + 600_000);
  await expect.poll(site).toEqual({ host: "www.novak.example", seenAt: "2026-11-23T12:10:00.000Z" });
});
