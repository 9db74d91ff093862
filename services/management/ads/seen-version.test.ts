import { expect, it } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { submittedAd } from "#libs/contract/checkout.ts";
import { revision } from "#libs/contract/revisions.ts";
import { actionsOn } from "../tests/audit-trail.ts";
import { envelope } from "../tests/envelope.ts";
import { startManagement } from "../tests/management.ts";
import { anApprovedAd, aPendingAd, aPublisher } from "../tests/story.ts";

const service = await startManagement({ unlimited: true });
const publisher = await aPublisher(service);
const { caller } = publisher;
const note = "Not for our readers.";
const swapped = { name: "Swapped at the last moment", websiteUrl: "https://elsewhere.example" };

/** Enough for both orders to come up. */
const TURNS = 6;

type Submitted = Awaited<ReturnType<typeof aPendingAd>>;

async function submit({ checkout }: Submitted, creative = swapped) {
  await checkout.caller.ok(submittedAd, "POST", `${checkout.path}/ad`, creative);
}

async function aRevisedAd() {
  const running = await anApprovedAd(service, publisher);
  await submit(running, { name: "Seen", websiteUrl: "https://seen.example" });
  return running;
}

/** The resource with its version, from its body and from its ETag. */
async function look(path: string) {
  const answer = await caller.request("GET", path);
  return { etag: answer.headers.get("etag") ?? "", version: JSON.parse(answer.text).version };
}

function ifMatch(path: string, condition: string, body?: unknown) {
  return caller.request("POST", path, body, { "if-match": condition });
}

function conflictIn(text: string) {
  const { code, data } = envelope.parse(JSON.parse(text));
  return { code, version: data?.version, formErrors: data?.formErrors };
}

const outdated = (version: number) => ({
  code: "CONFLICT_FIELD",
  version,
  formErrors: ["The advertiser changed this ad meanwhile. Look at the new version before you decide."],
});

it("decides nothing on a pending ad that was submitted again since it was looked at, and says the new version", async () => {
  const pending = await aPendingAd(service, publisher);
  const { etag, version } = await look(pending.path);
  await submit(pending);

  const changed = [
    await ifMatch(`${pending.path}/approve`, etag),
    await ifMatch(`${pending.path}/reject`, etag, { note }),
    await ifMatch(`${pending.path}/request-changes`, etag, { note }),
  ];
  const refused = [
    await caller.request("POST", `${pending.path}/approve`, { version }),
    await caller.request("POST", `${pending.path}/reject`, { note, version }),
    await caller.request("POST", `${pending.path}/request-changes`, { note, version }),
  ];

  expect(version).toBe(1);
  expect(changed.map(({ status }) => status)).toEqual(Array(3).fill(412));
  expect(refused.map(({ status }) => status)).toEqual(Array(3).fill(409));
  expect(refused.map(({ text }) => conflictIn(text))).toEqual(Array(3).fill(outdated(2)));
  const now = await caller.ok(ad, "GET", pending.path);
  expect(now).toMatchObject({ ...swapped, status: "Pending", rejectionNote: null, version: 2 });
  expect(await actionsOn(service, pending.id)).toEqual(["ad.submit", "ad.submit"]);
  await caller.ok(ad, "POST", `${pending.path}/approve`, { version: 2 });
});

it("decides nothing on an edit that was replaced since it was looked at, and says the new version", async () => {
  const running = await aRevisedAd();
  const { etag, version } = await look(`${running.path}/revision`);
  await submit(running);

  const changed = [
    await ifMatch(`${running.path}/revision/approve`, etag),
    await ifMatch(`${running.path}/revision/reject`, etag, { note }),
  ];
  const refused = [
    await caller.request("POST", `${running.path}/revision/approve`, { version }),
    await caller.request("POST", `${running.path}/revision/request-changes`, { note, version }),
  ];

  expect(version).toBe(2);
  expect(changed.map(({ status }) => status)).toEqual(Array(2).fill(412));
  expect(refused.map(({ status }) => status)).toEqual(Array(2).fill(409));
  expect(refused.map(({ text }) => conflictIn(text))).toEqual(Array(2).fill(outdated(3)));
  const open = await caller.ok(revision, "GET", `${running.path}/revision`);
  expect(open).toMatchObject({ ...swapped, note: null, version: 3 });
  expect(await caller.ok(ad, "GET", running.path)).toMatchObject({ name: "Example Coffee", version: 3 });
  const approved = await caller.ok(ad, "POST", `${running.path}/revision/approve`, { version: 3 });
  expect(approved).toMatchObject(swapped);
});

