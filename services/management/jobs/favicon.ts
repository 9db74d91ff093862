import type { Transaction } from "kysely";
import { z } from "zod";
import type { Tables } from "#libs/database/tables.ts";
import type { Icon } from "#libs/favicon/index.ts";
import { lookUpFavicon } from "../favicons/look-up.ts";
import { lockOwner, readOwner, writeFavicon } from "../favicons/owner.ts";
import type { LookUp } from "../favicons/queries.ts";
import { type FaviconSearch, queueSearch } from "../favicons/queue.ts";
import type { Services } from "../services.ts";
import { storeOwnFile } from "../uploads/records.ts";

const faviconJob = z.object({
  workspaceId: z.string(),
  adId: z.string().nullable(),
  attempt: z.number().int(),
});

/** Minutes until a site that could not be reached is asked again; after the last one it stays without an icon. */
const RETRY_AFTER_MINUTES: readonly number[] = [60, 360];

/**
 * Looks for the icon, keeps it among our own files and puts its address in place, so that visitors never ask the site for
 * it. A site that has none leaves none; one that cannot be reached leaves what an earlier search has found there, and is
 * asked again twice. Nobody has done this, so the audit log does not hear of it.
 */
export async function fetchFavicon(services: Services, payload: unknown, signal: AbortSignal): Promise<void> {
  const search: FaviconSearch = faviconJob.parse(payload);
  const { db } = services;
  const site = await readOwner(db, search);
  const websiteUrl = site?.website_url ?? null;
  const address = URL.parse(websiteUrl ?? "");
  if (address === null) return;
  const lookUp = await lookUpUnlessStopped(services, address, signal);

  if (lookUp === "stopped") {
    await db.transaction().execute((trx) => queueSearch(trx, search, 0));
    return;
  }
  const faviconUrl = lookUp.kind === "found" ? await store(services, search.workspaceId, lookUp.icon) : null;
  await db.transaction().execute(async (trx) => {
    const owner = await lockOwner(trx, search);
    // Another site meanwhile, which has queued a search of its own.
    if (owner?.website_url !== websiteUrl) return;
    if (lookUp.kind === "unreachable") await retryLater(trx, search);
    else if (owner.favicon_url !== faviconUrl)
      await writeFavicon(trx, search, faviconUrl, new Date(services.now()));
  });
}

async function lookUpUnlessStopped(
  services: Services,
  address: URL,
  signal: AbortSignal,
): Promise<LookUp | "stopped"> {
  // The worker may still take one up while it stops.
  if (signal.aborted) return "stopped";
  try {
    return await lookUpFavicon(services, address, signal);
  } catch (error) {
    // The next process takes it up at once, and it is nobody's failure.
    if (signal.aborted) return "stopped";
    throw error;
  }
}

/** Keeps an icon among our own files; null where this store takes no file of its size. */
async function store(services: Services, workspaceId: string, icon: Icon): Promise<string | null> {
  try {
    return (await storeOwnFile(services, { workspaceId, ...icon })).publicUrl;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

async function retryLater(trx: Transaction<Tables>, search: FaviconSearch): Promise<void> {
  const minutes = RETRY_AFTER_MINUTES[search.attempt - 1];
  if (minutes !== undefined) await queueSearch(trx, { ...search, attempt: search.attempt + 1 }, minutes);
}
