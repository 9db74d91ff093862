import { newId } from "#libs/domain/ids.ts";
import { aField, anApprovedAd, aPaidCheckout, aPendingAd, aTier } from "../story.ts";
import { type Call, type CallsByName, type Ground, note } from "./ground.ts";

/** Ads, their revisions and who bought them. */
export function adCalls({ service, publisher, here, running, aRevisedAd }: Ground): CallsByName {
  const ofRunning = { ...here, adId: running.id };
  const noAd = { ...here, adId: newId("ad") };
  const { id: advertiserId } = running.subscription.advertiser;

  const anAwaitedPurchase = async () => {
    const { prices } = await aTier(publisher);
    const checkout = await aPaidCheckout(service, publisher, prices[0]?.id ?? "");
    await checkout.caller.request("GET", checkout.path);
    return await service.database.db
      .selectFrom("subscriptions")
      .innerJoin("advertisers", "advertisers.id", "subscriptions.advertiser_id")
      .where("advertisers.email", "=", checkout.email)
      .select("subscriptions.id")
      .executeTakeFirstOrThrow();
  };

  return {
    "ads.list": async () => ({
      succeed: (api) =>
        api.ads.list({
          ...here,
          status: "Approved",
          query: "coffee",
          serving: "yes",
          subscription: "Canceling",
          stats: "last30Days",
          sort: "ctr",
        }),
      refuse: { 422: (api) => api.ads.list({ ...here, page: 0 }) },
    }),
    "ads.export": async () => ({
      succeed: (api) => api.ads.export({ ...here, status: "Approved" }),
      refuse: { 422: (api) => api.ads.export({ ...here, updatedSince: "yesterday" }) },
    }),
    "ads.toReview": async () => {
      await aRevisedAd();
      return {
        succeed: (api) => api.ads.toReview(here),
        refuse: { 422: (api) => api.ads.toReview({ ...here, page: 0 }) },
      };
    },
    "ads.get": async () => ({
      succeed: (api) => api.ads.get(ofRunning),
      refuse: { 404: (api) => api.ads.get(noAd) },
    }),
    "ads.update": async () => {
      const { id: fieldId } = await aField(publisher, { name: "Campaign", isPublisherOnly: true });
      const { id: adId, path } = await aPendingAd(service, publisher);
      await publisher.caller.request("POST", `${path}/reject`, { note });
      return {
        succeed: (api) => api.ads.update({ ...ofRunning, meta: [{ fieldId, value: "Spring" }] }),
        refuse: {
          404: (api) => api.ads.update(noAd),
          409: (api) => api.ads.update({ ...here, adId }),
          422: (api) => api.ads.update({ ...ofRunning, meta: [{ fieldId, value: 1 }] }),
        },
      };
    },
    "ads.approve": async () => {
      const { id: adId } = await aPendingAd(service, publisher);
      const approve: Call = (api) => api.ads.approve({ ...here, adId });
      return {
        succeed: approve,
        refuse: {
          404: (api) => api.ads.approve(noAd),
          409: approve,
          422: (api) => api.ads.approve({ ...here, adId, version: 0 }),
        },
      };
    },
    "ads.reject": async () => {
      const { id: adId } = await aPendingAd(service, publisher);
      const reject: Call = (api) => api.ads.reject({ ...here, adId, note });
      return {
        succeed: reject,
        refuse: {
          404: (api) => api.ads.reject({ ...noAd, note }),
          409: reject,
          422: (api) => api.ads.reject({ ...here, adId, note: "" }),
        },
      };
    },
    "ads.requestChanges": async () => {
      const { id: adId } = await aPendingAd(service, publisher);
      return {
        succeed: (api) => api.ads.requestChanges({ ...here, adId, note }),
        refuse: {
          404: (api) => api.ads.requestChanges({ ...noAd, note }),
          409: (api) => api.ads.requestChanges({ ...ofRunning, note }),
          422: (api) => api.ads.requestChanges({ ...here, adId, note: "x".repeat(501) }),
        },
      };
    },
    "ads.pause": async () => {
      const { id: adId } = await anApprovedAd(service, publisher);
      const pause: Call = (api) => api.ads.pause({ ...here, adId });
      return { succeed: pause, refuse: { 404: (api) => api.ads.pause(noAd), 409: pause } };
    },
    "ads.resume": async () => {
      const { id: adId, path } = await anApprovedAd(service, publisher);
      await publisher.caller.request("POST", `${path}/pause`);
      const resume: Call = (api) => api.ads.resume({ ...here, adId });
      return { succeed: resume, refuse: { 404: (api) => api.ads.resume(noAd), 409: resume } };
    },
    "ads.eligibility": async () => ({
      succeed: (api) => api.ads.eligibility(ofRunning),
      refuse: { 404: (api) => api.ads.eligibility(noAd) },
    }),
    "advertisers.list": async () => ({
      succeed: (api) =>
        api.advertisers.list({ ...here, query: "coffee", subscription: "PastDue", sort: "unpaid" }),
      refuse: { 422: (api) => api.advertisers.list({ ...here, perPage: 101 }) },
    }),
    "advertisers.exportList": async () => ({
      succeed: (api) => api.advertisers.exportList({ ...here, query: "coffee" }),
      refuse: { 422: (api) => api.advertisers.exportList({ ...here, updatedSince: "yesterday" }) },
    }),
    "advertisers.get": async () => ({
      succeed: (api) => api.advertisers.get({ ...here, advertiserId }),
      refuse: { 404: (api) => api.advertisers.get({ ...here, advertiserId: newId("advertiser") }) },
    }),
    "subscriptions.remind": async () => {
      const { id: subscriptionId } = await anAwaitedPurchase();
      return {
        succeed: (api) => api.subscriptions.remind({ ...here, subscriptionId }),
        refuse: {
          404: (api) => api.subscriptions.remind({ ...here, subscriptionId: newId("subscription") }),
          409: (api) => api.subscriptions.remind({ ...here, subscriptionId: running.subscription.id }),
        },
      };
    },
    "subscriptions.cancel": async () => {
      const { id: subscriptionId } = await anAwaitedPurchase();
      const cancel: Call = (api) => api.subscriptions.cancel({ ...here, subscriptionId, refund: true });
      return {
        succeed: cancel,
        refuse: {
          404: (api) => api.subscriptions.cancel({ ...here, subscriptionId: newId("subscription") }),
          409: cancel,
          422: (api) => api.subscriptions.cancel({ ...here, subscriptionId, note: " " }),
        },
      };
    },
    "subscriptions.totals": async () => ({
      succeed: (api) => api.subscriptions.totals({ ...here, days: 7 }),
      refuse: { 422: (api) => api.subscriptions.totals({ ...here, days: 366 }) },
    }),
    "subscriptions.list": async () => ({
      succeed: (api) => api.subscriptions.list({ ...here, ad: "submitted" }),
      refuse: { 422: (api) => api.subscriptions.list({ ...here, page: 0 }) },
    }),
    "revisions.list": async () => {
      await aRevisedAd();
      return {
        succeed: (api) => api.revisions.list(here),
        refuse: { 422: (api) => api.revisions.list({ ...here, page: 0 }) },
      };
    },
    "revisions.get": async () => {
      const of = await aRevisedAd();
      return {
        succeed: (api) => api.revisions.get(of),
        refuse: { 404: (api) => api.revisions.get(ofRunning) },
      };
    },
    "revisions.approve": async () => {
      const of = await aRevisedAd();
      return {
        succeed: (api) => api.revisions.approve(of),
        refuse: {
          404: (api) => api.revisions.approve(noAd),
          409: (api) => api.revisions.approve(ofRunning),
          422: (api) => api.revisions.approve({ ...of, version: 0 }),
        },
      };
    },
    "revisions.requestChanges": async () => {
      const of = await aRevisedAd();
      return {
        succeed: (api) => api.revisions.requestChanges({ ...of, note }),
        refuse: {
          404: (api) => api.revisions.requestChanges({ ...noAd, note }),
          409: (api) => api.revisions.requestChanges({ ...ofRunning, note }),
          422: (api) => api.revisions.requestChanges({ ...of, note: "" }),
        },
      };
    },
    "revisions.reject": async () => {
      const of = await aRevisedAd();
      return {
        succeed: (api) => api.revisions.reject({ ...of, note }),
        refuse: {
          404: (api) => api.revisions.reject({ ...noAd, note }),
          409: (api) => api.revisions.reject({ ...ofRunning, note }),
          422: (api) => api.revisions.reject({ ...of, note: " " }),
        },
      };
    },
  };
}
