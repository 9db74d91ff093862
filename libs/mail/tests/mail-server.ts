import { once } from "node:events";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { type ReadMail, readMail } from "../testing.ts";

/** A mail with the envelope that it came in, and how. */
export interface ReceivedMail extends ReadMail {
  readonly sender: string;
  readonly recipients: readonly string[];
  readonly encrypted: boolean;
  readonly user: string | null;
}

export interface MailServer {
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  /** The bytes of each mail, as they came. */
  readonly raws: readonly Buffer[];
  close(): Promise<void>;
}

/** What the server says no to, with the status it gives; `text` is said once the whole mail is there. */
export type Refusals = Partial<Record<"sender" | "recipient" | "text", number>>;

/** A real mail server on loopback that keeps what it is sent. Without `user` and `password` it asks nobody to log in. */
export async function openMailServer(
  options: SMTPServerOptions & {
    readonly refuse?: Refusals;
    readonly login?: [user: string, password: string];
  },
): Promise<MailServer> {
  const { refuse = {}, login, ...rest } = options;
  const mails: ReceivedMail[] = [];
  const raws: Buffer[] = [];
  const server = new SMTPServer({
    authOptional: login === undefined,
    ...rest,
    onAuth: ({ username, password }, _session, done) => {
      const known = login !== undefined && username === login[0] && password === login[1];
      done(known ? null : refusal(535), known ? { user: username } : undefined);
    },
    onMailFrom: (_address, _session, done) => done(refusal(refuse.sender)),
    onRcptTo: (_address, _session, done) => done(refusal(refuse.recipient)),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        const no = refusal(refuse.text);
        if (no !== null) return done(no);
        const raw = Buffer.concat(chunks);
        const { mailFrom, rcptTo } = session.envelope;
        raws.push(raw);
        mails.push({
          ...(await readMail(raw)),
          sender: mailFrom === false ? "" : mailFrom.address,
          recipients: rcptTo.map(({ address }) => address),
          encrypted: session.secure,
          user: typeof session.user === "string" ? session.user : null,
        });
        done();
      });
    },
  });
  // Clients that hang up in the middle are what some tests are about.
  server.on("error", () => undefined);
  const listener = server.listen(0, "127.0.0.1");
  if (!listener.listening) await once(listener, "listening");
  const address = listener.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    mails,
    raws,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function refusal(status: number | undefined): Error | null {
  if (status === undefined) return null;
  return Object.assign(new Error("not for ada@example.com"), { responseCode: status });
}
