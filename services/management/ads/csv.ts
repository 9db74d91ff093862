import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { jsonCell, streamCsv } from "../api/csv.ts";
import { partTurnsOf } from "../api/turns.ts";
import { listFieldRules } from "../catalogue/fields/queries.ts";
import { type AdFilter, findAdIds, READ_AT_A_TIME, readAds } from "./lists.ts";
import { presentAdWithMeta } from "./present.ts";

/** An export finds 1,000 ads at a time: to find those behind a cursor, many filters read all ads of the workspace. */
const FOUND_AT_A_TIME = 1_000;

/** What of a file is still to be written: ads that were found, and all behind a cursor, if it is not null. */
interface Rest {
  readonly ids: readonly string[];
  readonly nextCursor: string | null;
}

const COLUMNS = [
  "id",
  "status",
  "name",
  "websiteUrl",
  "faviconUrl",
  "createdAt",
  "updatedAt",
  "reviewedAt",
  "rejectionNote",
  "subscriptionId",
  "subscriptionStatus",
  "currentPeriodStart",
  "currentPeriodEnd",
  "cancelAt",
  "canceledAt",
  "paidAmount",
  "tierId",
  "tierName",
  "tierPriceId",
  "interval",
  "intervalCount",
  "amount",
  "currency",
  "advertiserId",
  "advertiserName",
  "advertiserEmail",
  "clientReference",
  "metadata",
] as const;
type Column = (typeof COLUMNS)[number] | `meta.${string}`;

/** Ads that match a filter, as of `now`, as CSV, newest first; with a column for each field. */
export async function adsCsv(db: Kysely<Tables>, workspaceId: string, filter: AdFilter, now: Date) {
  const fields = await listFieldRules(db, workspaceId);
  const fieldIds = new Set(fields.map(({ id }) => id));
  const columns: readonly Column[] = [...COLUMNS, ...fields.map(({ key }) => `meta.${key}` as const)];
  const find = (after: string | undefined) =>
    findAdIds(db, workspaceId, filter, now, { perPage: FOUND_AT_A_TIME, after });
  const turn = await partTurnsOf(db, workspaceId);
  return await streamCsv(turn, columns, async (rest: Rest | undefined) => {
    const { ids, nextCursor } =
      rest === undefined || rest.ids.length === 0 ? await find(rest?.nextCursor ?? undefined) : rest;
    const rows = await readAds(db, workspaceId, ids.slice(0, READ_AT_A_TIME));
    const left = ids.slice(READ_AT_A_TIME);
    const lines = rows.map((row) => {
      const { subscription, meta, ...ad } = presentAdWithMeta(row, row, fieldIds);
      const { advertiser, tier, tierPrice, ...purchase } = subscription;
      const values = new Map(meta.map(({ fieldId, value }) => [fieldId, value]));
      return {
        ...ad,
        subscriptionId: purchase.id,
        subscriptionStatus: purchase.status,
        currentPeriodStart: purchase.currentPeriodStart,
        currentPeriodEnd: purchase.currentPeriodEnd,
        cancelAt: purchase.cancelAt,
        canceledAt: purchase.canceledAt,
        paidAmount: purchase.paidAmount,
        tierId: tier.id,
        tierName: tier.name,
        tierPriceId: tierPrice.id,
        interval: tierPrice.interval,
        intervalCount: tierPrice.intervalCount,
        amount: tierPrice.amount,
        currency: tierPrice.currency,
        advertiserId: advertiser.id,
        advertiserName: advertiser.name,
        advertiserEmail: advertiser.email,
        clientReference: purchase.clientReference,
        metadata: jsonCell(purchase.metadata),
        ...Object.fromEntries(fields.map(({ id, key }) => [`meta.${key}`, asCell(values.get(id))])),
      };
    });
    return { lines, next: left.length === 0 && nextCursor === null ? null : { ids: left, nextCursor } };
  });
}

function asCell(value: unknown): string | number | boolean | null {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return value === undefined || value === null ? null : JSON.stringify(value);
}
