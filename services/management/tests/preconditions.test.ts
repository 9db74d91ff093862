import { expect, it } from "vitest";
import { managementContract } from "#libs/contract/contract.ts";
import { listEndpoints } from "#libs/contract/endpoints.ts";
import { envelope } from "./envelope.ts";
import { startManagement } from "./management.ts";
import { aField, anApprovedAd, aPendingAd, aPublisher, aTier } from "./story.ts";

const service = await startManagement({ unlimited: true, stats: "real" });
const publisher = await aPublisher(service);
const { caller, path } = publisher;
const notes = await aField(publisher, { name: "Notes", key: "notes", isPublisherOnly: true });
const note = "Shorter, please.";
const revised = { name: "Revised", websiteUrl: "https://coffee.example" };

const endpoints = listEndpoints(managementContract);
const priceOf = async (tierPath: string) => JSON.parse((await read(tierPath)).text).prices[0].id;

async function read(from: string, headers: Record<string, string> = {}) {
  return await caller.request("GET", from, undefined, headers);
}

async function tagOf(from: string): Promise<string> {
  return (await read(from)).headers.get("etag") ?? "";
}

async function aRevision() {
  const running = await anApprovedAd(service, publisher);
  await running.checkout.caller.request("POST", `${running.checkout.path}/ad`, revised);
  return { resource: `${running.path}/revision`, ...running };
}

interface Change {
  /** What it changes: a path with an `ETag`. */
  readonly resource: string;
  readonly to: string;
  readonly body?: unknown;
}

const pending = async (action: string, body?: unknown): Promise<Change> => {
  const { path: resource } = await aPendingAd(service, publisher);
  return { resource, to: `${resource}/${action}`, body };
};
const running = async (action: string, body?: unknown): Promise<Change> => {
  const { path: resource } = await anApprovedAd(service, publisher);
  return { resource, to: `${resource}/${action}`, body };
};
const ofRevision = async (action: string, body?: unknown): Promise<Change> => {
  const { resource } = await aRevision();
  return { resource, to: `${resource}/${action}`, body };
};
const ofTier = async (action: string, body?: unknown, setUp?: string): Promise<Change> => {
  const resource = `${path}/tiers/${(await aTier(publisher)).id}`;
  if (setUp !== undefined) await caller.request("DELETE", `${resource}${setUp}`);
  return { resource, to: `${resource}${action}`, body };
};
const ofPrice = async (action: string, isArchived: boolean): Promise<Change> => {
  const resource = `${path}/tiers/${(await aTier(publisher)).id}`;
  const price = `${resource}/prices/${await priceOf(resource)}`;
  if (isArchived) await caller.request("DELETE", price);
  return { resource, to: `${price}${action}` };
};
const ofField = async (body?: unknown): Promise<Change> => {
  const { id } = await aField(publisher, { key: `key_${crypto.randomUUID().slice(0, 8)}` });
  return { resource: `${path}/fields/${id}`, to: `${path}/fields/${id}`, body };
};

/** A change of each endpoint that takes `If-Match`. */
const CHANGES: Readonly<Record<string, () => Promise<Change>>> = {
  "ads.update": async () => {
    const { path: resource } = await aPendingAd(service, publisher);
    return { resource, to: resource, body: { meta: [{ fieldId: notes.id, value: crypto.randomUUID() }] } };
  },
  "ads.approve": () => pending("approve"),
  "ads.reject": () => pending("reject", { note }),
  "ads.requestChanges": () => pending("request-changes", { note }),
  "ads.pause": () => running("pause"),
  "ads.resume": async () => {
    const { path: resource } = await anApprovedAd(service, publisher);
    await caller.request("POST", `${resource}/pause`);
    return { resource, to: `${resource}/resume` };
  },
  "revisions.approve": () => ofRevision("approve"),
  "revisions.requestChanges": () => ofRevision("request-changes", { note }),
  "revisions.reject": () => ofRevision("reject", { note }),
  "tiers.update": () => ofTier("", { name: "Renamed" }),
  "tiers.archive": () => ofTier(""),
  "tiers.unarchive": () => ofTier("/unarchive", undefined, ""),
  "prices.create": () =>
    ofTier("/prices", { amount: 100, interval: "Week", intervalCount: 3, currency: "usd" }),
  "prices.archive": () => ofPrice("", false),
  "prices.unarchive": () => ofPrice("/unarchive", true),
  "fields.update": () => ofField({ name: "Renamed" }),
  "fields.delete": () => ofField(),
  "settings.update": async () => ({
    resource: `${path}/settings`,
    to: `${path}/settings`,
    body: { renewalGraceDays: 5 },
  }),
  "workspaces.update": async () => ({
    resource: path,
    to: path,
    body: { name: `Weekly ${crypto.randomUUID()}` },
  }),
};

