import type { Message } from "#libs/mail/index.ts";
import type { Language } from "./language.ts";
import type { Letter } from "./letter.ts";
import { renderHtml } from "./render-html.ts";
import { renderText } from "./render-text.ts";

/** To whom a letter goes, for whom it speaks, and how mails of its kind are ended. */
export type Envelope = Pick<Message, "to" | "onBehalfOf" | "unsubscribeUrl">;

/** A letter as the mail that is sent: its text and its HTML are made of the same content. */
export function writeMail({ locale }: Language, envelope: Envelope, letter: Letter): Message {
  return {
    ...envelope,
    subject: letter.subject.text,
    text: renderText(letter),
    html: renderHtml(locale, letter),
  };
}
