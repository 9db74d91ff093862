import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { openMailServer } from "#libs/mail/tests/mail-server.ts";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { startInstallation } from "./installation.ts";

it("sends its mail by SMTP where a server is given, and none to the people of the demo", async () => {
  const server = await openMailServer({ disabledCommands: ["STARTTLS"] });
  onTestFinished(() => server.close());
  const environment = {
    SEED: "demo",
    SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    MAIL_FROM: "Example Ads <ads@example.org>",
  };
  const installation = await startInstallation({ dataDir: await aFolder(), environment });

  await signUp(installation.url, "ada@example.com");
  await vi.waitFor(() => expect(server.mails).toHaveLength(1), { timeout: 10_000, interval: 50 });
  await installation.stop();

  const [mail] = server.mails;
  expect(mail).toMatchObject({
    from: "Example Ads <ads@example.org>",
    to: "ada@example.com",
    subject: "Confirm your email address",
  });
  expect(mail?.text).toContain(`${installation.url}/confirm-account#token=`);
  expect(mail?.html).toContain("Confirm email address");
  expect(server.mails.map(({ to }) => to)).toEqual(["ada@example.com"]);
});

it("keeps its mail in the outbox where no server is given", async () => {
  const dataDir = await aFolder();
  const installation = await startInstallation({ dataDir, environment: { SEED: "none" } });
  await signUp(installation.url, "ada@example.com");

  await fetch(`${installation.url}/api/auth/request-password-reset`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "ada@example.com" }),
  });

  await vi.waitFor(
    async () => {
      const files = await readdir(join(dataDir, "outbox"));
      expect(files.filter((name) => name.endsWith(".eml"))).toHaveLength(1);
    },
    { timeout: 10_000, interval: 50 },
  );
  await installation.stop();
});

async function signUp(url: string, email: string): Promise<void> {
  const answer = await fetch(`${url}/api/auth/sign-up/email`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password: "correct horse battery", name: "Ada Example" }),
  });
  expect(answer.status).toBe(200);
}
