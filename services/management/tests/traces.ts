import type { ManagementUnderTest } from "./management.ts";

/** The tables of ours, and the queue of jobs, in which a row holds the text anywhere, in upper or lower case. */
export async function tablesWith(
  { database: { pool } }: Pick<ManagementUnderTest, "database">,
  text: string,
): Promise<string[]> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and (table_schema = 'public' or table_name = '_private_jobs') order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rowCount } = await pool.query(
      `select from ${name} as t where strpos(lower(t::text), lower($1)) > 0 limit 1`,
      [text],
    );
    if (rowCount === 1) found.push(name);
  }
  return found;
}
