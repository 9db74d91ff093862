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
 * One that the processor refuses does not hold up the others. Throws the last `PaymentsError` once all have been tried, or at
 * once the one after which the processor may be away; the job is then retried.
 */
export async function closeOpenCheckouts(services: Services, payload: unknown): Promise<void> {
  const { workspaceId } = closingJob.parse(payload);
  const { db } = services;
  let after = "";
  let refusal: PaymentsError | null = null;
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
    for (const { id, provider_account: account } of page) {
      refusal = (await close(services, id, account)) ?? refusal;
    }
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.id;
  }
  if (refusal !== null) throw refusal;
}

/** Returns why the processor refuses to end it; null if it is ended, or unknown to the processor. */
async function close(services: Services, id: string, account: string | null): Promise<PaymentsError | null> {
  try {
    await closeCheckout(services, await services.payments.expireCheckoutSession(id, account), account);
    return null;
  } catch (error) {
    if (!(error instanceof PaymentsError) || error.canRetry) throw error;
    if (error.code !== "NOT_FOUND") return error;
    services.logger.warn({ session: id }, "the payment processor does not know an open checkout");
    return null;
  }
}
