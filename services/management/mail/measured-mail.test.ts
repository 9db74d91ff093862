import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { MailError, type Message } from "#libs/mail/index.ts";
import { measureMail } from "./measured-mail.ts";

const message: Message = { id: "1", to: "ada@example.org", subject: "Hello", text: "Hello", html: "Hello" };

it("counts emails by what the mail server answers", async () => {
  const registry = new Registry();
  const answers = [null, new MailError("busy", true), new MailError("unknown", false)];
  const mail = measureMail(
    {
      send: async () => {
        const answer = answers.shift();
        if (answer instanceof Error) throw answer;
      },
    },
    registry,
  );

  await mail.send(message);
  await expect(mail.send(message)).rejects.toThrow("busy");
  await expect(mail.send(message)).rejects.toThrow("unknown");

  const text = await registry.metrics();
  for (const result of ["sent", "failed", "refused"]) {
    expect(text).toContain(`placard_email_attempts_total{result="${result}"} 1`);
  }
});
