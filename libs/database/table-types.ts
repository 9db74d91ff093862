import type pg from "pg";

const HEADER = `// The columns of every table of ours, as kysely sees them. Written by \`npm run schema\`, compared by a test.

import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from "kysely";
import type { KeyKind } from "#libs/domain/api-key.ts";
import type { ActorKind } from "#libs/domain/audit.ts";
import type { Bill, StopReason } from "#libs/domain/charging.ts";
import type { CheckoutStatus } from "#libs/domain/checkout.ts";
import type { FieldType } from "#libs/domain/field.ts";
import type { IconType } from "#libs/domain/image.ts";
import type { ImageRules } from "#libs/domain/image-rules.ts";
import type { DisputeStatus, InvoiceStatus } from "#libs/domain/invoice.ts";
import type { DropReason } from "#libs/domain/letters.ts";
import type { MediaKit } from "#libs/domain/media-kit.ts";
import type { MemberRole } from "#libs/domain/member.ts";
import type { Interval } from "#libs/domain/period.ts";
import type { AdStatus } from "#libs/domain/review.ts";
import type { ChargeAt, MutableMail, PublisherMail } from "#libs/domain/settings.ts";
import type { SubscriptionStatus } from "#libs/domain/subscription.ts";
import type { TierFeature } from "#libs/domain/tier.ts";
import type {
  AuditValues,
  ExternalImage,
  MeasuredUpload,
  NotedSubmission,
  ReconciliationReport,
  WebhookSubject,
} from "./json-columns.ts";
`;

/** What a value of a type of Postgres is in JavaScript (`column-values.ts`). */
const TYPES: Readonly<Record<string, string>> = {
  boolean: "boolean",
  integer: "number",
  bigint: "number",
  numeric: "number",
  "double precision": "number",
  text: "string",
  "text[]": "string[]",
  bytea: "Buffer",
  "timestamp with time zone": "Date",
  ad_status: "AdStatus",
  billing_interval: "Interval",
  checkout_status: "CheckoutStatus",
  favicon_outcome: '"found" | "none" | "unreachable"',
  field_type: "FieldType",
  invoice_status: "InvoiceStatus",
  member_role: "MemberRole",
  subscription_status: "SubscriptionStatus",
};

/** The types of text columns with few values; null and defaults are added. */
const VALUES: Readonly<Record<string, string>> = {
  "api_keys.kind": "KeyKind",
  "audit_log.actor_kind": "ActorKind",
  "charges.dispute_status": "DisputeStatus",
  "digest_lines.kind": "PublisherMail",
  "dropped_mails.recipient": '"publisher" | "advertiser"',
  "dropped_mails.reason": "DropReason",
  "favicon_lookups.content_type": "IconType",
  "subscriptions.charge_at": "ChargeAt",
  "subscriptions.stop_bill": "Bill",
  "subscriptions.stop_reason": "StopReason",
  "workspaces.charge_at": "ChargeAt",
  "workspaces.muted_mails": "MutableMail[]",
};

const AUDITED = "ColumnType<AuditValues | null, string | null, never>";
const IMAGES = "JSONColumnType<Record<string, ExternalImage>, string | undefined>";
const META = "JSONColumnType<Record<string, unknown>>";
const PREVIOUS = "JSONColumnType<NotedSubmission | null, string | null | undefined, string | null>";

/** The whole types of columns of JSON: what is read, inserted and updated. */
const JSON_COLUMNS: Readonly<Record<string, string>> = {
  "ads.images_elsewhere": IMAGES,
  "ads.meta": META,
  "ads.previous": PREVIOUS,
  "audit_log.after": AUDITED,
  "audit_log.before": AUDITED,
  "fields.image": "ColumnType<ImageRules | null, string | null | undefined, string | null>",
  "fields.options": "JSONColumnType<string[]>",
  "installation.known_damage": "ColumnType<string[], string | undefined, string>",
  "reconciliations.report": "JSONColumnType<ReconciliationReport> | null",
  "revisions.images_elsewhere": IMAGES,
  "revisions.meta": META,
  "revisions.previous": PREVIOUS,
  "subscriptions.metadata": "JSONColumnType<Readonly<Record<string, string>>, string | undefined, string>",
  "tiers.features": "JSONColumnType<TierFeature[]>",
  "uploads.measured": "JSONColumnType<MeasuredUpload | null, string | undefined>",
  "webhook_events.subject": "JSONColumnType<WebhookSubject>",
  "workspaces.media_kit": "ColumnType<MediaKit, string | undefined, string>",
};

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly is_nullable: boolean;
  readonly has_default: boolean;
}

const COLUMNS = `
select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type,
  not a.attnotnull as is_nullable, a.atthasdef or a.attidentity <> '' as has_default
from pg_attribute a join pg_class c on c.oid = a.attrelid
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> 'schema_migrations'
  and a.attnum > 0 and not a.attisdropped
order by c.relname collate "C", a.attnum`;

/** The TypeScript file with the types of all tables. Throws for a column whose type is stated nowhere. */
export async function describeTables(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<Column>(COLUMNS);
  const tables = Map.groupBy(rows, ({ table }) => table);
  const blocks = [...tables].map(([table, columns]) => {
    const lines = columns.map((column) => `    ${column.name}: ${typeOf(column)};\n`);
    return `  ${table}: {\n${lines.join("")}  };\n`;
  });
  return `${HEADER}\nexport interface Tables {\n${blocks.join("")}}\n`;
}

function typeOf({ table, name, type, is_nullable: isNullable, has_default: hasDefault }: Column): string {
  const column = `${table}.${name}`;
  const whole = JSON_COLUMNS[column];
  if (whole !== undefined) return whole;
  // A trigger keeps it.
  if (name === "changed_at") return "GeneratedAlways<Date>";
  const value = VALUES[column] ?? TYPES[type];
  if (value === undefined) throw new Error(`The type of ${column}, ${type}, is stated nowhere.`);
  const read = isNullable ? `${value} | null` : value;
  return hasDefault ? `Generated<${read}>` : read;
}
