import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { openOutbox } from "./outbox.ts";
import { type Mail, MailError } from "./port.ts";
import { readMail } from "./testing.ts";

let folder = "";
let mail: Mail;
const said: unknown[][] = [];

beforeEach(async () => {
  folder = join(await aFolder(), "outbox");
  said.length = 0;
  mail = await openOutbox({
    folder,
    from: "Placard <placard@localhost>",
    logger: { warn: (...words: unknown[]) => said.push(words) },
    maxFiles: 3,
  });
});

afterEach(() => mail.close());

it("writes a mail that a mail program reads: headers, characters of any script, long lines", async () => {
  const text = `Grüße, 世界 👋\n\n.\nhttps://example.com/reset#token=${"a=".repeat(200)}\n`;

  await mail.send({ to: "ada@example.com", subject: "Passwort zurücksetzen – Café", text });

  const [name] = await readdir(folder);
  const read = await readMail(await readFile(join(folder, name ?? "")));
  expect(read).toMatchObject({
    from: "Placard <placard@localhost>",
    to: "ada@example.com",
    subject: "Passwort zurücksetzen – Café",
    text,
  });
});

it("takes no further header or recipient from a subject or an address", async () => {
  await mail.send({
    to: "ada@example.com, eve@example.com",
    subject: "Hello\r\nBcc: eve@example.com",
    text: "Hi",
  });

  const [name] = await readdir(folder);
  const read = await readMail(await readFile(join(folder, name ?? "")));
  expect(read.headers.bcc).toBeUndefined();
  expect(read.subject).toBe("Hello Bcc: eve@example.com");
});

it("says subject and file, never the text, and keeps files from other users", async () => {
  await mail.send({ to: "ada@example.com", subject: "A link", text: "the-secret-token" });

  const [name] = await readdir(folder);
  expect(JSON.stringify(said)).toContain("A link");
  expect(JSON.stringify(said)).toContain(name);
  expect(JSON.stringify(said)).not.toContain("the-secret-token");
  expect((await stat(join(folder, name ?? ""))).mode & 0o077).toBe(0);
});

it("keeps the newest mails when there are too many", async () => {
  for (const subject of ["1", "2", "3", "4", "5"]) {
    await mail.send({ to: "ada@example.com", subject, text: "Hi" });
  }

  const names = (await readdir(folder)).toSorted();
  const subjects = await Promise.all(
    names.map(async (name) => (await readMail(await readFile(join(folder, name)))).subject),
  );
  expect(subjects.length).toBe(3);
  expect(subjects).toContain("5");
  expect(subjects).not.toContain("1");
});

it("fails with a reason to try again when the folder is gone", async () => {
  await rm(folder, { recursive: true });

  const sending = mail.send({ to: "ada@example.com", subject: "A link", text: "Hi" });

  await expect(sending).rejects.toThrow(MailError);
  await expect(sending).rejects.toMatchObject({ canRetry: true });
});
