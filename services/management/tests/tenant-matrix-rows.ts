import type { Access } from "#libs/contract/errors.ts";
import { newId } from "#libs/domain/ids.ts";
import type { MemberRole } from "#libs/domain/member.ts";
import { aMember, anInvitation } from "./joining.ts";
import type { ManagementUnderTest } from "./management.ts";
import { aField, aTier } from "./story.ts";
import type { Tenant } from "./two-tenants.ts";

type Body = Readonly<Record<string, unknown>>;
type Ids = Readonly<Record<string, string>>;

/** What is expected of an endpoint, whatever the contract says. */
export interface MatrixRow {
  readonly access: Access;
  /** The status for a caller with access. */
  readonly allowed: number;
  readonly body?: (tenant: Tenant) => Body;
  /** Makes what a call uses up, before each call that is allowed; with the ids that differ from the tenant's. */
  readonly arrange?: (service: ManagementUnderTest, tenant: Tenant) => Promise<Ids>;
  /** A body that names something of another tenant's, and the status it gets. */
  readonly foreign?: { readonly status: number; readonly body: (other: Tenant) => Body };
}

const publicly = { kind: "public" } as const;
const inPerson = { kind: "session" } as const;
const member = (role: MemberRole) => ({ kind: "member", role }) as const;
const people = (role: MemberRole) => ({ kind: "people", role }) as const;

const note = () => ({ note: "A clearer name, please." });
const png = () => ({ fileName: "logo.png", contentType: "image/png", contentLength: 1000 });
const creative = () => ({ name: "Example Roasters", websiteUrl: "https://roasters.example" });
const anAdThatIs =
  (status: "Pending" | "Rejected") =>
  async ({ database }: ManagementUnderTest, { rejected: { id: adId } }: Tenant) => {
    await database.db.updateTable("ads").set({ status }).where("id", "=", adId).execute();
    return { adId };
  };
const revisedAd = async (_service: ManagementUnderTest, tenant: Tenant) => {
  await tenant.proposeRevision();
  return {};
};
const aCorrection = async (_service: ManagementUnderTest, { caller, running }: Tenant) => {
  const day = "2026-11-21";
  const made = await caller.request("POST", `${running.path}/corrections`, {
    from: day,
    to: day,
    reason: "A crawler.",
  });
  return { correctionId: JSON.parse(made.text).id };
};
const aFreshPrice = async (_service: ManagementUnderTest, tenant: Tenant) => {
  const { id, prices } = await aTier(tenant);
  return { tierId: id, priceId: prices[0]?.id ?? "" };
};

