import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { ownerOf } from "#libs/database/owner.ts";
import type { Tables } from "#libs/database/tables.ts";
import { ADVERTISER_LETTERS_PER_HOUR, type AdvertiserMail } from "#libs/domain/letters.ts";
import { type AddressKey, siteOf } from "#libs/http/index.ts";
import type { Limits, RateRule } from "#libs/limits/index.ts";
import { type Mail, MailError, type Message } from "#libs/mail/index.ts";
import { enqueue } from "../queue/enqueue.ts";
import type { QueuedMail } from "../queue/queued-mail.ts";
import { wasPaidFor } from "../store/paid-for.ts";
import { recordDrop } from "./dropped.ts";
import { CHART_ID, type Letter } from "./letter.ts";
import { renderHtml } from "./render-html.ts";
import { renderText } from "./render-text.ts";

/** RFC 2606 reserves this domain, so no such address can receive email; the people of a demo have such addresses. */
const RESERVED = /\.invalid$/i;

/** The sender of what no publisher says. */
const PRODUCT = "Placard";

export interface MailLimitPorts {
  readonly limits: Pick<Limits, "consume">;
  readonly logger: Logger;
}

/** How many letters of a kind one address gets. */
const rateOf = (kind: AdvertiserMail): RateRule => ({
  name: `mail-${kind}`,
  points: ADVERTISER_LETTERS_PER_HOUR[kind],
  durationSeconds: 60 * 60,
});
/** Reports to members count together with those to advertisers. */
export const REPORTS_RATE: RateRule = rateOf("report");

const DAY_SECONDS = 24 * 60 * 60;

/**
 * Letters of a kind to those who have paid nothing, but for reports, of all workspaces that one person owns. Anybody can buy
 * for free, or to pay later, with a stranger's address, and each letter has the publisher's name and the tier's: they would reach any
 * number of mailboxes. Kinds do not share room, so that many purchases hide no decision; nor do buyers of free prices, who save no card,
 * with those who are to pay.
 */
const FREE_LETTERS = 200;
/** Checkouts without a payment that one network opens, at all workspaces that one person owns, whose buyers get letters that they did not ask for. */
const SHARE_OF_NETWORK: RateRule = { name: "mail-free-network", points: 50, durationSeconds: DAY_SECONDS };

/** An advertiser as letters reach them, and the publisher that the letters speak for. */
export interface AdvertiserAddress {
  readonly workspace_id: string;
  readonly email: string | null;
  readonly workspace: string;
  /** Where the advertiser's answers go, if the publisher has said so. */
  readonly contact_email: string | null;
}

/**
 * Queues a letter to an advertiser in the name of the publisher; false if they get none. None without an address. One over the limit of
 * its kind is dropped and counted. So is one to who has paid the publisher nothing, if it `isWithheld` or is over the limit for those.
 */
export async function queueToAdvertiser(
  db: Kysely<Tables>,
  ports: MailLimitPorts,
  kind: AdvertiserMail,
  { workspace_id: workspaceId, email: to, workspace, contact_email: contact }: AdvertiserAddress,
  letter: Letter,
  { isWithheld = false, ...extra }: Pick<Message, "unsubscribeUrl"> & { readonly isWithheld?: boolean } = {},
): Promise<boolean> {
  if (to === null) return false;
  const about = { workspaceId, recipient: "advertiser", kind } as const;
  const mayGet = async () => {
    if (!(await isWithinLimit(ports, rateOf(kind), to, { workspaceId }))) return false;
    const standing = kind === "report" ? "paid" : await standingOf(db, workspaceId, to);
    if (standing === "paid") return true;
    const ofAll = { name: `mail-${standing}-${kind}`, points: FREE_LETTERS, durationSeconds: DAY_SECONDS };
    return (
      !isWithheld && (await isWithinLimit(ports, ofAll, await ownerOf(db, workspaceId), { workspaceId }))
    );
  };
  if (!(await mayGet())) {
    await recordDrop(db, about, "limit");
    return false;
  }
  const envelope = { to, onBehalfOf: workspace, about, ...extra };
  if (contact === null) await queueLetter(db, envelope, letter);
  else {
    const footer = `${letter.footer} Questions? Reply to this email or write to ${contact}.`;
    await queueLetter(db, { ...envelope, replyTo: contact }, { ...letter, footer });
  }
  return true;
}

