import { expect, it, vi } from "vitest";
import { workspaceSettings } from "#libs/contract/settings.ts";
import { subjectsTo } from "../../mail/tests/sent-mails.ts";
import { auditTrail } from "../../tests/audit-trail.ts";
import { startManagement } from "../../tests/management.ts";
import { aPendingAd, aPublisher, type Publisher } from "../../tests/story.ts";
import { A_PIXEL, aLogoCampaign } from "../../tests/upload-story.ts";

const service = await startManagement({ unlimited: true });
const publisher = await aPublisher(service);
const { caller, path } = publisher;

const USUAL = {
  audiencePublic: false,
  contactEmail: null,
  chargeAt: "purchase",
  renewalGraceDays: 3,
  requireProof: false,
  recordPages: true,
  countVisitors: true,
  timeZone: null,
  advertiserSplits: ["country", "device"],
  utm: { source: null, medium: null, campaign: null },
  savedReplies: [],
  mediaKit: { description: null, logoUrl: null, audience: null, topics: [], faq: [] },
  limits: { impressionsPerMinute: null, clicksPerMinute: null },
  limitsInEffect: { impressionsPerMinute: 30, clicksPerMinute: 10 },
  mails: {
    purchase: true,
    adWaiting: true,
    paymentFailed: true,
    subscriptionCanceled: true,
    adAlert: true,
    monthlyReports: true,
  },
  alerts: { hours: 24, invalidPercent: 50 },
};

async function change(of: Publisher, body: unknown) {
  return await of.caller.ok(workspaceSettings, "PATCH", `${of.path}/settings`, body);
}

it("tells everything on and nothing shown until somebody says otherwise, with the installation's limits", async () => {
  expect(await caller.ok(workspaceSettings, "GET", `${path}/settings`)).toEqual(USUAL);
});

it("changes only the settings that are sent, within limits and mails as well", async () => {
  const of = await aPublisher(service, "Merging Weekly");

  const shown = await change(of, { audiencePublic: true });
  const limited = await change(of, { limits: { impressionsPerMinute: 5 } });
  const off = await change(of, { limits: { clicksPerMinute: 0 }, mails: { adWaiting: false } });
  const back = await change(of, { limits: { impressionsPerMinute: null }, mails: { paymentFailed: false } });
  const untouched = await change(of, { limits: {}, mails: {} });

  expect(shown).toEqual({ ...USUAL, audiencePublic: true });
  expect(limited).toMatchObject({
    audiencePublic: true,
    limits: { impressionsPerMinute: 5, clicksPerMinute: null },
    limitsInEffect: { impressionsPerMinute: 5, clicksPerMinute: 10 },
  });
  expect(off).toMatchObject({
    limits: { impressionsPerMinute: 5, clicksPerMinute: 0 },
    limitsInEffect: { impressionsPerMinute: 5, clicksPerMinute: 0 },
    mails: { ...USUAL.mails, adWaiting: false },
  });
  expect(back).toEqual({
    ...USUAL,
    audiencePublic: true,
    limits: { impressionsPerMinute: null, clicksPerMinute: 0 },
    limitsInEffect: { impressionsPerMinute: 30, clicksPerMinute: 0 },
    mails: { ...USUAL.mails, adWaiting: false, paymentFailed: false },
  });
  expect(untouched).toEqual(back);
  expect(await of.caller.ok(workspaceSettings, "GET", `${of.path}/settings`)).toEqual(back);
});