it("never gives two edits of an ad the same version, also after one was rejected", async () => {
  const running = await aRevisedAd();
  const first = await look(`${running.path}/revision`);
  await caller.ok(ad, "POST", `${running.path}/revision/reject`, { note });
  await submit(running);

  const second = await look(`${running.path}/revision`);

  expect(second.version).toBe(first.version + 1);
  expect((await ifMatch(`${running.path}/revision/approve`, first.etag)).status).toBe(412);
});

it("approves what was seen or nothing when an edit races the approval", async () => {
  for (let turn = 0; turn < TURNS; turn += 1) {
    const pending = await aPendingAd(service, publisher);
    const { etag } = await look(pending.path);

    const [, approval] = await Promise.all([submit(pending), ifMatch(`${pending.path}/approve`, etag)]);

    const after = await caller.ok(ad, "GET", pending.path);
    const onAir = after.status === "Approved" ? after.name : null;
    expect([approval.status, onAir]).toEqual(approval.status === 200 ? [200, "Example Coffee"] : [412, null]);
  }
});

it("decides on the newest submission where none is named, as with If-Match: *", async () => {
  const pending = await aPendingAd(service, publisher);
  const running = await aRevisedAd();
  await submit(pending);
  await submit(running);

  await caller.ok(ad, "POST", `${pending.path}/approve`);
  const any = await ifMatch(`${running.path}/revision/approve`, "*");

  expect([any.status, JSON.parse(any.text).name]).toEqual([200, swapped.name]);
});

it("takes lists of entity tags, never matches weak ones, and refuses what is no list with 422", async () => {
  const pending = await aPendingAd(service, publisher);
  const { etag } = await look(pending.path);
  const approve = async (condition: string) => (await ifMatch(`${pending.path}/approve`, condition)).status;

  for (const malformed of ["1", '"1', '"1" "2"', "*, *", 'w/"1"', '"1";', '"a"b"']) {
    expect(await approve(malformed), malformed).toBe(422);
  }
  for (const other of ['"2"', `W/${etag}`, `"x", W/${etag}`, '"*"', '""', '"1"']) {
    expect(await approve(other), other).toBe(412);
  }
  expect(await approve(`"another,one" ,, W/${etag},\t${etag}`)).toBe(200);
});

it("refuses a version that is no whole number from 1 with 422, and needs both where both are named", async () => {
  const pending = await aPendingAd(service, publisher);

  for (const version of [0, -1, 1.5, "1", null]) {
    expect(await caller.invalid("POST", `${pending.path}/approve`, { version })).toEqual(["version"]);
  }
  const torn = await caller.request("POST", `${pending.path}/approve`, { version: 1 }, { "if-match": '"2"' });
  expect(torn.status).toBe(412);
  await caller.ok(ad, "POST", `${pending.path}/approve`, { version: 1 });
});

it("keeps the version when something else about the ad changes", async () => {
  const running = await anApprovedAd(service, publisher);
  await service.database.db
    .updateTable("ads")
    .set({ favicon_url: "https://coffee.example/icon.png" })
    .where("id", "=", running.id)
    .execute();

  const paused = await caller.ok(ad, "POST", `${running.path}/pause`);

  expect(paused.version).toBe(1);
  const rejected = await caller.request("POST", `${running.path}/reject`, { note, version: 1 });
  expect(rejected.status).toBe(200);
});

it("answers a repeated decision under one idempotency key alike, and decides once", async () => {
  const pending = await aPendingAd(service, publisher);
  const running = await aRevisedAd();
  const decide = (path: string, key: string, body?: unknown, headers = {}) =>
    caller.request("POST", path, body, { "idempotency-key": `${key}-${pending.id}`, ...headers });
  const decisions = [
    [`${pending.path}/request-changes`, { note, version: 1 }],
    [`${pending.path}/approve`, undefined],
    [`${pending.path}/pause`, undefined],
    [`${pending.path}/resume`, undefined],
    [`${pending.path}/reject`, { note }],
    [`${running.path}/revision/request-changes`, { note }],
    [`${running.path}/revision/approve`, undefined],
  ] as const;

  for (const [path, body] of decisions) {
    const first = await decide(path, path, body);
    const again = await decide(path, path, body && JSON.stringify(reversed(body)));
    expect([path, first.status, again.status]).toEqual([path, 200, 200]);
    expect([again.text, again.headers.get("idempotent-replayed")]).toEqual([first.text, "true"]);
  }
  const otherCondition = await decide(decisions[1][0], decisions[1][0], undefined, { "if-match": '"1"' });
  expect(otherCondition.status).toBe(422);
  expect((await actionsOn(service, pending.id)).toSorted()).toEqual(
    ["ad.submit", "ad.request-changes", "ad.approve", "ad.pause", "ad.resume", "ad.reject"].toSorted(),
  );
});

/** The same value with its keys in the opposite order. */
function reversed(body: object) {
  return Object.fromEntries(Object.entries(body).toReversed());
}
