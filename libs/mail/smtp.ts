import { isIP } from "node:net";
import { createTransport } from "nodemailer";
import { compose } from "./compose.ts";
import { type Mail, MailError } from "./port.ts";

export interface SmtpOptions {
  /**
   * `smtp://` or `smtps://`, with user, password and port. Over `smtp://` the conversation turns to TLS where the
   * server can; with a password it has to, unless the server is this machine or `?requireTLS=false` says otherwise.
   */
  readonly url: string;
  /** Who mails are from, `Name <address>`. */
  readonly from: string;
  /** For each step of the conversation, in milliseconds. Default 15,000. */
  readonly timeoutMs?: number;
}

/** Sends each mail over an SMTP connection of its own. The server's certificate must be valid for its name. */
export function createSmtpMail({ url, from, timeoutMs = 15_000 }: SmtpOptions): Mail {
  const transport = createTransport({
    url,
    requireTLS: needsTls(new URL(url)),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    // Nothing in a mail may make this process read a file or fetch an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  return {
    async send(message) {
      try {
        await transport.sendMail(compose(from, message));
      } catch (error) {
        throw asMailError(error);
      }
    },
    async close() {
      transport.close();
    },
  };
}

/** An attacker in between can hide a server's STARTTLS, and would read the password. */
function needsTls({ protocol, username, hostname }: URL): boolean {
  if (protocol !== "smtp:" || username === "") return false;
  const isLoopback =
    hostname === "localhost" || hostname === "[::1]" || (isIP(hostname) === 4 && hostname.startsWith("127."));
  return !isLoopback;
}

/** A 5xx about sender, recipient or text is final (RFC 5321, 4.2.1). A refused login or certificate is retried. */
function asMailError(error: unknown): MailError {
  const status =
    error instanceof Error && "responseCode" in error && typeof error.responseCode === "number"
      ? error.responseCode
      : null;
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
  const isFinal = status !== null && status >= 500 && (code === "EENVELOPE" || code === "EMESSAGE");
  const reason = status === null ? code : `${code}, status ${status}`;
  return new MailError(`The mail server did not take a mail (${reason}).`, !isFinal, {
    cause: withoutAddresses(error),
  });
}

/** The answer of a server repeats the address that it refuses; errors are logged. */
function withoutAddresses(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const words = error.message.split(/\s/);
  return new Error(words.map((word) => (word.includes("@") ? "…" : word)).join(" "));
}
