import { newId } from "#libs/domain/ids.ts";
import { aMember, anInvitation } from "../joining.ts";
import type { ManagementUnderTest } from "../management.ts";
import { aField, aTier } from "../story.ts";
import type { Tenant } from "../two-tenants.ts";
import { AD_ROWS } from "./ads.ts";
import { inPerson, type MatrixRow, member, people, publicly, revisedAd } from "./row.ts";

const png = () => ({ fileName: "logo.png", contentType: "image/png", contentLength: 1000 });
const creative = () => ({ name: "Example Roasters", websiteUrl: "https://roasters.example" });
const aFreshPrice = async (_service: ManagementUnderTest, tenant: Tenant) => {
  const { id, prices } = await aTier(tenant);
  return { tierId: id, priceId: prices[0]?.id ?? "" };
};

/** Every endpoint of the management contract by name, with who may call it. */
export const MATRIX: Readonly<Record<string, MatrixRow>> = {
  ...AD_ROWS,
  // With another password than theirs, so that they are still there for the next call.
  "account.delete": { access: inPerson, allowed: 422, body: () => ({ password: "not theirs" }) },
  "account.export": { access: inPerson, allowed: 200 },
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
  "settings.get": { access: member("Viewer"), allowed: 200 },
  "settings.droppedEmails": { access: member("Manager"), allowed: 200 },
  "settings.update": {
    access: member("Owner"),
    allowed: 200,
    body: () => ({ limits: { clicksPerMinute: 20 }, mails: { adWaiting: false } }),
  },
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
