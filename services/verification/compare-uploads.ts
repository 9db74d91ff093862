import { type Kysely, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { Uploads } from "#libs/uploads/index.ts";
import { UPLOAD_KEYS } from "../management/media/uploads/usage.ts";
import type { Difference } from "./difference.ts";

type Files = Pick<Uploads, "find" | "keys">;

const PAGE = 200;
/** Requests to the store at the same time. */
const ASKED_AT_ONCE = 10;

/** Where URLs of uploads are used, by table: the columns of the key and of the workspace, and the text that has the URLs. */
const USES = {
  ads: { id: "id", owner: "workspace_id", text: sql<string>`concat_ws(' ', meta::text, favicon_url)` },
  revisions: { id: "ad_id", owner: "workspace_id", text: sql<string>`meta::text` },
  workspaces: { id: "id", owner: "id", text: sql<string>`favicon_url` },
} as const;

/** Finds records and uses without a file, and files without a record, a page at a time. */
export async function* compareUploads(db: Kysely<Tables>, files: Files): AsyncGenerator<Difference> {
  yield* missingFiles(recordedKeys(db), files);
  for (const table of ["ads", "revisions", "workspaces"] as const) {
    yield* missingFiles(usedKeys(db, table), files);
  }
  yield* unrecordedFiles(db, files);
}

/** The keys of one page for which the store has no file. */
export async function* missingFiles(
  pages: AsyncIterable<readonly string[]>,
  files: Pick<Files, "find">,
): AsyncGenerator<Difference> {
  for await (const keys of pages) {
    for (let start = 0; start < keys.length; start += ASKED_AT_ONCE) {
      const some = keys.slice(start, start + ASKED_AT_ONCE);
      const found = await Promise.all(some.map((key) => files.find(key)));
      for (const key of some.filter((_key, index) => found[index] === null)) {
        const message = `The file ${key} is missing, and the database has it as uploaded.`;
        yield { signature: message, message };
      }
    }
  }
}

/** The keys of files that have arrived; a grant alone does not mean that there is a file. */
async function* recordedKeys(db: Kysely<Tables>): AsyncGenerator<string[]> {
  let last = "";
  for (;;) {
    const rows = await db
      .selectFrom("uploads")
      .where("arrived_at", "is not", null)
      .where("key", ">", last)
      .select("key")
      .orderBy("key")
      .limit(PAGE)
      .execute();
    yield rows.map(({ key }) => key);
    last = rows.at(-1)?.key ?? "";
    if (rows.length < PAGE) return;
  }
}

/** The keys that a workspace's creatives and favicons use. */
async function* usedKeys(db: Kysely<Tables>, table: keyof typeof USES): AsyncGenerator<string[]> {
  const { id, owner, text } = USES[table];
  let last = "";
  for (;;) {
    const { rows } = await sql<{ id: string; owner: string; text: string | null }>`
      select ${sql.ref(id)} as id, ${sql.ref(owner)} as owner, ${text} as text from ${sql.table(table)}
      where ${sql.ref(id)} > ${last} order by ${sql.ref(id)} limit ${PAGE}`.execute(db);
    yield rows.flatMap((row) => keysIn(row.text ?? "", row.owner));
    last = rows.at(-1)?.id ?? "";
    if (rows.length < PAGE) return;
  }
}

/** The keys of a workspace's uploads in a text, each once. */
export function keysIn(text: string, workspaceId: string): string[] {
  const keys = text.match(UPLOAD_KEYS) ?? [];
  return [...new Set(keys)].filter((key) => key.startsWith(`${workspaceId}/`));
}

/** A record is made before its file and removed after it, so every file has one at any time. */
async function* unrecordedFiles(db: Kysely<Tables>, files: Pick<Files, "keys">): AsyncGenerator<Difference> {
  for await (const keys of inPages(files.keys())) {
    const rows = await db.selectFrom("uploads").where("key", "in", keys).select("key").execute();
    const recorded = new Set(rows.map(({ key }) => key));
    for (const key of keys.filter((one) => !recorded.has(one))) {
      const message = `The file ${key} exists, and the database has no record of it.`;
      yield { signature: message, message };
    }
  }
}

async function* inPages(keys: AsyncIterable<string>): AsyncGenerator<string[]> {
  let page: string[] = [];
  for await (const key of keys) {
    page.push(key);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
