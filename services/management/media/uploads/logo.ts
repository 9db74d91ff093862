import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { invalidInput } from "#libs/http/index.ts";
import { parseUploadKey } from "#libs/uploads/index.ts";
import type { RecordPorts } from "./arrivals.ts";
import { NOT_UPLOADED } from "./images.ts";
import { lookAt } from "./looks.ts";
import { holdUploads } from "./records.ts";

/** The uploads that a workspace may show as its logo. */
export const logosOf = (ports: Omit<RecordPorts, "db">) => ({
  /** The key of the workspace's upload with this address. Throws 422 for any other address, and for a damaged image. */
  inspect: async (db: Kysely<Tables>, workspaceId: string, url: string): Promise<string> => {
    const key = ports.uploads.locate(url)?.key ?? "";
    if (parseUploadKey(key)?.workspaceId !== workspaceId) throw refused(NOT_UPLOADED);
    const look = (await lookAt({ ...ports, db }, workspaceId, [key])).get(key);
    const problem = look ? look.problem : NOT_UPLOADED;
    if (problem !== null) throw refused(problem);
    return key;
  },

  /** Keeps the upload until the transaction ends. Throws 422 if it was removed meanwhile. */
  hold: async (trx: Transaction<Tables>, workspaceId: string, key: string): Promise<void> => {
    if (!(await holdUploads(trx, workspaceId, [key])).has(key)) throw refused(NOT_UPLOADED);
  },
});

function refused(problem: string) {
  return invalidInput("IMAGE_NOT_UPLOADED", { fieldErrors: { "mediaKit.logoUrl": [problem] } });
}
