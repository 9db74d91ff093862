import { createServer, type Socket } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { inspect } from "node:util";
import type { SMTPServerOptions } from "smtp-server";
import { expect, it, onTestFinished } from "vitest";
import { listenOnLoopback } from "#libs/process/ports.ts";
import { createSmtpMail } from "./smtp.ts";
import { aCertificate } from "./tests/certificate.ts";
import { type MailServer, openMailServer, type Refusals } from "./tests/mail-server.ts";

const message = {
  to: "ada@example.com",
  subject: "Neues Passwort für Ada",
  text: "Grüße\n.\nEnde\n",
  html: "<p>Grüße</p>",
};
const from = "Placard <placard@example.org>";
const login: [string, string] = ["placard", "a pass:word/ with @ signs"];
const credentials = login.map(encodeURIComponent).join(":");

async function aMailServer(
  options: SMTPServerOptions & { refuse?: Refusals; login?: [string, string] } = {},
): Promise<MailServer> {
  const server = await openMailServer(options);
  onTestFinished(() => server.close());
  return server;
}

async function aServerWithoutTls(options: Parameters<typeof aMailServer>[0] = {}) {
  return await aMailServer({ disabledCommands: ["STARTTLS"], allowInsecureAuth: true, ...options });
}

function connectTo(url: string, timeoutMs = 5000) {
  const mail = createSmtpMail({ url, from, timeoutMs });
  onTestFinished(() => mail.close());
  return mail;
}

/** Lets this process trust a certificate, as an operator does with NODE_EXTRA_CA_CERTS. */
function trust(cert: string): void {
  const usual = getCACertificates();
  setDefaultCACertificates([...usual, cert]);
  onTestFinished(async () => setDefaultCACertificates(usual));
}

it("hands a mail to the server, from whom and to whom it is, as text and as HTML", async () => {
  const server = await aServerWithoutTls();

  await connectTo(`smtp://127.0.0.1:${server.port}`).send(message);

  expect(server.mails).toMatchObject([
    {
      from,
      to: message.to,
      subject: message.subject,
      html: `${message.html}\n`,
      sender: "placard@example.org",
      recipients: ["ada@example.com"],
      user: null,
    },
  ]);
  expect(server.mails[0]?.text.trimEnd()).toBe(message.text.trimEnd());
});

it("logs in over STARTTLS where the server has it", async () => {
  const { cert, key } = await aCertificate("DNS:localhost", "IP:127.0.0.1");
  trust(cert);
  const server = await aMailServer({ cert, key, login });

  await connectTo(`smtp://${credentials}@127.0.0.1:${server.port}`).send(message);

  expect(server.mails).toMatchObject([{ subject: message.subject, encrypted: true, user: "placard" }]);
});

it("speaks TLS from the first byte with smtps", async () => {
  const { cert, key } = await aCertificate("DNS:localhost", "IP:127.0.0.1");
  trust(cert);
  const server = await aMailServer({ cert, key, secure: true });

  await connectTo(`smtps://localhost:${server.port}`).send(message);

  expect(server.mails).toMatchObject([{ subject: message.subject, encrypted: true }]);
});

it.each([
  ["that nobody has signed, over STARTTLS", "IP:127.0.0.1", false, false],
  ["that nobody has signed, over smtps", "IP:127.0.0.1", true, false],
  ["of another server, over STARTTLS", "DNS:mail.example", false, true],
  ["of another server, over smtps", "DNS:mail.example", true, true],
])(
  "gives nothing to a server with a certificate %s, and tries again later",
  async (_what, name, secure, trusted) => {
    const { cert, key } = await aCertificate(name);
    if (trusted) trust(cert);
    const server = await aMailServer({ cert, key, secure, login });
    const mail = connectTo(`${secure ? "smtps" : "smtp"}://${credentials}@127.0.0.1:${server.port}`);

    const sending = mail.send(message);

    await expect(sending).rejects.toMatchObject({ name: "MailError", canRetry: true });
    expect(server.mails).toEqual([]);
  },
);

it("tells no server its password unencrypted, unless it is this machine or the address says so", async () => {
  const server = await aServerWithoutTls({ login });

  // Every address of this machine, and not by the name of one that is known to be it.
  const sending = connectTo(`smtp://${credentials}@0.0.0.0:${server.port}`).send(message);
  await expect(sending).rejects.toMatchObject({ canRetry: true });
  expect(server.mails).toEqual([]);

  await connectTo(`smtp://${credentials}@0.0.0.0:${server.port}?requireTLS=false`).send(message);
  await connectTo(`smtp://${credentials}@127.0.0.1:${server.port}`).send(message);
  expect(server.mails).toHaveLength(2);
});

it("tries again after a refused login, and repeats no password", async () => {
  const server = await aServerWithoutTls({ login });
  const mail = connectTo(`smtp://placard:an-old-password@127.0.0.1:${server.port}`);

  const sending = mail.send(message);

  await expect(sending).rejects.toMatchObject({ canRetry: true, message: expect.stringContaining("535") });
  await expect(sending).rejects.not.toThrow(/an-old-password/);
  expect(server.mails).toEqual([]);
});

it.each<[string, Refusals, boolean]>([
  ["a sender that is refused for good", { sender: 550 }, false],
  ["a recipient that is refused for good", { recipient: 550 }, false],
  ["a text that is refused for good", { text: 554 }, false],
  ["a recipient that is busy", { recipient: 451 }, true],
  ["a server without room", { text: 452 }, true],
])("says of %s whether to try again, and repeats no address", async (_what, refuse, canRetry) => {
  const server = await aServerWithoutTls({ refuse });

  const sending = connectTo(`smtp://127.0.0.1:${server.port}`).send(message);

  await expect(sending).rejects.toMatchObject({ name: "MailError", canRetry });
  // The log has the causes of an error, too.
  expect(inspect(await sending.catch((error: unknown) => error))).not.toContain("ada@example.com");
});

it("says that a server that is down is worth another try", async () => {
  const server = await openMailServer({ disabledCommands: ["STARTTLS"] });
  await server.close();

  const sending = connectTo(`smtp://127.0.0.1:${server.port}`).send(message);

  await expect(sending).rejects.toMatchObject({ canRetry: true });
});

it("gives up on a server that says nothing, for this time", async () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  const port = await listenOnLoopback(server);
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  const sending = connectTo(`smtp://127.0.0.1:${port}`, 200).send(message);

  await expect(sending).rejects.toMatchObject({ canRetry: true });
});
