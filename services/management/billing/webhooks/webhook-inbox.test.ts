import { execFile } from "node:child_process";
import { expect, it, vi } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { createCommands } from "../../operator/webhooks.ts";
import { startManagement } from "../../tests/management.ts";
import { anApprovedAd, aPublisher } from "../../tests/story.ts";
import { applied, aSubscriptionEvent, deliver, newEventId } from "../../tests/webhook-story.ts";
import { sweep } from "../../worker/sweep.ts";

const service = await startManagement({ unlimited: true, webhooks: "by hand" });
const { database, processor, services } = service;
const { pool, db } = database;
const publisher = await aPublisher(service);
const { caller } = publisher;
const commands = createCommands(db);

/** An event that could not be applied at the last of its attempts, and what its ad still shows. */
async function aDeadEvent() {
  const running = await anApprovedAd(service, publisher);
  const [remote] = (await processor.stripe.subscriptions.list({ limit: 1 })).data;
  if (remote === undefined) throw new Error("the processor has no subscription");
  const event = aSubscriptionEvent(await processor.stripe.subscriptions.cancel(remote.id));
  await processor.while("failing", async () => {
    await deliver(service, event);
    await jobIs(event.id, "attempts = 1");
    await pool.query(
      "update graphile_worker._private_jobs set attempts = max_attempts - 1, run_at = now() where key = $1",
      [`webhook:${event.id}`],
    );
    await jobIs(event.id, "attempts = max_attempts");
  });
  return { event, path: running.path };
}

async function jobIs(eventId: string, condition: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rowCount } = await pool.query(
        `select 1 from graphile_worker.jobs where key = $1 and locked_at is null and ${condition}`,
        [`webhook:${eventId}`],
      );
      expect(rowCount).toBe(1);
    },
    { timeout: 10_000, interval: 20 },
  );
}

async function readMetrics(): Promise<ReadonlyMap<string, number>> {
  const lines = (await services.metrics.metrics()).split("\n").filter((line) => /^\w+ \S+$/.test(line));
  return new Map(lines.map((line) => [line.split(" ")[0] ?? "", Number(line.split(" ")[1])]));
}

/** Runs the operators' program as somebody would. */
function npmRunWebhooks(...given: string[]) {
  return new Promise<{ code: number | string | null; stdout: string; stderr: string }>((resolve) => {
    const program = `${import.meta.dirname}/../../operator/webhooks-main.ts`;
    const env = { PATH: process.env.PATH, DATABASE_URL: database.url };
    execFile(process.execPath, [program, ...given], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : (error.code ?? null), stdout, stderr }),
    );
  });
}

it("shows a dead webhook in metrics, log and list, until it is retried and applied", async () => {
  const logged = vi.spyOn(services.logger, "error");

  const { event, path } = await aDeadEvent();

  const metrics = await readMetrics();
  expect(metrics.get("placard_webhook_events_waiting")).toBe(1);
  expect(metrics.get("placard_webhook_events_dead")).toBe(1);
  expect(metrics.get("placard_webhook_events_oldest_age_seconds")).toBeGreaterThan(0);
  expect(logged).toHaveBeenCalledWith(
    expect.objectContaining({ job: "webhook", jobKey: `webhook:${event.id}` }),
    "a job has failed permanently",
  );
  const [summary, line] = await commands.list();
  expect(summary).toBe("1 waiting, 1 of them dead");
  expect(line).toMatch(
    new RegExp(`^${event.id} {2}customer\\.subscription\\.updated {2}received .* 12 attempts, dead {2}.+`),
  );
  expect((await caller.ok(ad, "GET", path)).subscription.status).toBe("Active");

  expect(await commands.retry([])).toEqual(["1 to be tried again now"]);
  await applied(service, event.id);

  expect((await caller.ok(ad, "GET", path)).subscription.status).toBe("Canceled");
  expect(await commands.list()).toEqual(["Every webhook has been applied."]);
  expect((await readMetrics()).get("placard_webhook_events_dead")).toBe(0);
  expect((await readMetrics()).get("placard_webhook_events_oldest_age_seconds")).toBe(0);
});

it("lists waiting events to operators, retries those they name, and explains their mistakes", async () => {
  const { event } = await aDeadEvent();

  const [listed, wrong, misused] = await Promise.all([
    npmRunWebhooks("list"),
    npmRunWebhooks("retry", event.id, "evt_nowhere"),
    npmRunWebhooks("lists"),
  ]);
  const stillDead = await commands.list();
  const retried = await npmRunWebhooks("retry", event.id);
  await applied(service, event.id);

  expect(listed).toMatchObject({ code: 0, stderr: "" });
  expect(listed.stdout).toMatch(new RegExp(`^1 waiting, 1 of them dead\n${event.id} .*\n$`));
  expect(wrong).toEqual({
    code: 1,
    stdout: "",
    stderr: "Not waiting, so not to be tried again: evt_nowhere. Nothing was done.\n",
  });
  expect(stillDead[0]).toBe("1 waiting, 1 of them dead");
  expect(retried).toEqual({ code: 0, stdout: "1 to be tried again now\n", stderr: "" });
  expect(misused).toMatchObject({ code: 1, stderr: expect.stringContaining("list | retry [event id ...]") });
});

it("counts an event whose job is gone as dead, and retries it too", async () => {
  await aPublisher(service);
  const { provider_subscription_id: id } = await db
    .selectFrom("subscriptions")
    .select("provider_subscription_id")
    .executeTakeFirstOrThrow();
  const eventId = newEventId();
  await db
    .insertInto("webhook_events")
    .values({
      id: eventId,
      type: "customer.subscription.updated",
      subject: JSON.stringify({ kind: "subscription", id }),
      occurred_at: new Date(),
    })
    .execute();

  const before = await commands.list();
  await commands.retry([]);
  await applied(service, eventId);

  expect(before[0]).toBe("1 waiting, 1 of them dead");
  expect(await commands.list()).toEqual(["Every webhook has been applied."]);
});

it("shows the inbox as unknown, and all other metrics, while the database is unavailable", async () => {
  const failing = vi.spyOn(services.logger, "warn");
  await pool.query("alter table webhook_events rename to placard_webhook_events_away");

  const metrics = await readMetrics();
  await pool.query("alter table placard_webhook_events_away rename to webhook_events");

  expect(metrics.get("placard_webhook_events_waiting")).toBeNaN();
  expect(failing).toHaveBeenCalledWith(expect.anything(), "the inbox of webhooks could not be measured");
});

it("removes events applied a month ago, and keeps waiting ones", async () => {
  const old = new Date(Date.now() - 31 * 86_400_000);
  const stored = (id: string, applied_at: Date | null) => ({
    id,
    type: "charge.updated",
    subject: JSON.stringify({ kind: "other", id: null }),
    occurred_at: old,
    received_at: old,
    applied_at,
  });
  await db
    .insertInto("webhook_events")
    .values([stored("evt_old", old), stored("evt_recent", new Date()), stored("evt_waiting", null)])
    .execute();

  await sweep(services);

  const left = await db
    .selectFrom("webhook_events")
    .where("id", "in", ["evt_old", "evt_recent", "evt_waiting"])
    .select("id")
    .orderBy("id")
    .execute();
  expect(left.map(({ id }) => id)).toEqual(["evt_recent", "evt_waiting"]);
});
