import { expect, vi } from "vitest";
import type { ReadMail } from "#libs/mail/testing.ts";
import type { ManagementUnderTest } from "../../tests/management.ts";

/** The mails to somebody, oldest first, once webhooks are applied and all that was queued has been sent. */
export async function mailsTo(service: ManagementUnderTest, email: string): Promise<ReadMail[]> {
  await vi.waitFor(
    async () => {
      const { rowCount } = await service.database.pool.query(
        "select from graphile_worker.jobs where task_identifier in ('mail', 'webhook', 'send-links')",
      );
      expect(rowCount).toBe(0);
    },
    { timeout: 20_000, interval: 20 },
  );
  return (await service.readMails()).filter(({ to }) => to === email);
}

/** Their subjects. */
export async function subjectsTo(service: ManagementUnderTest, email: string): Promise<string[]> {
  return (await mailsTo(service, email)).map(({ subject }) => subject);
}
