import type { ColumnType, Generated, JSONColumnType } from "kysely";
import type { FieldType } from "#libs/domain/field.ts";
import type { ImageRules } from "#libs/domain/image-rules.ts";
import type { Interval } from "#libs/domain/period.ts";
import type { TierFeature } from "#libs/domain/tier.ts";
import type { Timestamp } from "./column-values.ts";

/** The tables of what a workspace sells, and of the fields an ad has. */
export interface CatalogueTables {
  tiers: {
    id: string;
    workspace_id: string;
    name: string;
    description: Generated<string>;
    weight: number;
    order: number;
    is_active: Generated<boolean>;
    features: JSONColumnType<TierFeature[]>;
    provider_product_id: string | null;
    provider_account: string | null;
    provider_active: Generated<boolean>;
    created_at: Timestamp;
    updated_at: Timestamp;
  };

  prices: {
    id: string;
    workspace_id: string;
    tier_id: string;
    interval: Interval;
    interval_count: number;
    amount: number;
    currency: string;
    is_active: Generated<boolean>;
    provider_price_id: string | null;
    provider_account: string | null;
    provider_active: Generated<boolean>;
    created_at: Timestamp;
  };

  fields: {
    id: string;
    workspace_id: string;
    key: string;
    name: string;
    type: FieldType;
    description: Generated<string>;
    default: Generated<string>;
    placeholder: Generated<string>;
    is_required: Generated<boolean>;
    is_publisher_only: Generated<boolean>;
    order: number;
    options: JSONColumnType<string[]>;
    max_length: number | null;
    min: number | null;
    max: number | null;
    image: ColumnType<ImageRules | null, string | null | undefined, string | null>;
    created_at: Timestamp;
    updated_at: Timestamp;
  };
}
