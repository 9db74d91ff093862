import { createTransport } from "nodemailer";
import { type Mail, MailError, oneLine } from "./port.ts";

export interface SmtpOptions {
  /** `smtp://` (STARTTLS where the server has it) or `smtps://`, with user, password and port. */
  readonly url: string;
  /** Who mails are from, `Name <address>`. */
  readonly from: string;
  /** For each step of the conversation, in milliseconds. Default 15,000. */
  readonly timeoutMs?: number;
}

/** Sends by SMTP, each mail over a connection of its own: they are few, and an idle connection would only grow old. */
export function createSmtpMail({ url, from, timeoutMs = 15_000 }: SmtpOptions): Mail {
  const transport = createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    // Nothing in a mail may make this process read a file or fetch an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  return {
    async send({ to, subject, text, html }) {
      try {
        await transport.sendMail({
          from,
          // As an object, so that a comma in a name or address cannot make it two recipients.
          to: { name: "", address: to },
          subject: oneLine(subject),
          text,
          ...(html === undefined ? {} : { html }),
        });
      } catch (error) {
        throw asMailError(error);
      }
    },
    async close() {
      transport.close();
    },
  };
}

/**
 * A 5xx about the sender, the recipient or the text is final (RFC 5321, 4.2.1). A refused login is our own settings: it
 * is retried, as an operator may mend it.
 */
function asMailError(error: unknown): MailError {
  const status =
    error instanceof Error && "responseCode" in error && typeof error.responseCode === "number"
      ? error.responseCode
      : null;
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
  const isFinal = status !== null && status >= 500 && (code === "EENVELOPE" || code === "EMESSAGE");
  const reason = status === null ? code : `${code}, status ${status}`;
  return new MailError(`The mail server did not take a mail (${reason}).`, !isFinal, { cause: error });
}
