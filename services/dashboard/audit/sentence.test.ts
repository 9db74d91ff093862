import { expect, it } from "vitest";
import { changedValues } from "./changes.ts";
import { sentenceOf } from "./sentence.ts";
import type { AuditEntry } from "./shapes.ts";

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
    "Mara Lind added the price $49.00 every 3 months",
  ],
  [
    anEntry("member.suspend", {
      resource: { kind: "member", id: "mem_1" },
      actor: { kind: "operator", id: null, name: "Operator" },
    }),
    "Operator suspended Ida Berg",
  ],
  [anEntry("ad.approve"), "Mara Lind approved the ad Kiln & Co"],
  [anEntry("ad.approve", { resource: { kind: "ad", id: "ad_2" } }), "Mara Lind approved an ad"],
  [
    anEntry("revision.reject", { resource: { kind: "revision", id: "ad_1" } }),
    "Mara Lind rejected the update of the ad Kiln & Co",
  ],
  [
    anEntry("invitation.create", { after: { email: "ida@example.com", role: "Viewer" } }),
    "Mara Lind invited ida@example.com as Viewer",
  ],
  [
    anEntry("member.update", { resource: { kind: "member", id: "mem_1" }, after: { role: "Owner" } }),
    "Mara Lind gave Ida Berg the role Owner",
  ],
  [
    anEntry("subscription.update", { after: { status: "PastDue" } }),
    "Mara Lind changed a subscription to past due",
  ],
  [
    anEntry("field.reorder", { before: { fields: ["a"] }, after: { fields: ["a"] } }),
    "Mara Lind put the fields in another order",
  ],
  [anEntry("banner.hide-all"), "Mara Lind made a change (banner hide all)"],
])("tells %o", (entry, sentence) => {
  expect(told(entry)).toBe(sentence);
});

it("says that a key acted for its maker", () => {
  const actor = { kind: "key" as const, id: "key_1", name: "Mara Lind" };

  expect(told(anEntry("ad.pause", { actor }))).toBe("Mara Lind by API key paused the ad Kiln & Co");
});

it("tells an advertiser's first submission from a later one", () => {
  const after = { name: "Kiln & Co" };

  expect(told(anEntry("ad.submit", { after }))).toBe("Mara Lind submitted the ad Kiln & Co");
  expect(told(anEntry("ad.submit", { before: { name: "Kiln" }, after }))).toBe(
    "Mara Lind changed the ad Kiln & Co",
  );
});

it("shows what changed in words", () => {
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

it("shows values that are there for the first time, and leaves out what nobody reads", () => {
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
    { label: "Longest text", before: null, after: "1,500" },
    { label: "Options", before: null, after: "a, b" },
  ]);
});

it("cuts what is too long to read", () => {
  const [note] = changedValues(anEntry("ad.reject", { after: { rejectionNote: "a".repeat(500) } }), NAMES);

  expect(note?.after).toBe(`${"a".repeat(300)}…`);
});

it("shows a price as people say it, and what an id stands for", () => {
  const after = {
    amount: 4900,
    currency: "jpy",
    interval: "Year",
    intervalCount: 1,
    isActive: true,
    tierId: "tier_1",
  };

  expect(changedValues(anEntry("price.create", { after }), NAMES)).toEqual([
    { label: "Price", before: null, after: "¥4,900 a year" },
    { label: "On sale", before: null, after: "yes" },
    { label: "Tier", before: null, after: "Gold" },
  ]);
});
