import { timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { readKey } from "#libs/domain/api-key.ts";
import { addressKeyOf, httpError, notFound } from "#libs/http/index.ts";
import type { Directory } from "../directory/directory.ts";
import type { PreparedSnapshot } from "../directory/prepared-snapshot.ts";

const BEARER = /^Bearer +([\x21-\x7e]{1,200})$/i;
const NEEDS_TRACKING_KEY = "A valid tracking key of this workspace is required.";
const IS_API_KEY = "An API key cannot report events. Use a tracking key of this workspace.";

/** Proof that a request may report events of a workspace: only `authoriseTracking` makes one. */
class TrackingAccess {
  readonly #granted = true;
  readonly workspaceId: string;

  constructor({ workspaceId }: PreparedSnapshot) {
    this.workspaceId = workspaceId;
  }

  get isGranted(): boolean {
    return this.#granted;
  }
}

export type { TrackingAccess };

/**
 * Checks the tracking key of a request against the snapshot, with no I/O if that is cached. Throws 401 for a key that is malformed,
 * revoked or of another workspace, 404 for an unknown workspace, and as `Directory.find` does.
 */
export async function authoriseTracking(
  directory: Pick<Directory, "find">,
  request: FastifyRequest<{ Params: { workspaceId: string } }>,
): Promise<TrackingAccess> {
  const [, text = ""] = BEARER.exec(request.headers.authorization ?? "") ?? [];
  const key = readKey(text);
  if (key?.kind === "api") throw httpError("UNAUTHORIZED", IS_API_KEY);
  if (key === null) throw httpError("UNAUTHORIZED", NEEDS_TRACKING_KEY);
  const snapshot = await directory.find(request.params.workspaceId, addressKeyOf(request));
  if (snapshot === null) throw notFound("Workspace");
  if (!isOneOf(snapshot.trackingKeys, key.hash)) throw httpError("UNAUTHORIZED", NEEDS_TRACKING_KEY);
  return new TrackingAccess(snapshot);
}

/** Compares with each, so that the time says nothing about any. */
function isOneOf(hashes: readonly string[], presented: Buffer): boolean {
  let isFound = false;
  for (const hash of hashes) {
    const known = Buffer.from(hash, "base64url");
    if (known.length === presented.length && timingSafeEqual(known, presented)) isFound = true;
  }
  return isFound;
}
