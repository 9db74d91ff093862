import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { SINGLE_LETTERS_PER_HOUR } from "#libs/domain/letters.ts";
import { hasRole, MEMBER_ROLES } from "#libs/domain/member.ts";
import type { PublisherMail } from "#libs/domain/settings.ts";
import type { RateRule } from "#libs/limits/index.ts";
import { enqueue } from "../queue/enqueue.ts";
import type { Payloads } from "../queue/tasks.ts";
import { type MailLimitPorts, queueLetter } from "./delivery.ts";
import type { Letter } from "./letter.ts";
import { mailLinks } from "./links.ts";
import { digestLetter, reviewLetter } from "./publisher-letters.ts";
import { findSale } from "./sales.ts";

export interface MailPorts extends MailLimitPorts {
  readonly publicUrl: URL;
}

/** The roles that can act on the letter. */
const ROLES = MEMBER_ROLES.filter((role) => hasRole(role, "Manager"));
/** More recipients would not speed up the first reaction. */
const MAX_RECIPIENTS = 20;
const HOUR_SECONDS = 60 * 60;

/**
 * Queues a letter to the Managers and Owners of a workspace, unless the workspace has turned off that kind. Beyond the letters of
 * its kind that are sent one by one per hour, its subject is a line of a digest, which comes once the hour is over.
 */
export async function mailPublisher(
  trx: Transaction<Tables>,
  ports: MailLimitPorts,
  workspaceId: string,
  kind: PublisherMail,
  letter: Letter,
): Promise<void> {
  if (await isMuted(trx, workspaceId, kind)) return;
  const points = SINGLE_LETTERS_PER_HOUR[kind];
  const rule: RateRule = { name: `mail-publisher-${kind}`, points, durationSeconds: HOUR_SECONDS };
  const { allowed, resetMs } = await ports.limits.consume(rule, workspaceId);
  if (allowed) return await queueToPublisher(trx, ports, workspaceId, kind, letter);
  await trx
    .insertInto("digest_lines")
    .values({ workspace_id: workspaceId, kind, line: letter.subject.text })
    .execute();
  await enqueue(trx, "digest", { workspaceId, kind }, { afterMs: resetMs, keepsRunAt: true });
}

/** Queues a letter about a refund that somebody waits for, whatever the workspace has turned off, and never as a line of a digest. */
export async function mailPublisherOfRefund(
  trx: Transaction<Tables>,
  ports: MailLimitPorts,
  workspaceId: string,
  letter: Letter,
): Promise<void> {
  await queueToPublisher(trx, ports, workspaceId, "subscriptionCanceled", letter);
}

/** Queues the digest of the letters of a kind that wait for it; none where there are none, or the kind was turned off meanwhile. */
export async function sendDigest(
  ports: MailPorts & { readonly db: Kysely<Tables> },
  { workspaceId, kind }: Payloads["digest"],
): Promise<void> {
  await ports.db.transaction().execute(async (trx) => {
    const rows = await trx
      .deleteFrom("digest_lines")
      .where("workspace_id", "=", workspaceId)
      .where("kind", "=", kind)
      .returning(["id", "line"])
      .execute();
    const workspace = await trx
      .selectFrom("workspaces")
      .where("id", "=", workspaceId)
      .select("name")
      .executeTakeFirst();
    if (rows.length === 0 || workspace === undefined || (await isMuted(trx, workspaceId, kind))) return;
    const lines = rows.toSorted((a, b) => a.id - b.id).map(({ line }) => line);
    const url = mailLinks(ports.publicUrl).listOf(workspaceId, kind);
    const letter = digestLetter({ kind, lines, workspace: workspace.name, url });
    await queueToPublisher(trx, ports, workspaceId, kind, letter);
  });
}

/** Queues a letter, which has no greeting, to the Managers and Owners of a workspace, Owners and oldest memberships first, to 20 people at most. */
async function queueToPublisher(
  trx: Transaction<Tables>,
  ports: Pick<MailLimitPorts, "logger">,
  workspaceId: string,
  kind: PublisherMail,
  letter: Letter,
): Promise<void> {
  const recipients = await trx
    .selectFrom("members")
    .innerJoin("people", "people.id", "members.person_id")
    .where("members.workspace_id", "=", workspaceId)
    .where("members.role", "in", ROLES)
    .select(["people.email", "people.name"])
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
  const about = { workspaceId, recipient: "publisher", kind } as const;
  for (const { email, name } of recipients.slice(0, MAX_RECIPIENTS)) {
    await queueLetter(trx, { to: email, about }, { ...letter, blocks: [`Hi ${name},`, ...letter.blocks] });
  }
}

async function isMuted(trx: Transaction<Tables>, workspaceId: string, kind: PublisherMail): Promise<boolean> {
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
