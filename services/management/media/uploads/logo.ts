import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { invalidInput } from "#libs/http/index.ts";
import { parseUploadKey, type Uploads } from "#libs/uploads/index.ts";
import { NOT_UPLOADED } from "./images.ts";
import { inspect } from "./inspection.ts";
import { holdUploads } from "./records.ts";

/** The uploads that a workspace may show as its logo. */
export const logosOf = (uploads: Uploads) => ({
  /** The key of the workspace's upload with this address. Throws 422 for any other address, and for a damaged image. */
  inspect: async (workspaceId: string, url: string): Promise<string> => {
    const key = uploads.locate(url)?.key ?? "";
    if (parseUploadKey(key)?.workspaceId !== workspaceId) throw refused(NOT_UPLOADED);
    const { problem } = await inspect(uploads, key);
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
