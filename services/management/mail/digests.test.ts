import { sql } from "kysely";
import { afterAll, expect, it } from "vitest";
import type { PublisherMail } from "#libs/domain/settings.ts";
import { createMemoryLimits } from "#libs/limits/index.ts";
import { startManagement } from "../tests/management.ts";
import { aPublisher, type Publisher } from "../tests/story.ts";
import { subject } from "./letter.ts";
import { mailsTo, subjectsTo } from "./tests/sent-mails.ts";
import { mailPublisher, sendDigest } from "./to-publisher.ts";

const service = await startManagement({ unlimited: true });
const { db, logger } = service.services;
const limits = createMemoryLimits();
afterAll(() => limits.close());

async function mail({ workspace }: Publisher, kind: PublisherMail, about: string): Promise<void> {
  const letter = { subject: subject`${about}`, preheader: about, blocks: ["Hi,"], footer: "The end." };
  await db.transaction().execute((trx) => mailPublisher(trx, { limits, logger }, workspace.id, kind, letter));
}

it("sends a failed payment one by one, however many ads and purchases came before it", async () => {
  const publisher = await aPublisher(service);
  for (let n = 0; n < 70; n += 1) {
    await mail(publisher, "adWaiting", `Ad ${n}`);
    await mail(publisher, "purchase", `Purchase ${n}`);
  }
  await mail(publisher, "paymentFailed", "A payment failed");

  expect(await subjectsTo(service, publisher.person.email)).toContain("A payment failed");
});

it("sends five of a kind an hour, and one email that names the rest once the hour is over", async () => {
  const publisher = await aPublisher(service, "Heron Weekly");
  const of = { workspaceId: publisher.workspace.id, kind: "adWaiting" } as const;
  for (let n = 1; n <= 62; n += 1) await mail(publisher, "adWaiting", `Ad ${n}`);
  const queued = await sql<{ minutes: number }>`
    select extract(epoch from run_at - now()) / 60 as minutes from graphile_worker.jobs
    where task_identifier = 'digest' and key = ${`digest:${of.workspaceId}:adWaiting`}`.execute(db);

  await sendDigest(service.services, of);
  await sendDigest(service.services, of);

  expect(queued.rows).toHaveLength(1);
  expect(Number(queued.rows[0]?.minutes)).toBeGreaterThan(55);
  const mails = await mailsTo(service, publisher.person.email);
  expect(mails.map((one) => one.subject).toSorted()).toEqual([
    "Ad 1",
    "Ad 2",
    "Ad 3",
    "Ad 4",
    "Ad 5",
    "Heron Weekly: 57 more ads and edits to review",
  ]);
  const digest = mails.find((one) => one.subject.startsWith("Heron Weekly"));
  expect(digest?.text).toContain("  Ad 6\n  Ad 7\n");
  expect(digest?.text).toContain("And 7 more.");
  expect(digest?.text).toContain(`${service.origin}/w/${of.workspaceId}/review`);
});

it("sends no digest of a kind that was turned off meanwhile", async () => {
  const publisher = await aPublisher(service);
  for (let n = 1; n <= 6; n += 1) await mail(publisher, "purchase", `Purchase ${n}`);
  await publisher.person.caller.request("PATCH", `${publisher.path}/settings`, {
    mails: { purchase: false },
  });

  await sendDigest(service.services, { workspaceId: publisher.workspace.id, kind: "purchase" });

  expect(await subjectsTo(service, publisher.person.email)).toHaveLength(5);
});