it("keeps when advertisers are charged and how long a failed renewal leaves an ad live, each on its own", async () => {
  const of = await aPublisher(service, "Charging Weekly");

  const approval = await change(of, { chargeAt: "approval" });
  const graceless = await change(of, { renewalGraceDays: 0 });
  const longest = await change(of, { chargeAt: "purchase", renewalGraceDays: 14 });

  expect(approval).toEqual({ ...USUAL, chargeAt: "approval" });
  expect(graceless).toEqual({ ...USUAL, chargeAt: "approval", renewalGraceDays: 0 });
  expect(longest).toEqual({ ...USUAL, renewalGraceDays: 14 });
  const changes = (await auditTrail(service, of.workspace.id)).filter(
    ({ action }) => action === "settings.update",
  );
  expect(changes.map(({ before, after }) => ({ before, after }))).toEqual([
    { before: { chargeAt: "purchase" }, after: { chargeAt: "approval" } },
    { before: { renewalGraceDays: 3 }, after: { renewalGraceDays: 0 } },
    {
      before: { chargeAt: "approval", renewalGraceDays: 0 },
      after: { chargeAt: "purchase", renewalGraceDays: 14 },
    },
  ]);
});

it("keeps an address where advertisers reach the publisher, in lower case, until it is removed", async () => {
  const of = await aPublisher(service, "Reachable Weekly");

  const given = await change(of, { contactEmail: "Ads@Reachable.example" });
  const kept = await change(of, { audiencePublic: true });
  const removed = await change(of, { contactEmail: null });

  expect(given).toEqual({ ...USUAL, contactEmail: "ads@reachable.example" });
  expect(kept.contactEmail).toBe("ads@reachable.example");
  expect(removed.contactEmail).toBeNull();
});

it("keeps what the advertising page tells, part by part, until it is removed", async () => {
  const of = await aPublisher(service, "Telling Weekly");
  const faq = [{ question: "When is the next issue?", answer: "Every Thursday.\nOr Friday." }];

  await change(of, { mediaKit: { description: " About clay.\n\nAnd glazes. ", topics: ["Clay", "Craft"] } });
  const told = await change(of, { mediaKit: { audience: "8,000 potters", faq } });
  const removed = await change(of, { mediaKit: { description: null, topics: [], faq: [] } });

  expect(told.mediaKit).toEqual({
    description: "About clay.\n\nAnd glazes.",
    logoUrl: null,
    audience: "8,000 potters",
    topics: ["Clay", "Craft"],
    faq,
  });
  expect(removed.mediaKit).toEqual({ ...USUAL.mediaKit, audience: "8,000 potters" });
});

it("keeps the time zone of reports until it is removed, and audits it", async () => {
  const of = await aPublisher(service, "Local Weekly");

  const local = await change(of, { timeZone: "Asia/Kathmandu" });
  const kept = await change(of, { audiencePublic: true });
  const removed = await change(of, { timeZone: null, audiencePublic: false });

  expect(local).toEqual({ ...USUAL, timeZone: "Asia/Kathmandu" });
  expect(kept.timeZone).toBe("Asia/Kathmandu");
  expect(removed).toEqual(USUAL);
  const [first] = (await auditTrail(service, of.workspace.id)).filter(
    ({ action }) => action === "settings.update",
  );
  expect([first?.before, first?.after]).toEqual([{ timeZone: null }, { timeZone: "Asia/Kathmandu" }]);
});

it("keeps replies that reviewers can choose", async () => {
  const of = await aPublisher(service, "Replying Weekly");

  const saved = await change(of, { savedReplies: ["Fewer capitals, please.", "A larger image, please."] });

  expect(saved).toEqual({ ...USUAL, savedReplies: ["Fewer capitals, please.", "A larger image, please."] });
});

it("takes as a logo only an image that was uploaded to the workspace", async () => {
  const campaign = await aLogoCampaign(service);
  const { publisher: of } = campaign;
  const others = await (await aLogoCampaign(service)).upload();
  const [image, broken, unsent] = [
    await campaign.upload(),
    await campaign.upload(A_PIXEL.subarray(0, 20)),
    await campaign.grant(),
  ];
  const refuse = async ({ publicUrl: logoUrl }: { readonly publicUrl: string }) => {
    const refused = await of.caller.refused(422, "PATCH", `${of.path}/settings`, { mediaKit: { logoUrl } });
    return Object.keys(refused.data?.fieldErrors ?? {});
  };

  const refused = [await refuse(others), await refuse(broken), await refuse(unsent)];
  const shown = await change(of, { mediaKit: { logoUrl: image.publicUrl } });

  expect(refused).toEqual([["mediaKit.logoUrl"], ["mediaKit.logoUrl"], ["mediaKit.logoUrl"]]);
  expect(shown.mediaKit.logoUrl).toBe(image.publicUrl);
});

