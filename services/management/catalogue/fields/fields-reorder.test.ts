import { expect, it } from "vitest";
import { acknowledged, field } from "#libs/contract/fields.ts";
import { pageOf } from "#libs/contract/query.ts";
import { newId } from "#libs/domain/ids.ts";
import { auditOf } from "../../tests/catalogue-facts.ts";
import { startManagement } from "../../tests/management.ts";
import { aField, aMember, aPublisher, type Publisher } from "../../tests/story.ts";

const service = await startManagement({ unlimited: true });
const neighbour = await aPublisher(service, "Another Weekly");

/** A workspace with fields of these names, in this order, and moves of them by name. */
async function aList(names: string) {
  const publisher = await aPublisher(service);
  const ids = new Map<string, string>();
  for (const name of names) ids.set(name, (await aField(publisher, { name })).id);
  const idOf = (name: string) => ids.get(name) ?? name;
  const reorder = `${publisher.path}/fields/reorder`;
  const move = (targets: readonly (readonly [name: string, order: unknown])[]) => ({
    fields: targets.map(([name, order]) => ({ id: idOf(name), order })),
  });
  return { publisher, idOf, reorder, move, caller: publisher.caller };
}

async function orderOf({ caller, path }: Publisher) {
  const { items } = await caller.ok(pageOf(field), "GET", `${path}/fields?perPage=100`);
  return { names: items.map(({ name }) => name).join(""), orders: items.map(({ order }) => order) };
}

it.each([
  ["nothing at all", [], "abcde"],
  ["one to the front", [["d", 0]], "dabce"],
  ["one to its own place", [["c", 2]], "abcde"],
  ["one beyond the end, which is the end", [["a", 9_007_199_254_740_991]], "bcdea"],
  [
    "two, in whatever order they are mentioned",
    [
      ["a", 3],
      ["e", 0],
    ],
    "ebcad",
  ],
  [
    "two to one target, as mentioned",
    [
      ["e", 1],
      ["d", 1],
    ],
    "aedbc",
  ],
  [
    "all, with sparse targets",
    [
      ["a", 50],
      ["b", 40],
      ["c", 30],
      ["d", 20],
      ["e", 10],
    ],
    "edcba",
  ],
] as const)("moves %s", async (_what, targets, expected) => {
  const { publisher, caller, reorder, move } = await aList("abcde");

  const answer = await caller.ok(acknowledged, "POST", reorder, move(targets));

  expect(answer).toEqual({ success: true });
  expect(await orderOf(publisher)).toEqual({ names: expected, orders: [0, 1, 2, 3, 4] });
});

it("renumbers to a dense sequence whatever numbers there were", async () => {
  const { publisher, caller, reorder, move, idOf } = await aList("abc");
  await caller.ok(field, "PATCH", `${publisher.path}/fields/${idOf("a")}`, { order: 500 });
  await caller.ok(field, "PATCH", `${publisher.path}/fields/${idOf("b")}`, { order: 7 });

  await caller.ok(acknowledged, "POST", reorder, move([["b", 1]]));

  expect(await orderOf(publisher)).toEqual({ names: "cba", orders: [0, 1, 2] });
});

it("writes only the fields whose number changes", async () => {
  const { publisher, caller, reorder, move } = await aList("abcde");
  const versions = async () => {
    const { rows } = await service.database.pool.query<{ name: string; version: string }>(
      "select name, xmin::text as version from fields where workspace_id = $1 order by name",
      [publisher.workspace.id],
    );
    return rows;
  };
  const before = await versions();

  await caller.ok(acknowledged, "POST", reorder, move([["e", 3]]));

  const after = await versions();
  const written = after.filter(({ version }, index) => version !== before[index]?.version);
  expect(written.map(({ name }) => name)).toEqual(["d", "e"]);
  expect(await orderOf(publisher)).toEqual({ names: "abced", orders: [0, 1, 2, 3, 4] });
});

it("answers 404 for an id that is none of the workspace's and moves nothing", async () => {
  const { publisher, caller, reorder, move } = await aList("abc");
  const theirs = await aField(neighbour);

  for (const id of [newId("field"), theirs.id, "", "field_1", "a\u0000b", "\ud800", "x".repeat(10_000)]) {
    const { message } = await caller.refused(
      404,
      "POST",
      reorder,
      move([
        ["c", 0],
        [id, 1],
      ]),
    );
    expect(message).toBe("Field not found.");
  }

  expect(await orderOf(publisher)).toEqual({ names: "abc", orders: [0, 1, 2] });
});