it("knows a change of each endpoint that takes If-Match, and tags what each PATCH answers", () => {
  const taking = endpoints.filter(({ takesIfMatch }) => takesIfMatch);

  expect(Object.keys(CHANGES).toSorted()).toEqual(taking.map(({ name }) => name).toSorted());
  for (const { name, method, isTagged } of taking) expect(isTagged, name).toBe(method === "PATCH");
});

it.each(Object.keys(CHANGES))(
  "makes no %s where If-Match names another state, and makes it for the state of now",
  async (name) => {
    const { resource, to, body } = (await CHANGES[name]?.()) ?? { resource: "", to: "" };
    const method = endpoints.find((endpoint) => endpoint.name === name)?.method ?? "";
    const before = await read(resource);
    const tag = before.headers.get("etag") ?? "";
    const change = (condition: string) => caller.request(method, to, body, { "if-match": condition });

    for (const wrong of ['"another"', `W/${tag}`, '"1", "2"']) {
      const refused = await change(wrong);
      expect([refused.status, envelope.parse(JSON.parse(refused.text)).code]).toEqual([
        412,
        "PRECONDITION_FAILED",
      ]);
    }
    expect((await change("none")).status).toBe(422);
    expect((await read(resource)).text).toBe(before.text);
    const made = await change(`"another", ${tag}`);
    expect([made.status, made.text]).toEqual([200, expect.any(String)]);

    if (method === "PATCH") expect(made.headers.get("etag")).toBe(await tagOf(resource));
    const after = await read(resource);
    if (after.status === 200) expect(after.headers.get("etag")).not.toBe(tag);
    expect([200, 404]).toContain(after.status);
  },
);

it("makes one of two changes that name the same state", async () => {
  const { resource, to } = await ofTier("");
  const tag = await tagOf(resource);

  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, n) =>
      caller.request("PATCH", to, { name: `Name ${n}` }, { "if-match": tag }),
    ),
  );

  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412, 412, 412]);
});

it("takes * for whatever there is, and 404 where there is nothing", async () => {
  const { to } = await ofTier("");
  const any = { "if-match": "*" };

  expect((await caller.request("PATCH", to, { name: "Anything" }, any)).status).toBe(200);
  expect((await caller.request("PATCH", `${path}/tiers/tier_1`, { name: "Anything" }, any)).status).toBe(404);
});

it("answers 412 to a condition on what has no ETag, and makes no change", async () => {
  const { id } = await aTier(publisher);
  const fields = { fields: [{ id: notes.id, order: 0 }] };

  const refused = [
    await caller.request("POST", `${path}/fields/reorder`, fields, { "if-match": '"1"' }),
    await caller.request("POST", `${path}/tiers`, { name: "Silver" }, { "if-match": '"1"' }),
  ];

  expect(refused.map(({ status }) => status)).toEqual([412, 412]);
  expect((await read(`${path}/tiers/${id}`, { "if-match": '"1"' })).status).toBe(200);
});

it("answers 304 to who has the list of members, until one has another name", async () => {
  const own = await aPublisher(service);
  const list = `${own.path}/members`;
  const known = { "if-none-match": (await own.person.caller.request("GET", list)).headers.get("etag") ?? "" };

  expect((await own.person.caller.request("GET", list, undefined, known)).status).toBe(304);
  await own.person.caller.request("POST", "/api/auth/update-user", { name: "Another name" });
  expect((await own.person.caller.request("GET", list, undefined, known)).status).toBe(200);
});

it("answers 304 to who has the answer, until any value of it changes", async () => {
  const ad = await aPendingAd(service, publisher);
  const advertiser = JSON.parse((await read(ad.path)).text).subscription.advertiser.id;
  const resources = [ad.path, `${path}/review-queue`, `${path}/advertisers/${advertiser}`];
  const tags = await Promise.all(resources.map(tagOf));

  for (const [at, resource] of resources.entries()) {
    const tag = tags[at] ?? "";
    for (const known of [tag, `W/${tag}`, `"x", ${tag}`, "*"]) {
      const answer = await read(resource, { "if-none-match": known });
      expect([answer.status, answer.text, answer.headers.get("etag")]).toEqual([304, "", tag]);
    }
    for (const other of ['"x"', "nonsense"]) {
      expect((await read(resource, { "if-none-match": other })).status).toBe(200);
    }
  }
  await caller.request("PATCH", ad.path, { meta: [{ fieldId: notes.id, value: "Called." }] });
  await caller.request("POST", `${ad.path}/request-changes`, { note });
  for (const [at, resource] of resources.entries()) {
    expect((await read(resource, { "if-none-match": tags[at] ?? "" })).status, resource).toBe(200);
  }
});
