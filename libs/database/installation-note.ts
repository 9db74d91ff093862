import type { Kysely } from "kysely";
import { type Note, noteSchema } from "#libs/installation/index.ts";
import type { Tables } from "./tables.ts";

/** The database's note of its installation; null before the first. */
export async function readInstallationNote(db: Kysely<Tables>): Promise<Note | null> {
  const row = await db
    .selectFrom("installation")
    .select(["id as installation", "checkpoint", "log_end as logEnd"])
    .executeTakeFirst();
  return row === undefined ? null : noteSchema.parse(row);
}

/** Replaces the note durably. */
export async function writeInstallationNote(db: Kysely<Tables>, note: Note, now: Date): Promise<void> {
  const row = { id: note.installation, checkpoint: note.checkpoint, log_end: note.logEnd, noted_at: now };
  await db
    .insertInto("installation")
    .values(row)
    .onConflict((conflict) => conflict.column("is_only").doUpdateSet(row))
    .execute();
}

/** The damage to other stores that an earlier start accepted. */
export async function readKnownDamage(db: Kysely<Tables>): Promise<string[]> {
  const row = await db.selectFrom("installation").select("known_damage").executeTakeFirst();
  return row?.known_damage ?? [];
}

/** Replaces the known damage. Requires a note. */
export async function writeKnownDamage(db: Kysely<Tables>, damage: readonly string[]): Promise<void> {
  await db
    .updateTable("installation")
    .set({ known_damage: JSON.stringify(damage) })
    .execute();
}
