import type pg from "pg";

const HEADER = `// The columns of every table of ours, as kysely sees them. Written by \`npm run schema\`, compared by a test.

import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from "kysely";
import type { GraceChange } from "#libs/domain/eligibility.ts";
import type { IconType } from "#libs/domain/image.ts";
import type { ImageRules } from "#libs/domain/image-rules.ts";
import type { DisputeStatus } from "#libs/domain/invoice.ts";
import type { MediaKit } from "#libs/domain/media-kit.ts";
import type { PublisherMail } from "#libs/domain/settings.ts";
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
};

/** The types of text columns whose few values no check lists. */
const VALUES: Readonly<Record<string, string>> = {
  "charges.dispute_status": "DisputeStatus",
  "digest_lines.kind": "PublisherMail",
  "favicon_lookups.content_type": "IconType",
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
  "workspaces.grace_changes": "ColumnType<GraceChange[], string | undefined, string>",
  "workspaces.media_kit": "ColumnType<MediaKit, string | undefined, string>",
};

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly is_nullable: boolean;
  readonly has_default: boolean;
  /** Postgres reckons it from others. */
  readonly is_reckoned: boolean;
  /** The values of an enum, or of a check that lists them; null for any other column. */
  readonly values: string[] | null;
}

const COLUMNS = `
select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type,
  not a.attnotnull as is_nullable, a.atthasdef or a.attidentity <> '' as has_default, a.attgenerated <> '' as is_reckoned, coalesce(
    (select array_agg(enumlabel::text order by enumsortorder) from pg_enum where enumtypid = a.atttypid),
    (select array_agg(found[1] order by place)
      from pg_constraint, regexp_matches(pg_get_constraintdef(oid), '''([^'']+)''::text', 'g') with ordinality as listed (found, place)
      where conrelid = c.oid and contype = 'c' and conkey = array[a.attnum] and pg_get_constraintdef(oid) ~ '(= ANY .|<@ )ARRAY')
  ) as values
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

function typeOf({
  table,
  name,
  type,
  is_nullable: isNullable,
  has_default: hasDefault,
  is_reckoned: isReckoned,
  values,
}: Column): string {
  const column = `${table}.${name}`;
  const whole = JSON_COLUMNS[column];
  if (whole !== undefined) return whole;
  // A trigger keeps it.
  if (name === "changed_at") return "GeneratedAlways<Date>";
  const union = values?.map((value) => JSON.stringify(value)).join(" | ");
  const listed = type === "text[]" && union !== undefined ? `(${union})[]` : union;
  const value = listed ?? VALUES[column] ?? TYPES[type];
  if (value === undefined) throw new Error(`The type of ${column}, ${type}, is stated nowhere.`);
  const read = isNullable ? `${value} | null` : value;
  if (isReckoned) return `GeneratedAlways<${read}>`;
  return hasDefault ? `Generated<${read}>` : read;
}