/** Counts a checkout that takes no payment to the network that opens it; whether its buyer gets letters about it only on request. */
export async function areLettersWithheld(
  db: Kysely<Tables>,
  { limits }: Pick<MailLimitPorts, "limits">,
  workspaceId: string,
  caller: AddressKey,
): Promise<boolean> {
  const key = `${await ownerOf(db, workspaceId)} ${siteOf(caller) ?? caller}`;
  return !(await limits.consume(SHARE_OF_NETWORK, key)).allowed;
}

/** Whether the advertiser with that address has ever paid, or is to pay for something. */
async function standingOf(db: Kysely<Tables>, workspaceId: string, email: string) {
  const bought = db
    .selectFrom("advertisers")
    .innerJoin("subscriptions", "subscriptions.advertiser_id", "advertisers.id")
    .innerJoin("prices", "prices.id", "subscriptions.price_id")
    .where("advertisers.workspace_id", "=", workspaceId)
    .where("advertisers.email", "=", email)
    .where("subscriptions.workspace_id", "=", workspaceId)
    .where("prices.amount", ">", 0)
    .select("subscriptions.id")
    .limit(1);
  if ((await bought.where(wasPaidFor()).executeTakeFirst()) !== undefined) return "paid";
  return (await bought.executeTakeFirst()) === undefined ? "free" : "unpaid";
}

/** Renders a letter as text and HTML and queues it, as `queueMail` does. */
export async function queueLetter(
  db: Kysely<Tables>,
  envelope: Pick<QueuedMail, "to" | "onBehalfOf" | "replyTo" | "unsubscribeUrl" | "about">,
  letter: Letter,
): Promise<void> {
  await queueMail(db, {
    ...envelope,
    subject: letter.subject.text,
    text: renderText(letter),
    html: renderHtml(letter, envelope.onBehalfOf ?? PRODUCT),
    ...imagesOf(letter),
  });
}

function imagesOf({ blocks }: Letter): Pick<QueuedMail, "images"> {
  const images = blocks.flatMap((block) =>
    typeof block !== "string" && block.kind === "chart"
      ? [{ id: CHART_ID, png: block.png.toString("base64") }]
      : [],
  );
  return images.length === 0 ? {} : { images };
}

/**
 * Queues an email; given a transaction, it is sent only if that is committed. Until then its text and links are in the
 * queue; the daily sweep removes what could not be sent. Nothing is sent to addresses in `.invalid`.
 */
export async function queueMail(db: Kysely<Tables>, message: QueuedMail): Promise<void> {
  if (RESERVED.test(message.to)) return;
  await enqueue(db, "mail", { id: crypto.randomUUID(), ...message });
}

/** Counts an email against a limit. False, with a warning that names it by `about`, if it exceeds the limit. */
export async function isWithinLimit(
  { limits, logger }: MailLimitPorts,
  rule: RateRule,
  key: string,
  about: Readonly<Record<string, string>>,
): Promise<boolean> {
  const { allowed } = await limits.consume(rule, key);
  if (!allowed) logger.warn({ ...about, limit: rule.name }, "an email was dropped: too many of its kind");
  return allowed;
}

/** Sends a queued email. Throws if another attempt may succeed; drops and counts what the server has refused permanently. */
export async function sendMail(
  {
    mail,
    db,
    logger,
  }: { readonly mail: Pick<Mail, "send">; readonly db: Kysely<Tables>; readonly logger: Logger },
  { about, ...message }: QueuedMail,
): Promise<void> {
  try {
    await mail.send(message);
  } catch (error) {
    if (!(error instanceof MailError) || error.canRetry) throw error;
    logger.warn({ err: error }, "an email was refused permanently and dropped");
    if (about !== undefined) await recordDrop(db, about, "refused");
  }
}
