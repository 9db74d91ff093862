/** One mail to one person. Subject and text are plain text; line breaks in a subject become spaces. */
export interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
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

/** A subject in one line, whatever names it is made of. */
export function oneLine(subject: string): string {
  return subject.replace(/[\s\p{Cc}]+/gu, " ").trim();
}