it("keeps UTM parameters one by one, until they are removed", async () => {
  const of = await aPublisher(service, "Linking Weekly");

  await change(of, { utm: { source: " linking-weekly ", campaign: "gold" } });
  const kept = await change(of, { utm: { medium: "newsletter" } });
  const removed = await change(of, { utm: { source: null, medium: null, campaign: null } });

  expect(kept.utm).toEqual({ source: "linking-weekly", medium: "newsletter", campaign: "gold" });
  expect(removed).toEqual(USUAL);
});

it.each([
  ["events need a proof", "requireProof", "Proof Weekly"],
  ["pages are recorded", "recordPages", "Discreet Weekly"],
  ["visitors are counted", "countVisitors", "Private Weekly"],
] as const)("keeps whether %s, and publishes a snapshot that says so", async (_what, rule, name) => {
  const of = await aPublisher(service, name);
  const published = async () => (await service.placements.read(of.workspace.id))?.[rule];

  const changed = await change(of, { [rule]: !USUAL[rule] });
  await vi.waitFor(async () => expect(await published()).toBe(!USUAL[rule]), 20_000);
  const back = await change(of, { [rule]: USUAL[rule] });
  await vi.waitFor(async () => expect(await published()).toBe(USUAL[rule]), 20_000);

  expect([changed, back]).toEqual([{ ...USUAL, [rule]: !USUAL[rule] }, USUAL]);
});

it("merges changes that race", async () => {
  const of = await aPublisher(service, "Racing Weekly");

  await Promise.all([
    change(of, { audiencePublic: true }),
    change(of, { limits: { impressionsPerMinute: 7 } }),
    change(of, { limits: { clicksPerMinute: 8 } }),
    change(of, { mails: { adWaiting: false } }),
    change(of, { mails: { monthlyReports: false } }),
  ]);

  expect(await of.caller.ok(workspaceSettings, "GET", `${of.path}/settings`)).toMatchObject({
    audiencePublic: true,
    limits: { impressionsPerMinute: 7, clicksPerMinute: 8 },
    mails: { ...USUAL.mails, adWaiting: false, monthlyReports: false },
  });
});

