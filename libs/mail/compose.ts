import type { InlineImage, Message } from "./port.ts";

/** `Name <address>`, one of the two forms that `MAIL_FROM` has; the other is a bare address. */
const NAMED_MAILBOX = /^([^<>]*)<([^<>]+)>$/;
const BARE_MAILBOX = /^[^<>]+$/;

/** A message as the composer takes it: every text in its place, so that none can add a header or a recipient. */
export function compose(from: string, message: Message) {
  const { id, to, subject, text, html, images = [], onBehalfOf, replyTo, unsubscribeUrl } = message;
  const sender = senderOf(from, onBehalfOf);
  return {
    from: sender,
    // As an object, so that a comma in a name or address cannot make it two recipients.
    to: { name: "", address: to },
    ...(replyTo === undefined ? {} : { replyTo: { name: "", address: replyTo } }),
    subject: oneLine(subject),
    text,
    ...(html === undefined ? {} : { html }),
    ...(images.length === 0 ? {} : { attachments: images.map(attachmentOf) }),
    ...(id === undefined ? {} : { messageId: `<${id}@${sender.address.split("@").at(-1)}>` }),
    headers: {
      // No out-of-office note should answer (RFC 3834).
      "Auto-Submitted": "auto-generated",
      ...(unsubscribeUrl === undefined ? {} : unsubscribeHeaders(unsubscribeUrl)),
    },
  };
}

/** Inline, so that mail programs do not list it as an attachment. */
function attachmentOf({ id, png }: InlineImage) {
  return {
    cid: id,
    filename: `${id.split("@")[0]}.png`,
    content: png,
    encoding: "base64",
    contentType: "image/png",
    contentDisposition: "inline" as const,
  };
}

function senderOf(from: string, onBehalfOf: string | undefined): { name: string; address: string } {
  const { name, address } = readMailbox(from.trim());
  if (onBehalfOf === undefined) return { name, address };
  return { name: [oneLine(onBehalfOf), name].filter((part) => part !== "").join(" via "), address };
}

function readMailbox(text: string): { name: string; address: string } {
  if (BARE_MAILBOX.test(text)) return { name: "", address: text };
  const [, written = "", address] = NAMED_MAILBOX.exec(text) ?? [];
  if (address === undefined) throw new TypeError("mails have no sender");
  return { name: written.trim().replace(/^"(.*)"$/, "$1"), address };
}

function unsubscribeHeaders(url: string) {
  // `href` has no line break and no bracket, whatever it was made of.
  return {
    "List-Unsubscribe": `<${new URL(url).href}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}

/** Line breaks, control characters, and those that turn the direction of what follows them. */
const UNFIT_FOR_A_LINE = /[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu;

/** A text in one line, whatever it is made of. */
export function oneLine(text: string): string {
  return text.replace(UNFIT_FOR_A_LINE, " ").trim();
}
