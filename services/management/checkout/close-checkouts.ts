import { type Kysely, sql } from "kysely";
import { z } from "zod";
import type { Tables } from "#libs/database/tables.ts";
import { PaymentsError } from "#libs/payments/index.ts";
import type { Services } from "../services.ts";
import { closeCheckout } from "./sessions.ts";

const closingJob = z.object({ workspaceId: z.string() });

const PAGE = 50;

/** Queues the job that ends the open checkouts of a suspended workspace. */
export async function queueClosing(db: Kysely<Tables>, workspaceId: string): Promise<void> {
  await sql`select graphile_worker.add_job(
    'close-checkouts', json_build_object('workspaceId', ${workspaceId}::text)
  )`.execute(db);
}

/**
 * Ends the open checkouts of a suspended workspace at the payment processor, so that nobody pays for an ad that is not served.
 * Throws `PaymentsError` at the first one that fails; the job is then retried.
 */
export async function closeOpenCheckouts(services: Services, payload: unknown): Promise<void> {
  const { workspaceId } = closingJob.parse(payload);
  const { db } = services;
  let after = "";
  for (;;) {
    const page = await db
      .selectFrom("checkout_sessions")
      .innerJoin("workspaces", "workspaces.id", "checkout_sessions.workspace_id")
      .where("checkout_sessions.workspace_id", "=", workspaceId)
      .where("workspaces.suspended_at", "is not", null)
      .where("checkout_sessions.status", "=", "open")
      .where("checkout_sessions.id", ">", after)
      .select(["checkout_sessions.id", "checkout_sessions.provider_account"])
      .orderBy("checkout_sessions.id")
      .limit(PAGE)
      .execute();
    for (const { id, provider_account: account } of page) await close(services, id, account);
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

async function close(services: Services, id: string, account: string | null): Promise<void> {
  try {
    await closeCheckout(services, await services.payments.expireCheckoutSession(id, account), account);
  } catch (error) {
    if (!(error instanceof PaymentsError) || error.code !== "NOT_FOUND") throw error;
    services.logger.warn({ session: id }, "the payment processor does not know an open checkout");
  }
}
