import PostalMime from "postal-mime";

/** A mail as its reader sees it. */
export interface ReadMail {
  /** `Name <address>`, or the address alone. */
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Empty for a mail of plain text. */
  readonly html: string;
  /** What comes with the mail. */
  readonly images: readonly { readonly id: string; readonly type: string; readonly bytes: Buffer }[];
  readonly messageId: string;
  /** Every header by its name in lower case, unfolded. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Reads a mail as mail programs do, for tests. Throws when it has not one sender and one recipient. */
export async function readMail(raw: string | Buffer): Promise<ReadMail> {
  const mail = await PostalMime.parse(raw);
  const { from, to = [], subject = "", text = "", html = "", messageId = "" } = mail;
  const [recipient, another] = to;
  if (from?.address === undefined || recipient?.address === undefined || another !== undefined) {
    throw new Error("a mail that is not from one person to one person");
  }
  return {
    from: from.name === "" ? from.address : `${from.name} <${from.address}>`,
    to: recipient.address,
    subject,
    text,
    html,
    images: mail.attachments.map(({ contentId = "", mimeType, content }) => ({
      id: contentId.replace(/^<|>$/g, ""),
      type: mimeType,
      bytes:
        typeof content === "string" ? Buffer.from(content, "base64") : Buffer.from(new Uint8Array(content)),
    })),
    messageId,
    headers: Object.fromEntries(mail.headers.map(({ key, value }) => [key, value])),
  };
}
