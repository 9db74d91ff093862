/** A PNG that the HTML shows as `cid:` and its id. It comes with the mail, so that reading loads nothing. */
export interface InlineImage {
  /** In the form of an address, `chart@placard`. */
  readonly id: string;
  /** In base64. */
  readonly png: string;
}

/** One mail to one person. Subject and names are plain text in one line: line breaks in them become spaces. */
export interface Message {
  /** Tells this mail from all others and stays with every attempt to send it, so that receivers can drop a doubled one. */
  readonly id?: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same content for programs that show it. */
  readonly html?: string;
  readonly images?: readonly InlineImage[];
  /** Whom the mail speaks for: its sender is shown as `{onBehalfOf} via {our own name}`, from our own address. */
  readonly onBehalfOf?: string;
  /** Where answers go; without it, to our own address. */
  readonly replyTo?: string;
  /** Where one POST ends mails of this kind (RFC 8058); becomes `List-Unsubscribe`. */
  readonly unsubscribeUrl?: string;
}

/** Hands mail on. */
export interface Mail {
  /** Resolves when the mail is somebody else's responsibility. Throws `MailError`. */
  send(message: Message): Promise<void>;
  close(): Promise<void>;
}

/** A mail was not handed on. The message carries no address and nothing of the mail. */
export class MailError extends Error {
  override readonly name = "MailError";
  /** False when the server has refused this very mail for good: the same again would be refused again. */
  readonly canRetry: boolean;

  constructor(message: string, canRetry: boolean, options?: ErrorOptions) {
    super(message, options);
    this.canRetry = canRetry;
  }
}
