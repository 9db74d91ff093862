import { type Kysely, sql } from "kysely";
import { z } from "zod";
import type { Tables } from "#libs/database/tables.ts";
import { type Mail, MailError, type Message } from "#libs/mail/index.ts";
import type { Services } from "../services.ts";

/** With graphile-worker's backoff the last attempt is some 40 hours after the first. */
const MAX_ATTEMPTS = 15;

/** Addresses that are nobody's by definition (RFC 2606), which is why the people of a demo have them. */
const NOBODYS = /\.invalid$/i;

const mailJob = z.object({
  id: z.string().exactOptional(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string().exactOptional(),
  onBehalfOf: z.string().exactOptional(),
  unsubscribeUrl: z.string().exactOptional(),
});

/**
 * Queues a mail; given a transaction, it is sent only if that is committed. The text is in the queue until then, with
 * whatever link it holds, and the daily sweep removes what could not be sent. Nothing is sent to addresses in `.invalid`.
 */
export async function queueMail(db: Kysely<Tables>, message: Message): Promise<void> {
  if (NOBODYS.test(message.to)) return;
  const payload = JSON.stringify({ id: crypto.randomUUID(), ...message });
  await sql`select graphile_worker.add_job(
    'mail', ${payload}::json, max_attempts => ${sql.lit(MAX_ATTEMPTS)}
  )`.execute(db);
}

/** Sends a queued mail. Throws when it is worth another try; what the server has refused for good is dropped. */
export async function sendMail(
  { mail, logger }: Pick<Services, "logger"> & { readonly mail: Mail },
  payload: unknown,
): Promise<void> {
  try {
    await mail.send(mailJob.parse(payload));
  } catch (error) {
    if (!(error instanceof MailError) || error.canRetry) throw error;
    logger.warn({ err: error }, "a mail was refused for good and dropped");
  }
}
