import type { Selectable } from "kysely";
import type { AdsTable } from "#libs/database/tables.ts";
import type { FieldsTable } from "#libs/database/tables-tiers.ts";
import { presentSubmittedAd } from "../ads/present.ts";
import { presentField } from "../fields/present.ts";
import type { CheckoutRow } from "./queries.ts";

/** A checkout session with the fields that its advertiser fills in, and the ad once it is submitted. */
export function presentCheckout(
  session: CheckoutRow,
  fields: readonly Selectable<FieldsTable>[],
  ad: Selectable<AdsTable> | undefined,
) {
  return {
    status: session.status,
    workspace: { id: session.workspace_id, name: session.workspace_name },
    tier: {
      id: session.tier_id,
      name: session.tier_name,
      description: session.tier_description,
      weight: session.tier_weight,
      features: session.tier_features,
    },
    tierPrice: {
      id: session.price_id,
      interval: session.interval,
      intervalCount: session.interval_count,
      amount: session.amount,
      currency: session.currency,
    },
    fields: fields.map(presentField),
    ad: ad === undefined ? null : presentSubmittedAd(ad, new Set(fields.map(({ id }) => id))),
  };
}
