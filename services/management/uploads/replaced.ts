import { sql, type Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { FieldRules } from "#libs/domain/field.ts";
import type { Services } from "../services.ts";
import { keysOf, uploadedImages } from "./images.ts";

/** How long the files of a draft that another one has replaced are kept. */
const REPLACED_FOR_MS = 60 * 60_000;
/** Removals are queued for the end of a stretch of this length, so that many drafts make one job. */
const STRETCH_MS = 10 * 60_000;

type Meta = Readonly<Record<string, unknown>>;

/** Lets the uploads of a draft go within the hour that its replacement no longer names, unless something else does. */
export async function releaseReplaced(
  trx: Transaction<Tables>,
  { uploads, now }: Pick<Services, "uploads" | "now">,
  workspaceId: string,
  rules: readonly FieldRules[],
  { before, after }: { readonly before: Meta; readonly after: Meta },
): Promise<void> {
  const kept = keysOf(uploadedImages(uploads, workspaceId, rules, after));
  const replaced = keysOf(uploadedImages(uploads, workspaceId, rules, before)).filter(
    (key) => !kept.includes(key),
  );
  if (replaced.length === 0) return;

  const due = now() + REPLACED_FOR_MS;
  const locked = await trx
    .selectFrom("uploads")
    .where("workspace_id", "=", workspaceId)
    .where("key", "in", replaced)
    .where("due_at", ">", new Date(due))
    .select("key")
    .orderBy("key")
    .forNoKeyUpdate()
    .execute();
  if (locked.length === 0) return;
  await trx
    .updateTable("uploads")
    .set({ due_at: new Date(due) })
    .where("workspace_id", "=", workspaceId)
    .where(
      "key",
      "in",
      locked.map(({ key }) => key),
    )
    .execute();
  const stretch = Math.ceil(due / STRETCH_MS);
  await sql`select graphile_worker.add_job(
    'unused-uploads', job_key => ${`unused-uploads:${stretch}`}, run_at => ${new Date(stretch * STRETCH_MS)}
  )`.execute(trx);
}
