import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { Message } from "#libs/mail/index.ts";
import { checkoutAddress } from "../checkout/sessions.ts";
import { queueMail } from "../jobs/mail.ts";
import type { AdRow } from "./queries.ts";

/** What a publisher decided that the advertiser has to hear of, with the publisher's note. */
export type Decision =
  | "ad-changes-requested"
  | "ad-rejected"
  | "revision-changes-requested"
  | "revision-rejected";

/** What to say of each: the subject, the sentence before the note and the one after it. */
const WORDS: Record<Decision, { subject: string; before: string; after: string | null }> = {
  "ad-changes-requested": {
    subject: "Please change your ad",
    before: "asks you to change your ad before it goes on air:",
    after: "Submit it again here:",
  },
  "ad-rejected": {
    subject: "Your ad was rejected",
    before: "has rejected your ad and ended its subscription:",
    after: null,
  },
  "revision-changes-requested": {
    subject: "Please change your revised ad",
    before: "asks you to change the new version of your ad. Meanwhile the present one stays on air.",
    after: "Submit it again here:",
  },
  "revision-rejected": {
    subject: "Your revised ad was rejected",
    before: "has rejected the new version of your ad. The present one stays on air.",
    after: "You can submit another one here:",
  },
};

/** Queues the mail to an ad's advertiser, sent once the transaction is committed; to one without an address, none. */
export async function tellAdvertiser(
  trx: Transaction<Tables>,
  publicUrl: URL,
  ad: AdRow,
  decision: Decision,
  note: string,
): Promise<void> {
  if (ad.advertiser_email === null) return;
  const { name: workspace } = await trx
    .selectFrom("workspaces")
    .where("id", "=", ad.workspace_id)
    .select("name")
    .executeTakeFirstOrThrow();
  const session = await trx
    .selectFrom("checkout_sessions")
    .where("workspace_id", "=", ad.workspace_id)
    .where("subscription_id", "=", ad.subscription_id)
    .select("id")
    .executeTakeFirst();
  const link = session === undefined ? null : checkoutAddress(publicUrl, session.id);
  await queueMail(trx, writeMail(ad.advertiser_email, ad, workspace, link, decision, note));
}

function writeMail(
  to: string,
  ad: AdRow,
  workspace: string,
  link: string | null,
  decision: Decision,
  note: string,
): Message {
  const { subject, before, after } = WORDS[decision];
  const paragraphs = [
    `Hello ${ad.advertiser_name},`,
    `${workspace} ${before}`,
    note.replace(/^/gm, "  "),
    ...(after === null || link === null ? [] : [`${after}\n${link}`]),
  ];
  return { to, subject: `${subject}: ${ad.name}`, text: `${paragraphs.join("\n\n")}\n` };
}
