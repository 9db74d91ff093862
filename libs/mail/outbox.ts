import { randomBytes } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import type { Logger } from "pino";
import { makeFolderDurably, writeDurably } from "#libs/files/index.ts";
import { compose } from "./compose.ts";
import { type Mail, MailError } from "./port.ts";

/** Mails kept: enough to look something up, little enough to forget about. */
const USUAL_MAX_FILES = 500;

export interface OutboxOptions {
  /** Made when it is missing; readable by its owner alone, as mails carry links that sign somebody in. */
  readonly folder: string;
  /** Who mails are from, `Name <address>`. */
  readonly from: string;
  /** Logs each mail by subject and file, never by its text. */
  readonly logger: Pick<Logger, "warn">;
  /** The oldest files go when there are more. Default 500. */
  readonly maxFiles?: number;
}

/** Mail of an installation without a mail server: each one a file `{time}-{random}.eml`, in the order of their names. */
export async function openOutbox(options: OutboxOptions): Promise<Mail> {
  const { folder, from, logger, maxFiles = USUAL_MAX_FILES } = options;
  await makeFolderDurably(folder);
  const composer = createTransport({
    streamTransport: true,
    buffer: true,
    newline: "windows",
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  return {
    async send(message) {
      try {
        const composed = compose(from, message);
        const written = await composer.sendMail(composed);
        if (!Buffer.isBuffer(written.message)) throw new TypeError("the composer made a stream");
        const file = await write(folder, written.message);
        logger.warn(
          { subject: composed.subject, file },
          "a mail was put in the outbox, as there is no SMTP_URL",
        );
        await forgetOldest(folder, maxFiles);
      } catch (error) {
        throw new MailError("A mail could not be written to the outbox.", true, { cause: error });
      }
    },
    async close() {
      composer.close();
    },
  };
}

/** Resolves when the file is synced, so that a mail which the log announces is there after a power failure too. */
async function write(folder: string, message: Buffer): Promise<string> {
  const name = `${new Date().toISOString().replaceAll(":", "")}-${randomBytes(4).toString("hex")}`;
  const file = join(folder, `${name}.eml`);
  await writeDurably(file, message);
  return file;
}

async function forgetOldest(folder: string, maxFiles: number): Promise<void> {
  // With the drafts that a power failure has left.
  const mails = (await readdir(folder)).filter((name) => /\.eml(\.new)?$/.test(name)).toSorted();
  for (const name of mails.slice(0, Math.max(0, mails.length - maxFiles))) {
    await rm(join(folder, name), { force: true });
  }
}
