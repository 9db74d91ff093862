import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { hasRole, MEMBER_ROLES } from "#libs/domain/member.ts";
import type { MutableMail } from "#libs/domain/settings.ts";
import type { RateRule } from "#libs/limits/index.ts";
import { isWithinLimit, type MailLimitPorts, queueLetter } from "./delivery.ts";
import type { Letter } from "./letter.ts";
import { mailLinks } from "./links.ts";
import { reviewLetter } from "./publisher-letters.ts";
import { findSale } from "./sales.ts";

export interface MailPorts extends MailLimitPorts {
  readonly publicUrl: URL;
}

/** The roles that can act on the letter. */
const ROLES = MEMBER_ROLES.filter((role) => hasRole(role, "Manager"));
/** More recipients would not speed up the first reaction. */
const MAX_RECIPIENTS = 20;
/** Letters per hour: anybody who can buy for free cannot fill a publisher's mailbox. */
const RATE: RateRule = { name: "mail-publisher", points: 60, durationSeconds: 60 * 60 };

/**
 * Queues a letter to the Managers and Owners of a workspace, Owners and oldest memberships first, unless the workspace has
 * turned off that kind. At most 20 people per letter and 60 letters per hour.
 */
export async function mailPublisher(
  trx: Transaction<Tables>,
  ports: MailLimitPorts,
  workspaceId: string,
  kind: MutableMail,
  letter: Letter,
): Promise<void> {
  if (await isMuted(trx, workspaceId, kind)) return;
  if (!(await isWithinLimit(ports, RATE, workspaceId, { workspaceId }))) return;
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
    ports.logger.warn(
      { workspaceId, recipients: MAX_RECIPIENTS },
      "not every member of a workspace got an email",
    );
  }
  for (const { email } of recipients.slice(0, MAX_RECIPIENTS)) await queueLetter(trx, { to: email }, letter);
}

async function isMuted(trx: Transaction<Tables>, workspaceId: string, kind: MutableMail): Promise<boolean> {
  const row = await trx
    .selectFrom("workspaces")
    .where("id", "=", workspaceId)
    .select("muted_mails")
    .executeTakeFirst();
  return row?.muted_mails.includes(kind) ?? true;
}

export interface SubmittedCreative {
  readonly workspaceId: string;
  readonly subscriptionId: string;
  readonly adId: string;
  readonly name: string;
  readonly isRevision: boolean;
  /** Whether the publisher already knows that a creative of this ad waits for review. */
  readonly isKnownToWait: boolean;
}

/**
 * Queues the letter that a creative waits for review. Further submissions of the ad send none until the publisher has
 * decided or requested changes.
 */
export async function mailSubmission(
  trx: Transaction<Tables>,
  ports: MailPorts,
  { workspaceId, subscriptionId, adId, name, isRevision, isKnownToWait }: SubmittedCreative,
): Promise<void> {
  if (isKnownToWait) return;
  const sale = await findSale(trx, workspaceId, subscriptionId);
  if (sale === undefined) return;
  const url = mailLinks(ports.publicUrl).reviewAd(workspaceId, adId);
  const { workspace, advertiser, tier } = sale;
  const letter = reviewLetter({ workspace, advertiser, tier, ad: name, isRevision, url });
  await mailPublisher(trx, ports, workspaceId, "adWaiting", letter);
}
