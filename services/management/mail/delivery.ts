import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Tables } from "#libs/database/tables.ts";
import type { Limits, RateRule } from "#libs/limits/index.ts";
import { type Mail, MailError, type Message } from "#libs/mail/index.ts";
import { enqueue } from "../queue/enqueue.ts";
import type { Letter } from "./letter.ts";
import { renderHtml } from "./render-html.ts";
import { renderText } from "./render-text.ts";

/** RFC 2606 reserves this domain, so no such address can receive email; the people of a demo have such addresses. */
const RESERVED = /\.invalid$/i;

export interface MailLimitPorts {
  readonly limits: Pick<Limits, "consume">;
  readonly logger: Logger;
}

/** An advertiser as letters reach them, and the publisher that the letters speak for. */
export interface AdvertiserAddress {
  readonly email: string | null;
  readonly workspace: string;
  /** Where the advertiser's answers go, if the publisher has said so. */
  readonly contact_email: string | null;
}

/**
 * Letters of a kind that one address receives per hour from all workspaces. Anybody can buy for free with anybody's address, and
 * publishers and buyers decide how often something happens: none of them can fill somebody else's mailbox. Where many letters
 * may be due at once, to an agency with many ads, there is room for them.
 */
const LETTERS_PER_HOUR = {
  purchase: 20,
  "missing-ad": 20,
  links: 10,
  decision: 100,
  pause: 20,
  refund: 20,
  billing: 100,
  report: 100,
} as const;

export type LetterKind = keyof typeof LETTERS_PER_HOUR;

/**
 * Queues a letter to an advertiser in the name of the publisher. None without an address, and none over the limit of its
 * kind.
 */
export async function queueToAdvertiser(
  db: Kysely<Tables>,
  ports: MailLimitPorts,
  kind: LetterKind,
  { email: to, workspace, contact_email: contact }: AdvertiserAddress,
  letter: Letter,
  extra: Pick<Message, "unsubscribeUrl"> = {},
): Promise<void> {
  if (to === null) return;
  const rate = { name: `mail-${kind}`, points: LETTERS_PER_HOUR[kind], durationSeconds: 60 * 60 };
  if (!(await isWithinLimit(ports, rate, to, { workspace }))) return;
  const envelope = { to, onBehalfOf: workspace, ...extra };
  if (contact === null) return await queueLetter(db, envelope, letter);
  const footer = `${letter.footer} Questions? Reply to this email or write to ${contact}.`;
  await queueLetter(db, { ...envelope, replyTo: contact }, { ...letter, footer });
}

/** Renders a letter as text and HTML and queues it, as `queueMail` does. */
export async function queueLetter(
  db: Kysely<Tables>,
  envelope: Pick<Message, "to" | "onBehalfOf" | "replyTo" | "unsubscribeUrl">,
  letter: Letter,
): Promise<void> {
  await queueMail(db, {
    ...envelope,
    subject: letter.subject.text,
    text: renderText(letter),
    html: renderHtml(letter),
  });
}

/**
 * Queues an email; given a transaction, it is sent only if that is committed. Until then its text and links are in the
 * queue; the daily sweep removes what could not be sent. Nothing is sent to addresses in `.invalid`.
 */
export async function queueMail(db: Kysely<Tables>, message: Message): Promise<void> {
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

/** Sends a queued email. Throws if another attempt may succeed; drops what the server has refused permanently. */
export async function sendMail(mail: Mail, logger: Logger, message: Message): Promise<void> {
  try {
    await mail.send(message);
  } catch (error) {
    if (!(error instanceof MailError) || error.canRetry) throw error;
    logger.warn({ err: error }, "an email was refused permanently and dropped");
  }
}
