import type pg from "pg";

const HEADER = `-- What the migrations add up to, read from the catalogs of a migrated database. Written by \`npm run schema\`, compared
-- by a test, never run: changes to it show in review what a migration does.
`;

/** `lines` are the columns of a table, then its constraints; `indexes` those that no constraint brings with it, and triggers. */
interface TableRow {
  readonly name: string;
  readonly lines: string[];
  readonly indexes: string[];
}

/** Describes the enums, functions and tables of the schema `public`, in an order that depends on names alone. */
export async function describeSchema(pool: pg.Pool): Promise<string> {
  const enums = await pool.query<{ line: string }>(ENUMS);
  const functions = await pool.query<{ line: string }>(FUNCTIONS);
  const tables = await pool.query<TableRow>(TABLES);
  const blocks = tables.rows.map(({ name, lines, indexes }) => {
    const table = `create table ${name} (\n${lines.map((line) => `  ${line}`).join(",\n")}\n);\n`;
    return table + indexes.map((index) => `${index};\n`).join("");
  });
  const named = [...enums.rows, ...functions.rows].map(({ line }) => `${line.trimEnd()};\n`);
  return [HEADER, named.join(""), ...blocks].join("\n");
}

const ENUMS = `
select format('create type %I as enum (%s)', t.typname, string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder)) as line
from pg_type t join pg_enum e on e.enumtypid = t.oid
where t.typnamespace = 'public'::regnamespace
group by t.typname
order by t.typname collate "C"`;

const COLUMNS = `
select a.attnum::text as place,
  format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod))
  || case when a.attnotnull then ' not null' else '' end
  || case
    when a.attidentity <> '' then ' generated ' || case a.attidentity when 'a' then 'always' else 'by default' end || ' as identity'
    when a.attgenerated <> '' then format(' generated always as (%s)', pg_get_expr(d.adbin, d.adrelid))
      || case a.attgenerated when 's' then ' stored' else ' virtual' end
    when d.oid is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid)
    else ''
  end as line
from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
order by a.attnum`;

// Not null is part of the column.
const CONSTRAINTS = `
select format('constraint %I %s', conname, pg_get_constraintdef(oid)) as line
from pg_constraint where conrelid = c.oid and contype <> 'n'
order by contype <> 'p', conname collate "C"`;

const INDEXES = `
select pg_get_indexdef(i.indexrelid) as line
from pg_index i join pg_class x on x.oid = i.indexrelid
where i.indrelid = c.oid and not exists (select from pg_constraint where conindid = i.indexrelid and conrelid = c.oid)
order by x.relname collate "C"`;

const TRIGGERS = `
select pg_get_triggerdef(oid) as line
from pg_trigger where tgrelid = c.oid and not tgisinternal
order by tgname collate "C"`;

const FUNCTIONS = `
select pg_get_functiondef(oid) as line
from pg_proc where pronamespace = 'public'::regnamespace
order by proname collate "C"`;

const TABLES = `
select format('%I', c.relname) as name,
  array(select line from (${COLUMNS}) columns) || array(select line from (${CONSTRAINTS}) constraints) as lines,
  array(${INDEXES}) || array(${TRIGGERS}) as indexes
from pg_class c
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
order by c.relname collate "C"`;
