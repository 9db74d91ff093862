import { createServer, type Server, type Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import { createSmtpMail } from "./smtp.ts";
import { readMail } from "./testing.ts";

/** What a server answers to each command; the commands that are not named get 250. */
type Script = Readonly<Record<string, string>>;

const servers: Server[] = [];
const sockets = new Set<Socket>();

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

/** A mail server that follows a script (RFC 5321) and remembers what it was told. */
async function aMailServer(script: Script = {}) {
  const commands: string[] = [];
  const mails: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    let heard = "";
    let inMail = false;
    if (script.greeting !== "") socket.write("220 mail.example ESMTP\r\n");
    socket.on("data", (data) => {
      heard += data.toString("utf8");
      for (;;) {
        const until = inMail ? "\r\n.\r\n" : "\r\n";
        const at = heard.indexOf(until);
        if (at === -1) return;
        const said = heard.slice(0, at);
        heard = heard.slice(at + until.length);
        if (inMail) {
          inMail = false;
          mails.push(said.replace(/^\.\./gm, "."));
          socket.write(`${script.text ?? "250 kept"}\r\n`);
          continue;
        }
        commands.push(said);
        const verb = said.split(" ")[0]?.toUpperCase() ?? "";
        const answer = script[verb] ?? { EHLO: "250 mail.example", DATA: "354 go on", QUIT: "221 bye" }[verb];
        inMail = verb === "DATA" && answer?.startsWith("354") === true;
        socket.write(`${answer ?? "250 fine"}\r\n`);
      }
    });
    socket.on("error", () => undefined);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { url: `smtp://127.0.0.1:${address.port}`, commands, mails };
}

const message = { to: "ada@example.com", subject: "Neues Passwort für Ada", text: "Grüße\n.\nEnde\n" };
const from = "Placard <placard@example.org>";

it("hands a mail to the server, from whom and to whom it is", async () => {
  const server = await aMailServer();
  const mail = createSmtpMail({ url: server.url, from });

  await mail.send(message);
  await mail.close();

  expect(server.commands).toContain("MAIL FROM:<placard@example.org>");
  expect(server.commands.filter((command) => command.startsWith("RCPT"))).toEqual([
    "RCPT TO:<ada@example.com>",
  ]);
  expect(readMail(server.mails[0] ?? "")).toEqual({ ...message, from, text: "Grüße\n.\nEnde" });
});

it.each([
  ["a recipient that is refused for good", { RCPT: "550 no such person" }, false],
  ["a text that is refused for good", { text: "554 not wanted" }, false],
  ["a recipient that is busy", { RCPT: "451 try later" }, true],
  ["a server that is closing", { MAIL: "421 closing" }, true],
  ["a server that says nothing", { greeting: "" }, true],
])("says of %s whether to try again", async (_what, script, canRetry) => {
  const server = await aMailServer(script);
  const mail = createSmtpMail({ url: server.url, from, timeoutMs: 300 });

  const sending = mail.send(message);

  await expect(sending).rejects.toMatchObject({ name: "MailError", canRetry });
  await expect(sending).rejects.not.toThrow(/ada@example.com/);
  await mail.close();
});

it("says that an unreachable server is worth another try", async () => {
  const mail = createSmtpMail({ url: "smtp://127.0.0.1:1", from, timeoutMs: 1000 });

  await expect(mail.send(message)).rejects.toMatchObject({ canRetry: true });
  await mail.close();
});
