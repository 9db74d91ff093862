import { Counter, type Registry } from "prom-client";
import { type Mail, MailError } from "#libs/mail/index.ts";

const RESULTS = ["sent", "failed", "refused"] as const;

/** The mail server, with a count of what it answers. Those that nobody received are in the database (`dropped.ts`). */
export function measureMail(mail: Pick<Mail, "send">, registry: Registry): Pick<Mail, "send"> {
  const attempts = new Counter({
    name: "placard_email_attempts_total",
    help: "Emails given to the mail server by its answer: sent, failed and tried again, refused for good",
    labelNames: ["result"],
    registers: [registry],
  });
  for (const result of RESULTS) attempts.inc({ result }, 0);
  return {
    async send(message) {
      try {
        await mail.send(message);
        attempts.inc({ result: "sent" });
      } catch (error) {
        const isRefused = error instanceof MailError && !error.canRetry;
        attempts.inc({ result: isRefused ? "refused" : "failed" });
        throw error;
      }
    },
  };
}