it.each([
  [
    "fields.1",
    [
      ["a", 0],
      ["a", 1],
    ],
  ],
  [
    "fields.2",
    [
      ["a", 0],
      ["b", 1],
      ["a", 0],
    ],
  ],
  ["fields.0", [["c", -1]]],
  [
    "fields.1",
    [
      ["a", 0],
      ["b", -9_007_199_254_740_991],
    ],
  ],
  ["fields.0.order", [["c", 0.5]]],
  ["fields.0.order", [["c", "0"]]],
  ["fields.0.order", [["c", null]]],
  ["fields.0.order", [["c", 2 ** 53]]],
  ["fields.0.order", [["c", undefined]]],
] as const)("answers 422 at %s for %j and moves nothing", async (at, targets) => {
  const { publisher, caller, reorder, move } = await aList("abc");

  const { data } = await caller.refused(422, "POST", reorder, move(targets));

  expect(Object.keys(data?.fieldErrors ?? {})).toEqual([at]);
  expect((await orderOf(publisher)).names).toBe("abc");
});

it.each([
  ["fields", {}],
  ["fields", { fields: null }],
  ["fields", { fields: {} }],
  ["fields", { fields: Array.from({ length: 1001 }, (_, order) => ({ id: `field_${order}`, order })) }],
  ["fields.0", { fields: [null] }],
  ["fields.0", { fields: ["a"] }],
  ["fields.0.id", { fields: [{ order: 0 }] }],
  ["fields.0.id", { fields: [{ id: 5, order: 0 }] }],
])("answers 422 at %s for a body that is no list of moves", async (at, body) => {
  const { data } = await neighbour.caller.refused(422, "POST", `${neighbour.path}/fields/reorder`, body);

  expect(Object.keys(data?.fieldErrors ?? {})).toEqual([at]);
});

it("lets concurrent reorderings, creations and deletions each take effect as a whole", async () => {
  const { publisher, caller, reorder, move, idOf } = await aList("abcdef");

  const answers = await Promise.all([
    ...Array.from({ length: 12 }, (_, index) =>
      caller.request(
        "POST",
        reorder,
        move([
          ["bcde".charAt(index % 4), index % 3],
          ["a", 5 - (index % 5)],
        ]),
      ),
    ),
    caller.request("POST", `${publisher.path}/fields`, { name: "g", type: "Text" }),
    caller.request("DELETE", `${publisher.path}/fields/${idOf("f")}`),
    caller.request("PATCH", `${publisher.path}/fields/${idOf("b")}`, { isPublisherOnly: true }),
  ]);
  await caller.ok(acknowledged, "POST", reorder, { fields: [] });

  expect(answers.map(({ status }) => status)).toEqual(Array(15).fill(200));
  const { names, orders } = await orderOf(publisher);
  expect([...names].toSorted().join("")).toBe("abcdeg");
  expect(orders).toEqual([0, 1, 2, 3, 4, 5]);
});

it("may be done by a Manager, by no Viewer and by no key of another workspace, and is recorded", async () => {
  const { publisher, reorder, move, idOf } = await aList("abc");
  const { caller: manager } = await aMember(service, publisher, "Manager");
  const { caller: viewer } = await aMember(service, publisher, "Viewer");

  await viewer.refused(403, "POST", reorder, move([["c", 0]]));
  await neighbour.caller.refused(403, "POST", reorder, move([["c", 0]]));
  await manager.ok(acknowledged, "POST", reorder, move([["c", 0]]));
  await manager.ok(acknowledged, "POST", reorder, move([["c", 0]]));

  expect((await orderOf(publisher)).names).toBe("cab");
  const entries = await auditOf(service, publisher.workspace.id);
  expect(entries.filter(({ resource_kind }) => resource_kind === "field")).toMatchObject([
    {
      action: "field.reorder",
      resource_kind: "field",
      actor_name: "Grace Example",
      before: { fields: [{ id: idOf("c"), order: 2 }] },
      after: { fields: [{ id: idOf("c"), order: 0 }] },
    },
  ]);
});
