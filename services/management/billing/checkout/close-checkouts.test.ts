import { expect, it } from "vitest";
import { z } from "zod";
import { ApiCaller } from "../../tests/callers.ts";
import { startManagement } from "../../tests/management.ts";
import { aPublisher, aTier, type Publisher } from "../../tests/story.ts";
import { closeOpenCheckouts } from "./close-checkouts.ts";

const service = await startManagement({ unlimited: true, webhooks: "by hand" });
const { processor, services } = service;
const { pool } = service.database;
const anybody = new ApiCaller(service.origin);
const opened = z.object({ url: z.string(), sessionId: z.string() });

async function open({ path }: Publisher, tierPriceId: string | undefined): Promise<string> {
  const { sessionId } = await anybody.ok(opened, "POST", `${path}/checkout-sessions`, { tierPriceId });
  return sessionId;
}

async function suspend({ workspace: { id } }: Publisher): Promise<void> {
  await pool.query("update workspaces set suspended_at = now() where id = $1", [id]);
}

/** The statuses of a workspace's sessions at the processor. */
async function statuses(ids: readonly string[]): Promise<(string | null)[]> {
  return await Promise.all(
    ids.map(async (id) => (await processor.stripe.checkout.sessions.retrieve(id)).status),
  );
}

it("ends the other checkouts although the processor refuses one, and fails so that the job is retried", async () => {
  const publisher = await aPublisher(service);
  const { prices } = await aTier(publisher);
  const ids = [];
  for (let count = 0; count < 3; count += 1) ids.push(await open(publisher, prices[0]?.id));
  const [refused = "", ...others] = ids.toSorted();
  await pool.query("update checkout_sessions set provider_account = 'acct_gone' where id = $1", [refused]);
  await suspend(publisher);

  const closing = closeOpenCheckouts(services, publisher.workspace.id);

  await expect(closing).rejects.toMatchObject({ code: "PROCESSOR_FAILED", canRetry: false });
  expect(await statuses(others)).toEqual(["expired", "expired"]);
});

it("stops at the first checkout while the processor is unavailable, and ends all once it is back", async () => {
  const publisher = await aPublisher(service);
  const { prices } = await aTier(publisher);
  const ids = [];
  for (let count = 0; count < 2; count += 1) ids.push(await open(publisher, prices[0]?.id));
  await suspend(publisher);
  const close = () => closeOpenCheckouts(services, publisher.workspace.id);

  await processor.while("failing", () => expect(close()).rejects.toMatchObject({ canRetry: true }));
  await close();

  expect(await statuses(ids)).toEqual(["expired", "expired"]);
});
