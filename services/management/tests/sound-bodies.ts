const aSoundField = {
  name: "Call to action",
  type: "Text",
  description: "On the button.",
  default: "Read on",
  placeholder: "Read on",
  isRequired: true,
  isPublisherOnly: false,
  order: 3,
  options: [],
  maxLength: 40,
  min: null,
  max: null,
};

/** A body that each endpoint which takes one accepts, or refuses only for the state of things. */
export function soundBodies(known: { readonly priceId: string }): Record<string, Record<string, unknown>> {
  return {
    "ads.reject": { note: "Not for our readers." },
    "ads.requestChanges": { note: "A clearer name, please." },
    "apiKeys.create": { name: "Integration" },
    "checkout.create": {
      tierPriceId: known.priceId,
      email: "ads@example.com",
      cancelUrl: "https://example.com/back",
    },
    "checkout.submit": { name: "Example Coffee", websiteUrl: "https://coffee.example", meta: [] },
    "checkout.upload": { fileName: "logo.png", contentType: "image/png", contentLength: 1000 },
    "fields.create": {
      ...aSoundField,
      key: "call_to_action",
    },
    "fields.update": aSoundField,
    "fields.reorder": { fields: [] },
    "prices.create": { amount: 0, intervalCount: 2, currency: "jpy", interval: "Week" },
    "revisions.reject": { note: "The old one says more." },
    "revisions.requestChanges": { note: "A clearer name, please." },
    "settings.update": {
      audiencePublic: true,
      chargeAt: "approval",
      renewalGraceDays: 7,
      limits: { impressionsPerMinute: 60, clicksPerMinute: null },
      mails: { adWaiting: false, paymentFailed: true, subscriptionCanceled: true, monthlyReports: true },
    },
    "tiers.create": {
      name: "Gold",
      weight: 3,
      initialPrices: [{ amount: 4900, intervalCount: 1, currency: "usd", interval: "Month" }],
      description: "On every page.",
      isActive: true,
      order: 3,
      features: [{ label: "Top of the page", type: "positive" }],
    },
    "tiers.update": {
      name: "Gold",
      weight: 3,
      description: "On every page.",
      isActive: true,
      order: 3,
      features: [{ label: "Top of the page", type: "positive" }],
    },
    "uploads.create": { fileName: "logo.png", contentType: "image/png", contentLength: 1000 },
    "invitations.accept": { token: "nothing" },
    "invitations.create": { email: "colleague@example.com", role: "Viewer" },
    "members.update": { role: "Manager" },
    "workspaces.update": {
      name: "Example Weekly",
      websiteUrl: "https://weekly.example",
      slug: "example-weekly-changed",
      currency: "eur",
    },
    "workspaces.create": {
      name: "Example Weekly",
      websiteUrl: "https://weekly.example",
      slug: "example-weekly-again",
      currency: "eur",
    },
  };
}
