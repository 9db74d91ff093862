import { expect, it } from "vitest";
import { acknowledged, field } from "#libs/contract/fields.ts";
import { pageOf } from "#libs/contract/query.ts";
import { newId } from "#libs/domain/ids.ts";
import { auditOf } from "../../tests/catalogue-facts.ts";
import { startManagement } from "../../tests/management.ts";
import { aField, aMember, aPublisher } from "../../tests/story.ts";

const service = await startManagement({ unlimited: true });
const publisher = await aPublisher(service);
const { caller, path } = publisher;

it("creates a field with the defaults for omitted values", async () => {
  const own = await aPublisher(service, "A Third Weekly");

  const made = await own.caller.ok(field, "POST", `${own.path}/fields`, {
    name: " Call to action ",
    type: "Text",
  });

  expect(made).toEqual({
    id: expect.stringMatching(/^field_[0-9a-z]{26}$/),
    key: "call_to_action",
    name: "Call to action",
    type: "Text",
    description: "",
    default: "",
    placeholder: "",
    isRequired: false,
    isPublisherOnly: false,
    order: 0,
    options: [],
    maxLength: null,
    min: null,
    max: null,
    image: null,
    workspaceId: own.workspace.id,
    createdAt: expect.any(String),
    updatedAt: made.createdAt,
  });
  expect(await own.caller.ok(field, "GET", `${own.path}/fields/${made.id}`)).toEqual(made);
});

it.each([
  { type: "Text", maxLength: 500, default: "Read on", placeholder: "Read on", isRequired: true },
  { type: "Textarea", maxLength: 10_000, default: "Two\nlines", isPublisherOnly: true },
  { type: "Url", default: "https://example.com/" },
  { type: "Email", default: "ads@example.com" },
  { type: "Number", min: -1.5, max: 10, default: "2.5" },
  { type: "Switch", default: "true" },
  { type: "Select", options: ["Left", "Right", "左"], default: "左" },
  {
    type: "Image",
    default: "https://example.com/logo.png",
    image: { width: 600, height: 500, ratio: "1.2:1", minWidth: 300, minHeight: null },
  },
  { type: "Date", default: "2028-02-29" },
  { type: "Color", default: "#ff8800" },
])("keeps every part of a $type", async (parts) => {
  const body = { name: `A ${parts.type}`, key: `a_${parts.type.toLowerCase()}`, order: 4, ...parts };

  const made = await caller.ok(field, "POST", `${path}/fields`, body);

  expect(made).toMatchObject(body);
});

it("lists fields by order and then by id, a page at a time", async () => {
  const own = await aPublisher(service, "A Fourth Weekly");
  const empty = await own.caller.ok(pageOf(field), "GET", `${own.path}/fields`);
  const late = await aField(own, { order: 7 });
  const early = await aField(own, { order: 2 });
  const last = await aField(own);

  const first = await own.caller.ok(pageOf(field), "GET", `${own.path}/fields?perPage=2`);
  const beyond = await own.caller.ok(pageOf(field), "GET", `${own.path}/fields?perPage=2&page=99`);

  expect(empty).toEqual({ items: [], total: 0, page: 1, perPage: 25, pageCount: 1, nextCursor: null });
  expect(first).toMatchObject({ items: [early, late], total: 3, page: 1, perPage: 2, pageCount: 2 });
  expect(beyond).toMatchObject({ items: [{ ...last, order: 8 }], page: 2 });
  expect([late.key, early.key, last.key]).toEqual(["tagline", "tagline_2", "tagline_3"]);
});

it("gives fields that are created at once an order and a key of their own", async () => {
  const own = await aPublisher(service, "A Fifth Weekly");

  const made = await Promise.all(Array.from({ length: 8 }, () => aField(own)));

  expect(made.map(({ order }) => order).toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(new Set(made.map(({ key }) => key)).size).toBe(8);
});

it("answers 409 at key for one that is taken, also to all but one of a race", async () => {
  const taken = await aField(publisher, { key: "slogan" });
  const other = await aField(publisher, { key: "motto" });

  const created = await caller.refused(409, "POST", `${path}/fields`, {
    name: "S",
    type: "Url",
    key: "slogan",
  });
  const changed = await caller.refused(409, "PATCH", `${path}/fields/${other.id}`, { key: "slogan" });
  const racing = await Promise.all(
    Array.from({ length: 6 }, () =>
      caller.request("POST", `${path}/fields`, { name: "R", type: "Text", key: "raced" }),
    ),
  );

  for (const { data } of [created, changed]) expect(Object.keys(data?.fieldErrors ?? {})).toEqual(["key"]);
  expect(racing.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409]);
  expect(await caller.ok(field, "GET", `${path}/fields/${taken.id}`)).toEqual(taken);
  const own = await aPublisher(service, "A Sixth Weekly");
  expect((await aField(own, { key: "slogan" })).key).toBe("slogan");
});

