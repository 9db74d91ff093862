import { expect, it } from "vitest";
import type { AuditEntry } from "#libs/contract/audit.ts";
import { changedValues } from "./changes.ts";
import { sentenceOf } from "./sentence.ts";

const NAMES = new Map([
  ["tier_1", "Gold"],
  ["ad_1", "Kiln & Co"],
  ["mem_1", "Ida Berg"],
]);

function anEntry(action: string, given: Partial<AuditEntry> = {}): AuditEntry {
  const [kind = ""] = action.split(".");
  return {
    id: "aud_1",
    occurredAt: "2026-11-21T09:30:00.000Z",
    actor: { kind: "person", id: "per_1", name: "Mara Lind" },
    action,
    resource: { kind, id: `${kind}_1` },
    subject: null,
    before: null,
    after: null,
    ...given,
  };
}

function told(entry: AuditEntry): string {
  const { who, did, what, more } = sentenceOf(entry, NAMES);
  return [who, did, what ?? "", more ?? ""].filter((part) => part !== "").join(" ");
}

it.each([
  [anEntry("tier.create", { after: { name: "Silver" } }), "Mara Lind created the tier Silver"],
  [
    anEntry("tier.archive", { before: { isActive: true }, after: { isActive: false } }),
    "Mara Lind archived the tier Gold",
  ],
  [
    anEntry("tier.unarchive", { before: { isActive: false }, after: { isActive: true } }),
    "Mara Lind put the tier Gold back on sale",
  ],
  [anEntry("tier.update", { before: { order: 1 }, after: { order: 3 } }), "Mara Lind moved the tier Gold"],
  [
    anEntry("tier.update", { before: { weight: 1 }, after: { weight: 3 } }),
    "Mara Lind changed the tier Gold",
  ],
  [
    anEntry("price.create", {
      after: { amount: 4900, currency: "usd", interval: "Month", intervalCount: 3 },
    }),
    "Mara Lind added the price $49 every 3 months",
  ],
  [
    anEntry("member.suspend", {
      resource: { kind: "member", id: "mem_1" },
      actor: { kind: "operator", id: null, name: "Operator" },
    }),
    "Operator suspended Ida Berg",
  ],
  [anEntry("ad.approve"), "Mara Lind approved the ad Kiln & Co"],
  [anEntry("advertiser.erase"), "Mara Lind erased the personal data of an advertiser"],
  [anEntry("ad.approve", { resource: { kind: "ad", id: "ad_2" } }), "Mara Lind approved an ad"],
  [
    anEntry("revision.reject", { resource: { kind: "revision", id: "ad_1" } }),
    "Mara Lind rejected the edit to the ad Kiln & Co",
  ],
  [
    anEntry("invitation.create", { after: { email: "ida@example.com", role: "Viewer" } }),
    "Mara Lind invited ida@example.com as viewer",
  ],
  [
    anEntry("member.update", { resource: { kind: "member", id: "mem_1" }, after: { role: "Owner" } }),
    "Mara Lind changed Ida Berg’s role to owner",
  ],
  [
    anEntry("member.update", {
      resource: { kind: "member", id: "mem_1" },
      before: { reportEmails: [] },
      after: { reportEmails: ["week"] },
    }),
    "Mara Lind changed Ida Berg’s reports by email",
  ],
  [
    anEntry("advertiser.subscribe", { after: { reportEmails: "week" } }),
    "Mara Lind asked for a report each week",
  ],
  [
    anEntry("subscription.update", { after: { status: "PastDue" } }),
    "Mara Lind changed a subscription to past due",
  ],
  [
    anEntry("field.reorder", { before: { fields: ["a"] }, after: { fields: ["a"] } }),
    "Mara Lind reordered the fields",
  ],
  [anEntry("banner.hide-all"), "Mara Lind made a change (banner hide all)"],
])("tells %o", (entry, sentence) => {
  expect(told(entry)).toBe(sentence);
});

it("names the API key that acted", () => {
  const actor = { kind: "key" as const, id: "key_1", name: "Mara Lind" };

  expect(told(anEntry("ad.pause", { actor }))).toBe('API key "Mara Lind" paused the ad Kiln & Co');
});

it("distinguishes an advertiser's first submission from later ones", () => {
  const after = { name: "Kiln & Co" };

  expect(told(anEntry("ad.submit", { after }))).toBe("Mara Lind submitted the ad Kiln & Co");
  expect(told(anEntry("ad.submit", { before: { name: "Kiln" }, after }))).toBe(
    "Mara Lind changed the ad Kiln & Co",
  );
});

it("shows changes in words", () => {
  const entry = anEntry("tier.update", {
    before: { name: "Gold", isActive: true, features: [], description: "" },
    after: {
      name: "Gold plus",
      isActive: false,
      features: [{ label: "First in rotation", type: "positive" }],
      description: "Top.",
    },
  });

  expect(changedValues(entry, NAMES)).toEqual([
    { label: "Name", before: "Gold", after: "Gold plus" },
    { label: "On sale", before: "yes", after: "no" },
    { label: "Features", before: "none", after: "First in rotation" },
    { label: "Description", before: "nothing", after: "Top." },
  ]);
});

it("shows new values, and leaves out those that nobody reads", () => {
  const entry = anEntry("field.create", {
    after: {
      id: "field_1",
      workspaceId: "ws_1",
      key: "tagline",
      description: "",
      min: null,
      maxLength: 1500,
      options: ["a", "b"],
    },
  });

  expect(changedValues(entry, NAMES)).toEqual([
    { label: "Key", before: null, after: "tagline" },
    { label: "Maximum length", before: null, after: "1,500" },
    { label: "Options", before: null, after: "a, b" },
  ]);
});

it("cuts long values", () => {
  const [note] = changedValues(anEntry("ad.reject", { after: { rejectionNote: "a".repeat(500) } }), NAMES);

  expect(note?.after).toBe(`${"a".repeat(300)}…`);
});

it("shows a price in words, and names instead of ids", () => {
  const after = {
    amount: 4900,
    currency: "jpy",
    interval: "Year",
    intervalCount: 1,
    isActive: true,
    tierId: "tier_1",
  };

  expect(changedValues(anEntry("price.create", { after }), NAMES)).toEqual([
    { label: "Price", before: null, after: "¥4,900/year" },
    { label: "On sale", before: null, after: "yes" },
    { label: "Tier", before: null, after: "Gold" },
  ]);
});

it("says how much of an invoice was refunded", () => {
  const after = { id: "refund_1", amount: 900, currency: "eur", reason: null, note: null };

  expect(told(anEntry("invoice.refund", { after }))).toBe("Mara Lind refunded €9.00 of an invoice");
  expect(told(anEntry("invoice.refund"))).toBe("Mara Lind refunded an invoice");
});

it("names the advertiser and the ad of a subscription", () => {
  const subject = { ad: { id: "ad_1", name: "Fresh beans" }, advertiser: { id: "adv_1", name: "Kiln & Co" } };
  const actor = { kind: "processor", id: null, name: "Payment processor" } as const;
  const changed = anEntry("subscription.update", { actor, subject, after: { status: "PastDue" } });

  expect(told(changed)).toBe(
    "Payment processor changed the subscription of Kiln & Co for the ad “Fresh beans” to past due",
  );
  expect(told(anEntry("subscription.create", { actor, subject: { ...subject, ad: null } }))).toBe(
    "Payment processor started the subscription of Kiln & Co",
  );
  expect(told(anEntry("ad.reject", { resource: { kind: "ad", id: "ad_9" }, subject }))).toBe(
    "Mara Lind rejected the ad Fresh beans",
  );
});
