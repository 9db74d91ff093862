import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { hasRole, MEMBER_ROLES } from "#libs/domain/member.ts";
import type { MutableMail } from "#libs/domain/settings.ts";
import type { RateRule } from "#libs/limits/index.ts";
import { queueMail } from "../jobs/mail.ts";
import type { Services } from "../services.ts";
import { type Language, languageFor } from "./language.ts";
import type { Letter } from "./letter.ts";
import { writeMail } from "./write-mail.ts";

/** Whoever can act on what the mail says. */
const ROLES = MEMBER_ROLES.filter((role) => hasRole(role, "Manager"));
/** More would not make the first of them faster. */
const MAX_RECIPIENTS = 20;
/** Things to be told an hour: whoever can buy for nothing cannot fill a publisher's mailbox. */
const TOLD_RATE: RateRule = { name: "mail-publisher", points: 60, durationSeconds: 60 * 60 };

/**
 * Queues a mail to everybody who can act in a workspace, Owners and those longest there first, sent once the
 * transaction is committed; none where the workspace has turned off that kind. No more than 20 people get it and no more than 60 things an hour are told.
 */
export async function tellPublisher(
  trx: Transaction<Tables>,
  { limits, logger }: Pick<Services, "limits" | "logger">,
  workspaceId: string,
  mail: MutableMail,
  write: (language: Language) => Letter,
): Promise<void> {
  if (await isMuted(trx, workspaceId, mail)) return;
  const rate = await limits.consume(TOLD_RATE, workspaceId);
  if (!rate.allowed) {
    logger.warn({ workspaceId }, "a publisher was not told: there were too many mails within the hour");
    return;
  }
  const recipients = await trx
    .selectFrom("members")
    .innerJoin("people", "people.id", "members.person_id")
    .where("members.workspace_id", "=", workspaceId)
    .where("members.role", "in", ROLES)
    .select("people.email")
    .orderBy("members.role")
    .orderBy("members.id")
    .limit(MAX_RECIPIENTS + 1)
    .execute();
  if (recipients.length > MAX_RECIPIENTS) {
    logger.warn({ workspaceId, told: MAX_RECIPIENTS }, "not every member of a workspace was told");
  }
  const language = languageFor();
  const letter = write(language);
  for (const { email } of recipients.slice(0, MAX_RECIPIENTS)) {
    await queueMail(trx, writeMail(language, { to: email }, letter));
  }
}

async function isMuted(trx: Transaction<Tables>, workspaceId: string, mail: MutableMail): Promise<boolean> {
  const row = await trx
    .selectFrom("workspaces")
    .where("id", "=", workspaceId)
    .select("muted_mails")
    .executeTakeFirst();
  return row?.muted_mails.includes(mail) ?? true;
}
