import type { IncomingHttpHeaders } from "node:http";
import type { Placements } from "#libs/placements/index.ts";

/** A workspace's site is noted again after this time at the earliest. */
const EVERY_MS = 10 * 60_000;
/** Most workspaces that are remembered; beyond, all are forgotten and noted once more. */
const MOST_WORKSPACES = 10_000;
/** A host name's longest form, and a port. */
const LONGEST_HOST = 259;

/**
 * Notes which site asks for a workspace's ads, so that its publisher sees that the tag works. Costs a request one lookup in a
 * map, and one that comes from this server's own pages a comparison; at most once per workspace, process and ten minutes it sends a message, whose answer nobody awaits.
 */
export class SiteSightings {
  readonly #dueAt = new Map<string, number>();
  readonly #placements: Pick<Placements, "noteSeen">;
  readonly #ownHost: string;
  readonly #ownOrigin: string;
  readonly #ownPages: string;

  constructor(placements: Pick<Placements, "noteSeen">, publicUrl: URL) {
    this.#placements = placements;
    this.#ownHost = publicUrl.host;
    this.#ownOrigin = publicUrl.origin;
    this.#ownPages = `${publicUrl.origin}/`;
  }

  /** `workspaceId` is one that exists. `now` is in milliseconds since the epoch. */
  note(workspaceId: string, headers: IncomingHttpHeaders, now: number): void {
    if (now < (this.#dueAt.get(workspaceId) ?? 0)) return;
    if (this.#isFromHere(headers)) return;
    const host = hostOf(headers.origin) ?? hostOf(headers.referer);
    if (host === null || host === this.#ownHost) return;
    if (this.#dueAt.size >= MOST_WORKSPACES) this.#dueAt.clear();
    this.#dueAt.set(workspaceId, now + EVERY_MS);
    this.#placements.noteSeen({ workspaceId, host, seenAt: now });
  }

  /** Without parsing an address: what comes from here is never noted, so that each such request gets to this line. */
  #isFromHere({ origin, referer }: IncomingHttpHeaders): boolean {
    if (origin !== undefined && origin !== "null") return origin === this.#ownOrigin;
    return referer?.startsWith(this.#ownPages) ?? false;
  }
}

/** The host of a page's address; null for what is none, such as `null`. */
function hostOf(address: string | undefined): string | null {
  if (address === undefined || !/^https?:/i.test(address)) return null;
  const host = URL.canParse(address) ? new URL(address).host : "";
  return host === "" || host.length > LONGEST_HOST ? null : host;
}
