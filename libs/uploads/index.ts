// Where uploads are kept

export * from "./port.ts";

// In a folder, taken and served by ourselves

export { type DiskUploads, type DiskUploadsOptions, openDiskUploads } from "./disk.ts";
export { type DiskRoutesOptions, registerDiskUploads } from "./disk-routes.ts";
export { filesBelow } from "./files-below.ts";

// In a bucket

export { createS3Uploads, type S3UploadsOptions } from "./s3.ts";

// Keys

export { ownFileKey, parseUploadKey, type UploadKey } from "./upload-key.ts";
