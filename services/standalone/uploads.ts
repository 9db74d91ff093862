import type { FastifyInstance } from "fastify";
import type { Shutdown } from "#libs/async/index.ts";
import { using } from "#libs/process/index.ts";
import { createS3Uploads, openDiskUploads, registerDiskUploads, type Uploads } from "#libs/uploads/index.ts";
import type { Configuration } from "./configuration.ts";
import type { DataFolder } from "./data-folder.ts";

/** The store of new files, and the routes of those in the data folder. */
export interface StartedUploads {
  readonly uploads: Uploads;
  addRoutes(app: FastifyInstance): Promise<void>;
}

/** The bucket together with older files, which stay in the data folder under their addresses. */
export function withOlderFiles(bucket: Uploads, folder: Uploads): Uploads {
  return {
    ...bucket,
    origins: [...new Set([...bucket.origins, ...folder.origins])],
    find: async (key) => (await bucket.find(key)) ?? (await folder.find(key)),
    readStart: async (key, maxBytes) =>
      (await bucket.readStart(key, maxBytes)) ?? (await folder.readStart(key, maxBytes)),
    addressOf: async (key) => (await bucket.addressOf(key)) ?? (await folder.addressOf(key)),
    locate: (url) => bucket.locate(url) ?? folder.locate(url),
    async *keys() {
      yield* bucket.keys();
      yield* folder.keys();
    },
    async remove(keys) {
      await bucket.remove(keys);
      await folder.remove(keys);
    },
  };
}

/** Uploads, in the configured bucket or below the data folder, whose files are still served. */
export async function startUploads(
  { bucket, publicUrl, uploadMaxBytes: maxBytes }: Configuration,
  folder: DataFolder,
  secret: string,
  shutdown: Shutdown,
): Promise<StartedUploads> {
  const disk = await using(`The folder ${folder.uploads}`, () =>
    openDiskUploads({ folder: folder.uploads, secret, publicUrl, maxBytes }),
  );
  const uploads = bucket === null ? disk : withOlderFiles(createS3Uploads({ ...bucket, maxBytes }), disk);
  shutdown.onRelease("uploads", () => uploads.close());
  return { uploads, addRoutes: (app) => registerDiskUploads(app, { uploads: disk }) };
}
