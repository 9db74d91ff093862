import type { ListedAd } from "#libs/contract/ad.ts";
import type { Field } from "#libs/contract/fields.ts";

interface AdFacts {
  readonly id?: string;
  readonly name?: string;
  readonly status?: ListedAd["status"];
  readonly createdAt?: string;
  readonly subscription?: Partial<ListedAd["subscription"]>;
}

/** An ad that is being served, as a list has it. For tests. */
export function anAd(facts: AdFacts = {}): ListedAd {
  return {
    id: "ad_1",
    status: "Approved",
    name: "Example Coffee",
    websiteUrl: "https://coffee.example",
    faviconUrl: null,
    reviewedAt: "2026-11-02T09:00:00.000Z",
    rejectionNote: null,
    createdAt: "2026-11-01T09:00:00.000Z",
    updatedAt: "2026-11-02T09:00:00.000Z",
    ...facts,
    subscription: {
      id: "sub_1",
      status: "Active",
      cancelAtPeriodEnd: false,
      cancelAt: null,
      canceledAt: null,
      endedAt: null,
      cancellationReason: null,
      cancellationFeedback: null,
      cancellationComment: null,
      currentPeriodStart: "2026-11-01T09:00:00.000Z",
      currentPeriodEnd: "2026-12-01T09:00:00.000Z",
      paidAmount: null,
      chargeAt: "purchase",
      awaitsApproval: false,
      awaitsCharge: false,
      stoppedAt: null,
      graceEndsAt: null,
      refundDueSince: null,
      clientReference: null,
      metadata: {},
      tier: { id: "tier_1", name: "Headline", weight: 5 },
      tierPrice: { id: "price_1", interval: "Month", intervalCount: 1, amount: 19900, currency: "usd" },
      advertiser: { id: "adv_1", name: "Coffee people", email: "ads@coffee.example" },
      ...facts.subscription,
    },
  };
}

/** A creative field that advertisers are asked for. For tests. */
export function aField(facts: Partial<Field> & Pick<Field, "id">): Field {
  return {
    key: facts.id,
    name: facts.id,
    type: "Text",
    description: "",
    default: "",
    placeholder: "",
    isRequired: false,
    isPublisherOnly: false,
    order: 0,
    options: [],
    maxLength: null,
    image: null,
    min: null,
    max: null,
    workspaceId: "ws_1",
    createdAt: "2026-11-01T09:00:00.000Z",
    updatedAt: "2026-11-01T09:00:00.000Z",
    ...facts,
  };
}
