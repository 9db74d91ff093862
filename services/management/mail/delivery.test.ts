import { sql } from "kysely";
import { expect, it } from "vitest";
import { pageOf } from "#libs/contract/query.ts";
import { droppedEmails } from "#libs/contract/settings.ts";
import { type Mail, MailError } from "#libs/mail/index.ts";
import { mailTo } from "../tests/joining.ts";
import { startManagement } from "../tests/management.ts";
import { aPublisher } from "../tests/story.ts";
import { sweep } from "../worker/sweep.ts";
import { queueMail, sendMail } from "./delivery.ts";
import { dropUnsentMails } from "./dropped.ts";

const service = await startManagement();
const { db, logger } = service.services;
const message = { to: "ada@example.com", subject: "About Ada", text: "Hello\n" };

function failing(canRetry: boolean): Mail {
  return {
    send: async () => {
      throw new MailError("refused", canRetry);
    },
    close: async () => undefined,
  };
}

it("sends a mail of a committed transaction, and none of one that is rolled back", async () => {
  const rolledBack = db.transaction().execute(async (trx) => {
    await queueMail(trx, { ...message, to: "nobody@example.com" });
    throw new Error("rolled back");
  });
  await expect(rolledBack).rejects.toThrow("rolled back");

  await db.transaction().execute((trx) => queueMail(trx, message));

  expect(await mailTo(service, "ada@example.com", "About Ada")).toMatchObject(message);
  expect((await service.readMails()).map(({ to }) => to)).not.toContain("nobody@example.com");
});

it("sends nothing to an address that is nobody's by definition", async () => {
  await queueMail(db, { ...message, to: "demo@publisher.invalid" });
  await queueMail(db, { ...message, subject: "The last one" });

  await mailTo(service, "ada@example.com", "The last one");
  expect((await service.readMails()).map(({ to }) => to)).not.toContain("demo@publisher.invalid");
});

it("keeps a mail's id over its attempts, and tells each mail from the others", async () => {
  const sent: (string | undefined)[] = [];
  const flaky: Mail = {
    send: async ({ id }) => {
      sent.push(id);
      if (sent.length === 1) throw new MailError("busy", true);
    },
    close: async () => undefined,
  };
  const payload = { ...message, id: crypto.randomUUID() };

  await expect(sendMail({ mail: flaky, db, logger }, payload)).rejects.toThrow(MailError);
  await sendMail({ mail: flaky, db, logger }, payload);

  expect(new Set(sent).size).toBe(1);
  const ids = (await service.readMails()).map(({ messageId }) => messageId);
  expect(ids.length).toBeGreaterThanOrEqual(2);
  expect(new Set(ids).size).toBe(ids.length);
});

it("tries again what may work later and drops what was refused for good", async () => {
  await expect(sendMail({ mail: failing(true), db, logger }, message)).rejects.toThrow(MailError);
  await expect(sendMail({ mail: failing(false), db, logger }, message)).resolves.toBeUndefined();
});

it("counts the mails of a workspace that were refused for good or given up, and shows a gauge of them", async () => {
  const publisher = await aPublisher(service);
  const about = { workspaceId: publisher.workspace.id, recipient: "advertiser", kind: "billing" } as const;
  await sendMail({ mail: failing(false), db, logger }, { ...message, about });
  for (const payload of [
    { ...message, about },
    { workspaceId: about.workspaceId, email: "lost@example.com" },
  ]) {
    await sql`select graphile_worker.add_job('mail', ${JSON.stringify(payload)}::json, run_at => now() + interval '1 year', job_key => 'given-up')`.execute(
      db,
    );
    await sql`update graphile_worker._private_jobs set attempts = max_attempts where key = 'given-up'`.execute(
      db,
    );
    await sweep(service.services);
  }
  await sendMail(
    { mail: failing(false), db, logger },
    { ...message, about: { ...about, workspaceId: "ws_gone" } },
  );

  const { items } = await publisher.caller.ok(
    pageOf(droppedEmails),
    "GET",
    `${publisher.path}/dropped-emails`,
  );

  expect(items.map(({ kind, reason, emails }) => [kind, reason, emails])).toEqual([
    ["links", "unsent", 1],
    ["billing", "unsent", 1],
    ["billing", "refused", 1],
  ]);
  const metrics = await service.services.metrics.metrics();
  expect(metrics).toContain('placard_emails_dropped{reason="unsent"} 2');
  expect(metrics).toContain('placard_emails_dropped{reason="refused"} 1');
});

it("drops a mail, or the request for one, from the queue once the last attempt has failed, and no other", async () => {
  // Never run here: it is due in a year.
  const queue = async (to: string, attempts: number) => {
    const { rows } = await sql<{ id: string }>`select id from graphile_worker.add_job(
      'mail', ${JSON.stringify({ ...message, to })}::json, run_at => now() + interval '1 year', max_attempts => 15)`.execute(
      db,
    );
    await sql`update graphile_worker._private_jobs set attempts = ${attempts} where id = ${rows[0]?.id}`.execute(
      db,
    );
  };
  const links = JSON.stringify({
    workspaceId: "ws_1",
    email: "given-up@example.com",
    to: "given-up@example.com",
  });
  await sql`select graphile_worker.add_job('send-links', ${links}::json, run_at => now() + interval '1 year')`.execute(
    db,
  );
  await sql`update graphile_worker._private_jobs set attempts = max_attempts where payload->>'email' is not null`.execute(
    db,
  );
  await queue("given-up@example.com", 15);
  await queue("waiting@example.com", 14);

  await sweep(service.services);

  const { rows } = await sql<{ to: string }>`
    select payload->>'to' as to from graphile_worker._private_jobs where payload->>'to' is not null`.execute(
    db,
  );
  expect(rows).toEqual([{ to: "waiting@example.com" }]);
});

it("gives up all unsent mails, some hundred at a time", async () => {
  await sql`
    select graphile_worker.add_job('mail', ${JSON.stringify(message)}::json, run_at => now() + interval '1 year', max_attempts => 1)
    from generate_series(1, 1001)`.execute(db);
  await sql`update graphile_worker._private_jobs set attempts = max_attempts where max_attempts = 1`.execute(
    db,
  );

  expect(await dropUnsentMails(db)).toBe(1001);
});
