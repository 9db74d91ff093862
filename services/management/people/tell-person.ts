import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Tables } from "#libs/database/tables.ts";
import type { Limits, RateRule } from "#libs/limits/index.ts";
import type { Message } from "#libs/mail/index.ts";
import { queueMail } from "../jobs/mail.ts";

/** Mails of one kind to one person, so that no stranger can flood somebody's mailbox through us. */
const MAIL_RATE: Omit<RateRule, "name"> = { points: 5, durationSeconds: 60 * 60 };

/** What is needed to queue a mail to a person. */
export interface MailingServices {
  readonly db: Kysely<Tables>;
  readonly limits: Limits;
  readonly logger: Logger;
}

/** Queues a mail to a person, or drops it with a warning if there were too many of its kind within the hour. */
export async function tellPerson(
  { db, limits, logger }: MailingServices,
  kind: string,
  personId: string,
  message: Message,
): Promise<void> {
  const rate = await limits.consume({ ...MAIL_RATE, name: `mail-${kind}` }, personId);
  if (rate.allowed) await queueMail(db, message);
  else logger.warn({ personId, kind }, "a mail was not sent: there were too many within the hour");
}
