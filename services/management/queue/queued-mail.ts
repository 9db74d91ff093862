import { z } from "zod";
import type { Message } from "#libs/mail/index.ts";

/** What an email is about, for the count of emails that nobody receives. */
const mailAbout = z.object({
  workspaceId: z.string(),
  recipient: z.enum(["publisher", "advertiser"]),
  kind: z.string(),
});
export type MailAbout = z.output<typeof mailAbout>;

/** An email in the queue. */
export interface QueuedMail extends Message {
  readonly about?: MailAbout;
}

export const queuedMail: z.ZodType<QueuedMail> = z.object({
  id: z.string().exactOptional(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string().exactOptional(),
  images: z.array(z.object({ id: z.string(), png: z.string() })).exactOptional(),
  onBehalfOf: z.string().exactOptional(),
  replyTo: z.string().exactOptional(),
  unsubscribeUrl: z.string().exactOptional(),
  about: mailAbout.exactOptional(),
});
