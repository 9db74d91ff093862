import type { ManagementUnderTest } from "../management.ts";
import type { Tenant } from "../two-tenants.ts";
import { type MatrixRow, member, revisedAd } from "./row.ts";

const note = () => ({ note: "A clearer name, please." });
const anAdThatIs =
  (status: "Pending" | "Rejected") =>
  async ({ database }: ManagementUnderTest, { rejected: { id: adId } }: Tenant) => {
    await database.db.updateTable("ads").set({ status }).where("id", "=", adId).execute();
    return { adId };
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

/** The endpoints of ads, of their counts, and of who bought them. */
export const AD_ROWS: Readonly<Record<string, MatrixRow>> = {
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
  "ads.export": { access: member("Viewer"), allowed: 200 },
  "advertisers.exportList": { access: member("Viewer"), allowed: 200 },
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
  "reports.get": { access: member("Viewer"), allowed: 200 },
  "reports.readers": { access: member("Viewer"), allowed: 200 },
  "reports.export": { access: member("Viewer"), allowed: 200 },
  "stats.workspace": { access: member("Viewer"), allowed: 200 },
  "stats.traffic": { access: member("Viewer"), allowed: 200 },
};
