import type { Kysely } from "kysely";
import { type Note, noteSchema } from "#libs/installation/index.ts";
import type { Tables } from "./tables.ts";

/** The note that the database keeps of its installation; null before the first. */
export async function readInstallationNote(db: Kysely<Tables>): Promise<Note | null> {
  const row = await db
    .selectFrom("installation")
    .select(["id as installation", "checkpoint", "log_end as logEnd"])
    .executeTakeFirst();
  return row === undefined ? null : noteSchema.parse(row);
}

/** Replaces the note. It is durable as every commit is. */
export async function writeInstallationNote(db: Kysely<Tables>, note: Note, now: Date): Promise<void> {
  const row = { id: note.installation, checkpoint: note.checkpoint, log_end: note.logEnd, noted_at: now };
  await db
    .insertInto("installation")
    .values(row)
    .onConflict((conflict) => conflict.column("is_only").doUpdateSet(row))
    .execute();
}

/** The damage to other stores that was accepted at an earlier start. */
export async function readKnownDamage(db: Kysely<Tables>): Promise<string[]> {
  const row = await db.selectFrom("installation").select("known_damage").executeTakeFirst();
  return row?.known_damage ?? [];
}

/** Replaces what is known of damage. Needs a note. */
export async function writeKnownDamage(db: Kysely<Tables>, damage: readonly string[]): Promise<void> {
  await db
    .updateTable("installation")
    .set({ known_damage: JSON.stringify(damage) })
    .execute();
}
