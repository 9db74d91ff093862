import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { RateRule } from "#libs/limits/index.ts";
import { isWithinLimit, type MailLimitPorts, queueLetter } from "../../mail/delivery.ts";
import type { Letter } from "../../mail/letter.ts";

/** Emails of one kind to one person, so that no stranger can flood a mailbox through us. */
const RATE: Omit<RateRule, "name"> = { points: 5, durationSeconds: 60 * 60 };

export interface PersonMailPorts extends MailLimitPorts {
  readonly db: Kysely<Tables>;
}

/** Queues a letter to a person, or drops it with a warning after too many of its kind within the hour. */
export async function mailPerson(
  ports: PersonMailPorts,
  kind: string,
  person: { readonly id: string; readonly email: string },
  letter: Letter,
): Promise<void> {
  const rule = { ...RATE, name: `mail-${kind}` };
  if (!(await isWithinLimit(ports, rule, person.id, { personId: person.id }))) return;
  await queueLetter(ports.db, { to: person.email }, letter);
}
