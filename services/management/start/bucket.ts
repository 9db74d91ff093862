import type { ConfigOf, uploadSettings } from "#libs/config/index.ts";
import { StartError } from "#libs/process/index.ts";
import type { S3UploadsOptions } from "#libs/uploads/index.ts";

/** The bucket of the uploads and how to reach it. */
export type Bucket = Omit<S3UploadsOptions, "maxBytes" | "timeoutMs">;

type Settings = ConfigOf<typeof uploadSettings>;

/** The region of a store that knows no regions. */
const NO_REGION = "us-east-1";

/**
 * The bucket of the settings, or null for the data folder. Throws `StartError` for incomplete settings, and for files that a
 * browser would not show on a page of `publicUrl`.
 */
export function chooseBucket(settings: Settings, publicUrl: URL): Bucket | null {
  const { s3Bucket: bucket, s3Endpoint: endpoint, s3PublicUrl } = settings;
  if (bucket === undefined) {
    const orphan = firstWithoutBucket(settings);
    if (orphan !== undefined) throw new StartError(`${orphan} has no effect without S3_BUCKET.`);
    return null;
  }
  const region = settings.s3Region ?? (endpoint === undefined ? undefined : NO_REGION);
  if (region === undefined) throw new StartError("S3_BUCKET needs S3_REGION, or S3_ENDPOINT.");
  const readAt = s3PublicUrl ?? endpoint;
  if (publicUrl.protocol === "https:" && readAt?.startsWith("http:")) {
    const name = s3PublicUrl === undefined ? "S3_ENDPOINT" : "S3_PUBLIC_URL";
    throw new StartError(`${name} must be https because PUBLIC_URL is: browsers would not show the images.`);
  }
  return {
    bucket,
    region,
    endpoint,
    forcePathStyle: settings.s3ForcePathStyle ?? false,
    publicUrl: s3PublicUrl === undefined ? undefined : new URL(s3PublicUrl),
    credentials: chooseCredentials(settings),
  };
}

function chooseCredentials({ s3AccessKeyId, s3SecretAccessKey }: Settings): Bucket["credentials"] {
  if (s3AccessKeyId === undefined && s3SecretAccessKey === undefined) return undefined;
  if (s3AccessKeyId === undefined || s3SecretAccessKey === undefined) {
    throw new StartError("S3 needs both S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or neither.");
  }
  return { accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey };
}

function firstWithoutBucket(settings: Settings): string | undefined {
  const given = [
    ["S3_REGION", settings.s3Region],
    ["S3_ENDPOINT", settings.s3Endpoint],
    ["S3_FORCE_PATH_STYLE", settings.s3ForcePathStyle],
    ["S3_PUBLIC_URL", settings.s3PublicUrl],
    ["S3_ACCESS_KEY_ID", settings.s3AccessKeyId],
    ["S3_SECRET_ACCESS_KEY", settings.s3SecretAccessKey],
  ] as const;
  return given.find(([, value]) => value !== undefined)?.[0];
}
