// Where uploads are kept

export * from "./port.ts";

// In a folder, taken and served by ourselves

export { type DiskUploads, type DiskUploadsOptions, openDiskUploads } from "./disk.ts";
export { type DiskRoutesOptions, registerDiskUploads } from "./disk-routes.ts";

// Keys

export { parseUploadKey, type UploadKey } from "./upload-key.ts";
