import type { ConfigOf, uploadSettings } from "#libs/config/index.ts";
import { StartError } from "#libs/process/index.ts";

/** The bucket that keeps the uploads, and how it is reached. */
export interface Bucket {
  readonly bucket: string;
  readonly region: string;
  readonly endpoint: string | undefined;
  readonly forcePathStyle: boolean;
  readonly publicUrl: URL | undefined;
  /** Undefined: what Amazon's SDK finds. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
}

type Settings = ConfigOf<typeof uploadSettings>;

/** Which region a store that has none is said to be in. */
const NO_REGION = "us-east-1";

/**
 * The bucket of the settings, or null for the data folder. Throws `StartError` for half a bucket, and for files that a
 * browser would not show on a page of `publicUrl`.
 */
export function chooseBucket(settings: Settings, publicUrl: URL): Bucket | null {
  const { s3Bucket: bucket, s3Endpoint: endpoint, s3PublicUrl } = settings;
  if (bucket === undefined) {
    const orphan = firstWithoutBucket(settings);
    if (orphan !== undefined) throw new StartError(`${orphan} says nothing without S3_BUCKET.`);
    return null;
  }
  const region = settings.s3Region ?? (endpoint === undefined ? undefined : NO_REGION);
  if (region === undefined) throw new StartError("S3_BUCKET needs S3_REGION, or S3_ENDPOINT.");
  const readAt = s3PublicUrl ?? endpoint;
  if (publicUrl.protocol === "https:" && readAt?.startsWith("http:")) {
    const name = s3PublicUrl === undefined ? "S3_ENDPOINT" : "S3_PUBLIC_URL";
    throw new StartError(`${name} has to be https, as PUBLIC_URL is: browsers would not show the images.`);
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
