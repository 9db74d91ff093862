import { timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { readKey } from "#libs/domain/api-key.ts";
import { type AddressKey, addressKeyOf, httpError, notFound } from "#libs/http/index.ts";
import type { Directory } from "../directory/directory.ts";

/** Whose keys are remembered. */
const MAX_WORKSPACES = 10_000;
const BEARER = /^Bearer +([\x21-\x7e]{1,200})$/i;
const NEEDS_TRACKING_KEY = "A valid tracking key of this workspace is required: Authorization: Bearer plt_…";
const IS_API_KEY = "An API key cannot report events. Use a tracking key of this workspace.";

/** Proof that a request may report events of a workspace: only `createTrackingAuthorisation` makes one. */
class TrackingAccess {
  readonly #granted = true;
  readonly workspaceId: string;

  constructor(workspaceId: string) {
    this.workspaceId = workspaceId;
  }

  get isGranted(): boolean {
    return this.#granted;
  }
}

export type { TrackingAccess };

interface KnownKeys {
  /** The version of the snapshot that they are from. */
  readonly version: number;
  readonly hashes: readonly Buffer[];
}

/**
 * Creates the function that checks the tracking key of a request against the snapshot, with no I/O if that is cached. It throws 401
 * for a key that is malformed, revoked or of another workspace, 404 for an unknown workspace, and as `Directory.find` does. The keys
 * of a version are remembered: a snapshot of hundreds of ads takes a millisecond to decompress, which a stranger must not bring about.
 */
export function createTrackingAuthorisation(
  directory: Pick<Directory, "find" | "cachedVersion">,
): (request: FastifyRequest<{ Params: { workspaceId: string } }>) => Promise<TrackingAccess> {
  const known = new LRUCache<string, KnownKeys>({ max: MAX_WORKSPACES });

  async function keysOf(workspaceId: string, caller: AddressKey): Promise<KnownKeys | null> {
    const before = known.get(workspaceId);
    if (before !== undefined && before.version === directory.cachedVersion(workspaceId)) return before;
    const snapshot = await directory.find(workspaceId, caller);
    if (snapshot === null) return null;
    const { version, trackingKeys } = snapshot;
    const keys = { version, hashes: trackingKeys.map((hash) => Buffer.from(hash, "base64url")) };
    known.set(workspaceId, keys);
    return keys;
  }

  return async (request) => {
    const [, text = ""] = BEARER.exec(request.headers.authorization ?? "") ?? [];
    const key = readKey(text);
    if (key?.kind === "api") throw httpError("UNAUTHORIZED", IS_API_KEY);
    if (key === null) throw httpError("UNAUTHORIZED", NEEDS_TRACKING_KEY);
    const { workspaceId } = request.params;
    const keys = await keysOf(workspaceId, addressKeyOf(request));
    if (keys === null) throw notFound("Workspace");
    if (!isOneOf(keys.hashes, key.hash)) throw httpError("UNAUTHORIZED", NEEDS_TRACKING_KEY);
    return new TrackingAccess(workspaceId);
  };
}

/** Compares with each, so that the time says nothing about any. */
function isOneOf(hashes: readonly Buffer[], presented: Buffer): boolean {
  let isFound = false;
  for (const known of hashes) {
    if (known.length === presented.length && timingSafeEqual(known, presented)) isFound = true;
  }
  return isFound;
}
