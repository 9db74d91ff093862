import { StartError } from "#libs/process/index.ts";

/**
 * Who mails are from. A server would refuse mails from nowhere for good, and each of them would be lost: throws
 * `StartError` where there is a server and no sender.
 */
export function chooseSender(settings: {
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string | undefined;
}): string {
  if (settings.smtpUrl !== undefined && settings.mailFrom === undefined) {
    throw new StartError("Mails need a sender: set MAIL_FROM beside SMTP_URL.");
  }
  return settings.mailFrom ?? "Placard <placard@localhost>";
}
