import type { FastifyInstance } from "fastify";
import type { Shutdown } from "#libs/http/index.ts";
import { using } from "#libs/process/index.ts";
import { createS3Uploads, openDiskUploads, registerDiskUploads, type Uploads } from "#libs/uploads/index.ts";
import type { Configuration } from "./configuration.ts";
import type { DataFolder } from "./data-folder.ts";

/** Where new files go, and the routes of those that lie in the data folder. */
export interface StartedUploads {
  readonly uploads: Uploads;
  addRoutes(app: FastifyInstance): Promise<void>;
}

/** Uploads, in the bucket of the configuration or below the data folder, which goes on serving the files it has. */
export async function startUploads(
  { bucket, publicUrl, uploadMaxBytes: maxBytes }: Configuration,
  folder: DataFolder,
  secret: string,
  shutdown: Shutdown,
): Promise<StartedUploads> {
  const disk = await using(`The folder ${folder.uploads}`, () =>
    openDiskUploads({ folder: folder.uploads, secret, publicUrl, maxBytes }),
  );
  const uploads = bucket === null ? disk : createS3Uploads({ ...bucket, maxBytes });
  shutdown.onRelease("uploads", () => uploads.close());
  return { uploads, addRoutes: (app) => registerDiskUploads(app, { uploads: disk }) };
}