/** Every endpoint of the management contract by name, with who may call it. */
export const MATRIX: Readonly<Record<string, MatrixRow>> = {
  // With another password than theirs, so that they are still there for the next call.
  "account.delete": { access: inPerson, allowed: 422, body: () => ({ password: "not theirs" }) },
  "account.export": { access: inPerson, allowed: 200 },
  "ads.list": { access: member("Viewer"), allowed: 200 },
  "ads.get": { access: member("Viewer"), allowed: 200 },
  "ads.approve": { access: member("Manager"), allowed: 200, arrange: anAdThatIs("Pending") },
  "ads.reject": { access: member("Manager"), allowed: 409, body: note, arrange: anAdThatIs("Rejected") },
  "ads.requestChanges": {
    access: member("Manager"),
    allowed: 200,
    body: note,
    arrange: anAdThatIs("Pending"),
  },
  "ads.pause": {
    access: member("Manager"),
    allowed: 200,
    arrange: async (_service, { caller, running }) => {
      await caller.request("POST", `${running.path}/resume`);
      return {};
    },
  },
  "ads.resume": {
    access: member("Manager"),
    allowed: 200,
    arrange: async (_service, { caller, running }) => {
      await caller.request("POST", `${running.path}/pause`);
      return {};
    },
  },
  "ads.update": { access: member("Manager"), allowed: 200, body: () => ({ meta: [] }) },
  "ads.toReview": { access: member("Viewer"), allowed: 200 },
  "ads.stats": { access: member("Viewer"), allowed: 200 },
  "ads.traffic": { access: member("Viewer"), allowed: 200 },
  "ads.eligibility": { access: member("Viewer"), allowed: 200 },
  "advertisers.list": { access: member("Viewer"), allowed: 200 },
  "advertisers.get": { access: member("Viewer"), allowed: 200 },
  // The advertiser's subscription is live.
  "advertisers.erase": { access: member("Manager"), allowed: 409 },
  "advertisers.export": { access: member("Manager"), allowed: 200 },
  "subscriptions.cancel": { access: member("Manager"), allowed: 409 },
  "subscriptions.remind": { access: member("Manager"), allowed: 409 },
  "subscriptions.list": { access: member("Viewer"), allowed: 200 },
  "subscriptions.totals": { access: member("Viewer"), allowed: 200 },
  "apiKeys.list": { access: people("Viewer"), allowed: 200 },
  "apiKeys.create": { access: people("Manager"), allowed: 200, body: () => ({ name: "Integration" }) },
  "apiKeys.revoke": {
    access: people("Manager"),
    allowed: 200,
    arrange: async (service, tenant) => {
      const { caller } = await aMember(service, tenant, "Manager");
      const made = await caller.request("POST", `${tenant.path}/api-keys`, { name: "Short-lived" });
      return { keyId: JSON.parse(made.text).id };
    },
  },
  "trackingKeys.list": { access: people("Viewer"), allowed: 200 },
  "trackingKeys.create": { access: people("Manager"), allowed: 200, body: () => ({ name: "Newsletter" }) },
  "trackingKeys.revoke": {
    access: people("Manager"),
    allowed: 200,
    arrange: async (service, tenant) => {
      const { caller } = await aMember(service, tenant, "Manager");
      const made = await caller.request("POST", `${tenant.path}/tracking-keys`, { name: "Short-lived" });
      return { keyId: JSON.parse(made.text).id };
    },
  },
  "audit.list": { access: member("Manager"), allowed: 200 },
  "checkout.create": {
    access: publicly,
    allowed: 200,
    body: ({ ids }) => ({ tierPriceId: ids.priceId }),
    foreign: { status: 404, body: ({ ids }) => ({ tierPriceId: ids.priceId }) },
  },
  "checkout.get": { access: publicly, allowed: 200 },
  "checkout.submit": {
    access: publicly,
    allowed: 200,
    body: creative,
    foreign: {
      status: 422,
      body: ({ ids }) => ({ ...creative(), meta: [{ fieldId: ids.fieldId, value: "Ours" }] }),
    },
  },
  "checkout.revision": { access: publicly, allowed: 200, arrange: revisedAd },
  "checkout.upload": { access: publicly, allowed: 200, body: png },
  "connect.get": { access: member("Viewer"), allowed: 200 },
  // Workspaces have no account of their own here.
  "connect.start": { access: people("Owner"), allowed: 409 },
  "fields.list": { access: member("Viewer"), allowed: 200 },
  "fields.create": {
    access: member("Manager"),
    allowed: 200,
    body: () => ({ name: "Slogan", type: "Text" }),
  },
  "fields.get": { access: member("Viewer"), allowed: 200 },
  "fields.update": { access: member("Manager"), allowed: 200, body: () => ({ placeholder: "One line" }) },
  "fields.delete": {
    access: member("Manager"),
    allowed: 200,
    arrange: async (_service, tenant) => ({ fieldId: (await aField(tenant)).id }),
  },
  "fields.reorder": {
    access: member("Manager"),
    allowed: 200,
    body: ({ ids }) => ({ fields: [{ id: ids.fieldId, order: 0 }] }),
    foreign: { status: 404, body: ({ ids }) => ({ fields: [{ id: ids.fieldId, order: 0 }] }) },
  },
  "invitations.list": { access: people("Owner"), allowed: 200 },
  "invitations.create": {
    access: people("Owner"),
    allowed: 200,
    body: () => ({ email: "colleague@example.com", role: "Viewer" }),
  },
  "invitations.revoke": {
    access: people("Owner"),
    allowed: 200,
    arrange: async (service, tenant) => {
      const { id } = await anInvitation(service, tenant, `${newId("person")}@example.com`, "Viewer");
      return { invitationId: id };
    },
  },
  "invitations.accept": {
    access: inPerson,
    allowed: 404,
    body: () => ({ token: "nothing" }),
    foreign: { status: 403, body: ({ invitationToken }) => ({ token: invitationToken }) },
  },
  "invoices.list": { access: member("Viewer"), allowed: 200 },
  "invoices.export": { access: member("Viewer"), allowed: 200 },
  "invoices.refunds": { access: member("Viewer"), allowed: 200 },
  "invoices.exportRefunds": { access: member("Viewer"), allowed: 200 },
  "ads.export": { access: member("Viewer"), allowed: 200 },
  "advertisers.exportList": { access: member("Viewer"), allowed: 200 },
  "invoices.refund": { access: member("Manager"), allowed: 200, body: () => ({ amount: 1 }) },
  "invoices.revenue": { access: member("Viewer"), allowed: 200 },
  "invoices.revenueByDay": { access: member("Viewer"), allowed: 200 },
  "members.list": { access: people("Viewer"), allowed: 200 },
  "members.update": { access: people("Owner"), allowed: 200, body: () => ({ role: "Viewer" }) },
  "members.setReportEmails": {
    access: people("Manager"),
    allowed: 200,
    body: () => ({ reportEmails: ["month"] }),
  },
  "members.setMyReportEmails": { access: people("Viewer"), allowed: 200, body: () => ({ reportEmails: [] }) },
  "members.remove": {
    access: people("Owner"),
    allowed: 200,
    arrange: async (service, tenant) => {
      const { memberId } = await aMember(service, tenant, "Viewer");
      return { memberId };
    },
  },
  "members.leave": { access: people("Viewer"), allowed: 200 },
  "prices.create": {
    access: member("Manager"),
    allowed: 200,
    body: () => ({ amount: 500, intervalCount: 1, currency: "jpy" }),
    arrange: aFreshPrice,
  },
  "prices.archive": { access: member("Manager"), allowed: 200, arrange: aFreshPrice },
  "prices.unarchive": { access: member("Manager"), allowed: 200, arrange: aFreshPrice },
  "corrections.list": { access: member("Viewer"), allowed: 200 },
  "corrections.create": {
    access: member("Manager"),
    allowed: 200,
    body: () => ({ from: "2026-11-21", to: "2026-11-21", reason: "A crawler." }),
  },
  "corrections.apply": { access: member("Manager"), allowed: 200, arrange: aCorrection },
  "corrections.revoke": { access: member("Manager"), allowed: 200, arrange: aCorrection },
  "revisions.list": { access: member("Viewer"), allowed: 200 },
  "revisions.get": { access: member("Viewer"), allowed: 200, arrange: revisedAd },
  "revisions.approve": { access: member("Manager"), allowed: 200, arrange: revisedAd },
  "revisions.requestChanges": {
    access: member("Manager"),
    allowed: 200,
    body: note,
    arrange: revisedAd,
  },
  "revisions.reject": { access: member("Manager"), allowed: 200, body: note, arrange: revisedAd },
  "settings.get": { access: member("Viewer"), allowed: 200 },
  "settings.droppedEmails": { access: member("Manager"), allowed: 200 },
  "settings.update": {
    access: member("Owner"),
    allowed: 200,
    body: () => ({ limits: { clicksPerMinute: 20 }, mails: { adWaiting: false } }),
  },
  "reports.get": { access: member("Viewer"), allowed: 200 },
  "reports.readers": { access: member("Viewer"), allowed: 200 },
  "reports.export": { access: member("Viewer"), allowed: 200 },
  "stats.workspace": { access: member("Viewer"), allowed: 200 },
  "stats.traffic": { access: member("Viewer"), allowed: 200 },
  "tiers.list": { access: member("Viewer"), allowed: 200 },
  "tiers.create": {
    access: member("Manager"),
    allowed: 200,
    body: () => ({
      name: "Silver",
      weight: 2,
      initialPrices: [{ amount: 0, intervalCount: 1, currency: "eur" }],
    }),
  },
  "tiers.get": { access: member("Viewer"), allowed: 200 },
  "tiers.update": { access: member("Manager"), allowed: 200, body: () => ({ weight: 2.5 }) },
  "tiers.archive": { access: member("Manager"), allowed: 200, arrange: aFreshPrice },
  "tiers.unarchive": { access: member("Manager"), allowed: 200 },
  "uploads.create": { access: member("Manager"), allowed: 200, body: png },
  "workspaces.list": { access: inPerson, allowed: 200 },
  "workspaces.create": { access: inPerson, allowed: 200, body: () => ({ name: "Third Weekly" }) },
  "workspaces.get": { access: member("Viewer"), allowed: 200 },
  "workspaces.update": { access: member("Owner"), allowed: 200, body: () => ({ currency: "eur" }) },
  // With another name than the workspace's, so that it is still there for the next call.
  "workspaces.delete": {
    access: people("Owner"),
    allowed: 422,
    body: () => ({ name: "Another Weekly", refund: false }),
  },
  "workspaces.export": { access: people("Owner"), allowed: 200 },
};
