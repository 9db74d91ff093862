import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { isId } from "#libs/domain/ids.ts";
import { commandLine } from "#libs/process/index.ts";
import { CommandError } from "../start/command-line.ts";

/** The person or workspace that a command is about. */
export interface Subject {
  readonly kind: "person" | "workspace";
  readonly id: string;
  /** The email address or the slug. */
  readonly called: string;
  readonly suspendedAt: Date | null;
}

/** The person with that email address or id, or the workspace with that slug or id. Throws `CommandError` if there is none. */
export async function findSubject(db: Kysely<Tables>, named: string): Promise<Subject> {
  const found = (await findPerson(db, named)) ?? (await findWorkspace(db, named));
  if (found === undefined) {
    throw new CommandError(
      `There is no person and no workspace "${named}". To list them: ${commandLine("operate", "list")}`,
    );
  }
  return found;
}

/** How a command names its subject to the operator. */
export function describeSubject({ kind, called, id }: Subject): string {
  return `${kind} ${called} (${id})`;
}

async function findPerson(db: Kysely<Tables>, named: string): Promise<Subject | undefined> {
  const row = await db
    .selectFrom("people")
    .where(isId("person", named) ? "id" : "email", "=", isId("person", named) ? named : named.toLowerCase())
    .select(["id", "email", "suspended_at"])
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { kind: "person", id: row.id, called: row.email, suspendedAt: row.suspended_at };
}

async function findWorkspace(db: Kysely<Tables>, named: string): Promise<Subject | undefined> {
  const row = await db
    .selectFrom("workspaces")
    .where(isId("workspace", named) ? "id" : "slug", "=", named)
    .select(["id", "slug", "suspended_at"])
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { kind: "workspace", id: row.id, called: row.slug, suspendedAt: row.suspended_at };
}
