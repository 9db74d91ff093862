import type { Transaction } from "kysely";
import { ownerOf } from "#libs/database/owner.ts";
import type { Tables } from "#libs/database/tables.ts";
import type { Icon } from "#libs/favicon/index.ts";
import type { Limits, RateRule } from "#libs/limits/index.ts";
import { enqueue } from "../../queue/enqueue.ts";
import type { Payloads } from "../../queue/tasks.ts";
import { unlessStopped } from "../unless-stopped.ts";
import { storeOwnFile, type UploadPorts } from "../uploads/records.ts";
import { type LookUpPorts, lookUpFavicon } from "./look-up.ts";
import { selectOwner, writeFavicon } from "./owner.ts";

type FaviconSearch = Payloads["favicon"];
interface FaviconPorts extends LookUpPorts, UploadPorts {
  readonly limits: Pick<Limits, "consume">;
}

/** The searches of all workspaces that one person owns. Host names cost nothing, and each may have its own icon, which is kept for a day at least. */
const SEARCHES: RateRule = { name: "favicon-searches", points: 500, durationSeconds: 24 * 60 * 60 };

/** Minutes until a site that could not be reached is asked again; after that it has no icon. */
const RETRY_AFTER_MINUTES: readonly number[] = [60, 360];

/**
 * Looks for the icon of a site, stores it among our own files and writes its URL, so that visitors never request it from
 * the site. A site without an icon gets none; one that cannot be reached keeps the icon of an earlier search, and is asked
 * twice more, and so is one beyond the searches of a day. Not in the audit log, because no person did this.
 */
export async function fetchFavicon(
  ports: FaviconPorts,
  search: FaviconSearch,
  signal: AbortSignal,
): Promise<void> {
  const { db } = ports;
  const site = await selectOwner(db, search).executeTakeFirst();
  const address = URL.parse(site?.website_url ?? "");
  if (address === null) return;
  const { allowed } = await ports.limits.consume(SEARCHES, await ownerOf(db, search.workspaceId));
  const lookUp = allowed
    ? await unlessStopped(signal, () => lookUpFavicon(ports, address, signal))
    : ({ kind: "unreachable" } as const);

  if (lookUp === "stopped") {
    // The next process takes it up at once.
    await enqueue(db, "favicon", search);
    return;
  }
  const faviconUrl = lookUp.kind === "found" ? await store(ports, search.workspaceId, lookUp.icon) : null;
  await db.transaction().execute(async (trx) => {
    const owner = await selectOwner(trx, search).forNoKeyUpdate().executeTakeFirst();
    // Meanwhile it may have another site, which has its own search.
    if (owner === undefined || owner.website_url !== site?.website_url) return;
    if (lookUp.kind === "unreachable") await retryLater(trx, search);
    else if (owner.favicon_url !== faviconUrl)
      await writeFavicon(trx, search, faviconUrl, new Date(ports.now()));
  });
}

/** The public URL of the stored icon; null if the workspace has no room for it, or the store takes no file of its size. */
async function store(ports: FaviconPorts, workspaceId: string, icon: Icon): Promise<string | null> {
  try {
    // One icon may be of several ads, so it counts as one of a free ad.
    return await storeOwnFile(ports, { workspaceId, ...icon }, { isFree: true, sessionId: null });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

async function retryLater(trx: Transaction<Tables>, search: FaviconSearch): Promise<void> {
  const minutes = RETRY_AFTER_MINUTES[search.attempt - 1];
  if (minutes === undefined) return;
  await enqueue(trx, "favicon", { ...search, attempt: search.attempt + 1 }, { afterMs: minutes * 60_000 });
}