it("changes the sent values, keeps the rest and judges the whole field", async () => {
  const made = await aField(publisher, { type: "Number", min: 1, max: 10, default: "5" });
  const at = `${path}/fields/${made.id}`;

  const { data } = await caller.refused(422, "PATCH", at, { max: 4 });
  const widened = await caller.ok(field, "PATCH", at, { max: null, default: "" });
  const typeless = await caller.refused(422, "PATCH", at, { type: "Text" });
  const text = await caller.ok(field, "PATCH", at, { type: "Text", min: null, maxLength: 20 });

  expect(data?.fieldErrors).toEqual({ default: ["Must be at most 4."] });
  expect(widened).toEqual({ ...made, max: null, default: "", updatedAt: widened.updatedAt });
  expect(Object.keys(typeless.data?.fieldErrors ?? {})).toEqual(["min"]);
  expect(text).toMatchObject({ type: "Text", min: null, maxLength: 20, key: made.key });
});

it("loses none of the changes that are sent at once to different parts", async () => {
  const made = await aField(publisher);
  const changes = [
    { name: "Slogan" },
    { isRequired: true },
    { maxLength: 30 },
    { placeholder: "…" },
    { order: 9 },
  ];

  await Promise.all(changes.map((body) => caller.ok(field, "PATCH", `${path}/fields/${made.id}`, body)));

  expect(await caller.ok(field, "GET", `${path}/fields/${made.id}`)).toMatchObject(
    Object.assign({}, ...changes),
  );
});

it("keeps the order of the other fields when one is deleted, and frees its key", async () => {
  const own = await aPublisher(service, "A Seventh Weekly");
  const [first, second, third] = [await aField(own), await aField(own), await aField(own)];

  await own.caller.ok(acknowledged, "DELETE", `${own.path}/fields/${second.id}`);
  const again = await aField(own);

  const { items } = await own.caller.ok(pageOf(field), "GET", `${own.path}/fields`);
  expect(items).toEqual([first, third, again]);
  expect(again).toMatchObject({ key: "tagline_2", order: 3 });
});

it("answers 404 for an id that is not one of the workspace's fields, 403 for a key of another and for a Viewer's writes", async () => {
  const made = await aField(publisher);
  const neighbour = await aPublisher(service, "Another Weekly");
  const { caller: viewer } = await aMember(service, publisher, "Viewer");

  for (const [method, body] of [["GET"], ["PATCH", { name: "Taken over" }], ["DELETE"]] as const) {
    for (const id of [newId("field"), "field_1", "%00", "%F0%9F%92%A5", publisher.workspace.id]) {
      const { message } = await caller.refused(404, method, `${path}/fields/${id}`, body);
      expect(message).toBe("Field not found.");
    }
    await neighbour.caller.refused(404, method, `${neighbour.path}/fields/${made.id}`, body);
    await neighbour.caller.refused(403, method, `${path}/fields/${made.id}`, body);
    if (method !== "GET") await viewer.refused(403, method, `${path}/fields/${made.id}`, body);
  }
  await viewer.refused(403, "POST", `${path}/fields`, { name: "Mine", type: "Text" });

  expect(await viewer.ok(field, "GET", `${path}/fields/${made.id}`)).toEqual(made);
});

it("records who made, changed and deleted a field, and nothing for a change that changes nothing", async () => {
  const made = await aField(publisher, { key: "audited" });
  const at = `${path}/fields/${made.id}`;
  await caller.ok(field, "PATCH", at, { name: made.name, options: [] });
  await caller.ok(field, "PATCH", at, { maxLength: 20, name: made.name });
  await caller.ok(acknowledged, "DELETE", at);

  const entries = await auditOf(service, made.id);

  expect(entries).toMatchObject([
    { action: "field.create", resource_kind: "field", actor_kind: "key", before: null, after: made },
    { action: "field.update", before: { maxLength: null }, after: { maxLength: 20 } },
    { action: "field.delete", before: { key: "audited", maxLength: 20 }, after: null },
  ]);
  expect(entries[1]?.after).toEqual({ maxLength: 20 });
});
