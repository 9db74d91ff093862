import { vi } from "vitest";
import type { ManagementUnderTest } from "./management.ts";

type WithDatabase = Pick<ManagementUnderTest, "database">;

/** Waits until the ledger has that many of a workspace's invoices. */
export async function billed({ database }: WithDatabase, workspaceId: string, count: number): Promise<void> {
  await until(async () => {
    const invoices = await database.db
      .selectFrom("invoices")
      .where("workspace_id", "=", workspaceId)
      .select("id")
      .execute();
    return invoices.length >= count;
  });
}

/** The id of an advertiser's newest invoice in the ledger, once it is there. */
export async function invoiceOf({ database }: WithDatabase, advertiserId: string): Promise<string> {
  let id: string | undefined;
  await until(async () => {
    const invoice = await database.db
      .selectFrom("invoices")
      .where("advertiser_id", "=", advertiserId)
      .select("id")
      .orderBy("issued_at", "desc")
      .executeTakeFirst();
    id = invoice?.id;
    return id !== undefined;
  });
  return id ?? "";
}

/** Waits until every webhook that has arrived is applied. */
export async function webhooksApplied({ database }: WithDatabase): Promise<void> {
  await until(async () => {
    const waiting = await database.db
      .selectFrom("webhook_events")
      .where("applied_at", "is", null)
      .select("id")
      .execute();
    return waiting.length === 0;
  });
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  await vi.waitFor(
    async () => {
      if (!(await isSo())) throw new Error("still waiting");
    },
    { timeout: 10_000, interval: 20 },
  );
}