it.each([
  [{ audiencePublic: "yes" }, "audiencePublic"],
  [{ audiencePublic: null }, "audiencePublic"],
  [{ contactEmail: "" }, "contactEmail"],
  [{ contactEmail: "ads@example.com, eve@example.com" }, "contactEmail"],
  [{ chargeAt: "delivery" }, "chargeAt"],
  [{ chargeAt: null }, "chargeAt"],
  [{ renewalGraceDays: -1 }, "renewalGraceDays"],
  [{ renewalGraceDays: 15 }, "renewalGraceDays"],
  [{ renewalGraceDays: 2.5 }, "renewalGraceDays"],
  [{ renewalGraceDays: null }, "renewalGraceDays"],
  [{ requireProof: "true" }, "requireProof"],
  [{ requireProof: null }, "requireProof"],
  [{ recordPages: "true" }, "recordPages"],
  [{ countVisitors: null }, "countVisitors"],
  [{ timeZone: "" }, "timeZone"],
  [{ advertiserSplits: null }, "advertiserSplits"],
  [{ advertiserSplits: ["ad"] }, "advertiserSplits.0"],
  [{ timeZone: "Mars/Olympus" }, "timeZone"],
  [{ timeZone: "+05:45" }, "timeZone"],
  [{ limits: { impressionsPerMinute: -1 } }, "limits.impressionsPerMinute"],
  [{ limits: { impressionsPerMinute: 1.5 } }, "limits.impressionsPerMinute"],
  [{ limits: { clicksPerMinute: 100_001 } }, "limits.clicksPerMinute"],
  [{ limits: { clicksPerMinute: "5" } }, "limits.clicksPerMinute"],
  [{ limits: null }, "limits"],
  [{ savedReplies: Array(21).fill("No.") }, "savedReplies"],
  [{ savedReplies: ["x".repeat(501)] }, "savedReplies.0"],
  [{ mediaKit: null }, "mediaKit"],
  [{ mediaKit: { description: "" } }, "mediaKit.description"],
  [{ mediaKit: { description: "x".repeat(2001) } }, "mediaKit.description"],
  [{ mediaKit: { audience: "x".repeat(2001) } }, "mediaKit.audience"],
  [{ mediaKit: { topics: null } }, "mediaKit.topics"],
  [{ mediaKit: { topics: Array(13).fill("Clay") } }, "mediaKit.topics"],
  [{ mediaKit: { topics: ["x".repeat(41)] } }, "mediaKit.topics.0"],
  [{ mediaKit: { faq: [{ question: "Why?" }] } }, "mediaKit.faq.0.answer"],
  [{ mediaKit: { faq: Array(13).fill({ question: "Why?", answer: "So." }) } }, "mediaKit.faq"],
  [{ mediaKit: { logoUrl: "javascript:alert(1)" } }, "mediaKit.logoUrl"],
  [{ mediaKit: { logoUrl: "https://elsewhere.example/logo.png" } }, "mediaKit.logoUrl"],
  [{ utm: { source: "" } }, "utm.source"],
  [{ utm: { medium: "x".repeat(101) } }, "utm.medium"],
  [{ utm: { campaign: "a\u202eb" } }, "utm.campaign"],
  [{ mails: { adWaiting: 0 } }, "mails.adWaiting"],
  [{ mails: [] }, "mails"],
])("refuses %j at %s", async (body, field) => {
  expect(await caller.invalid("PATCH", `${path}/settings`, body)).toEqual([field]);
});

it("keeps who changed what, only what differs, and nothing where nothing does", async () => {
  const of = await aPublisher(service, "Audited Weekly");

  await change(of, { audiencePublic: true, limits: { clicksPerMinute: 3 }, mails: { adWaiting: true } });
  await change(of, { audiencePublic: true, mails: { adWaiting: true } });

  const trail = await auditTrail(service, of.workspace.id);
  expect(trail.filter(({ action }) => action === "settings.update")).toEqual([
    {
      workspace_id: of.workspace.id,
      actor_kind: "key",
      actor_id: of.key.id,
      actor_name: "Integration",
      action: "settings.update",
      before: { audiencePublic: false, clicksPerMinute: null },
      after: { audiencePublic: true, clicksPerMinute: 3 },
    },
  ]);
});

it("publishes a snapshot for a changed limit, and for no setting that serving does not use", async () => {
  const of = await aPublisher(service, "Limiting Weekly");
  const { id } = of.workspace;

  await change(of, { limits: { impressionsPerMinute: 3 } });
  const placed = await vi.waitFor(async () => {
    const snapshot = await service.placements.read(id);
    expect(snapshot?.limits).toEqual({ impressionsPerMinute: 3, clicksPerMinute: null });
    return snapshot;
  }, 10_000);
  await change(of, { audiencePublic: true, mails: { adWaiting: false } });

  const { version } = await service.database.db
    .selectFrom("workspaces")
    .where("id", "=", id)
    .select("version")
    .executeTakeFirstOrThrow();
  expect(version).toBe(placed?.version);
});

it("sends no mail of a waiting creative where it is turned off, and the next one where it is on again", async () => {
  const of = await aPublisher(service, "Quiet Weekly");
  await change(of, { mails: { purchase: false, adWaiting: false } });

  await aPendingAd(service, of);
  await change(of, { mails: { adWaiting: true } });
  await aPendingAd(service, of);

  expect(await subjectsTo(service, of.person.email)).toEqual(["New ad to review: Example Coffee"]);
});
