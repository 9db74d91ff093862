import { type Kysely, sql } from "kysely";
import { z } from "zod";
import type { Tables } from "#libs/database/tables.ts";
import type { Services } from "../services.ts";
import { callForEach } from "./at-processor.ts";
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
 * Throws as `callForEach` does; the job is then retried.
 */
export async function closeOpenCheckouts(services: Services, payload: unknown): Promise<void> {
  const { workspaceId } = closingJob.parse(payload);
  const { db, payments, logger } = services;
  await callForEach({
    pageAfter: async (after) =>
      await db
        .selectFrom("checkout_sessions")
        .innerJoin("workspaces", "workspaces.id", "checkout_sessions.workspace_id")
        .where("checkout_sessions.workspace_id", "=", workspaceId)
        .where("workspaces.suspended_at", "is not", null)
        .where("checkout_sessions.status", "=", "open")
        .where("checkout_sessions.id", ">", after)
        .select(["checkout_sessions.id", "checkout_sessions.provider_account"])
        .orderBy("checkout_sessions.id")
        .limit(PAGE)
        .execute(),
    call: async ({ id, provider_account: account }) => {
      await closeCheckout(services, await payments.expireCheckoutSession(id, account), account);
    },
    onUnknown: ({ id }) =>
      logger.warn({ session: id }, "the payment processor does not know an open checkout"),
  });
}
