import { newId } from "#libs/domain/ids.ts";
import { anApprovedAd, aPaidCheckout, aPendingAd, aTier } from "../story.ts";
import { type CallsByName, type Ground, note, revised } from "./ground.ts";

const creative = { name: "Example Coffee", websiteUrl: "https://coffee.example" };
const png = { fileName: "logo.png", contentType: "image/png", contentLength: 1000 } as const;
const NO_SESSION = "cs_test_0000000000000000";

/** Buying a placement, submitting the ad, and images for it. */
export function saleCalls({ service, publisher, here, priceId, field, running }: Ground): CallsByName {
  return {
    "checkout.create": async () => {
      const archived = await aTier(publisher);
      await publisher.caller.request("DELETE", `${publisher.path}/tiers/${archived.id}`);
      return {
        succeed: (api) => api.checkout.create({ ...here, tierPriceId: priceId, email: "ads@example.com" }),
        refuse: {
          404: (api) => api.checkout.create({ ...here, tierPriceId: newId("price") }),
          409: (api) => api.checkout.create({ ...here, tierPriceId: archived.prices[0]?.id ?? "" }),
          422: (api) =>
            api.checkout.create({ ...here, tierPriceId: priceId, cancelUrl: "javascript:alert(1)" }),
        },
      };
    },
    "checkout.get": async () => ({
      succeed: (api) => api.checkout.get({ sessionId: running.checkout.sessionId }),
      refuse: { 404: (api) => api.checkout.get({ sessionId: NO_SESSION }) },
    }),
    "checkout.submit": async () => {
      const { sessionId } = await aPaidCheckout(service, publisher, priceId);
      const rejected = await aPendingAd(service, publisher);
      await publisher.caller.request("POST", `${rejected.path}/reject`, { note });
      const meta = [{ fieldId: field.id, value: "Roasted this morning" }];
      return {
        succeed: (api) => api.checkout.submit({ sessionId, ...creative, meta }),
        refuse: {
          404: (api) => api.checkout.submit({ sessionId: NO_SESSION, ...creative }),
          409: (api) => api.checkout.submit({ sessionId: rejected.checkout.sessionId, ...creative }),
          422: (api) =>
            api.checkout.submit({ sessionId, ...creative, meta: [{ fieldId: field.id, value: 5 }] }),
        },
      };
    },
    "checkout.revision": async () => {
      const made = await anApprovedAd(service, publisher);
      const { path, sessionId } = made.checkout;
      await made.checkout.caller.request("POST", `${path}/ad`, revised);
      return {
        succeed: (api) => api.checkout.revision({ sessionId }),
        refuse: { 404: (api) => api.checkout.revision({ sessionId: running.checkout.sessionId }) },
      };
    },
    "checkout.upload": async () => {
      const unpaid = await publisher.caller.request("POST", `${publisher.path}/checkout-sessions`, {
        tierPriceId: priceId,
      });
      const { sessionId } = running.checkout;
      return {
        succeed: (api) => api.checkout.upload({ sessionId, ...png }),
        refuse: {
          404: (api) => api.checkout.upload({ sessionId: NO_SESSION, ...png }),
          409: (api) => api.checkout.upload({ sessionId: JSON.parse(unpaid.text).sessionId, ...png }),
          422: (api) => api.checkout.upload({ sessionId, ...png, contentLength: 0 }),
        },
      };
    },
    "uploads.create": async () => ({
      succeed: (api) => api.uploads.create({ ...here, ...png }),
      refuse: { 422: (api) => api.uploads.create({ ...here, ...png, fileName: "" }) },
    }),
  };
}
