// Whole files, and folders, that survive a power failure
export {
  makeFolderDurably,
  renameDurably,
  syncFile,
  syncFolder,
  writeDurably,
} from "./durable-files.ts";
// Files of the operator, read again when they change
export {
  type ListFileState,
  openWatchedFile,
  type WatchedFile,
  type WatchedFileOptions,
  type WatchedFileSource,
  type WatchedFileState,
} from "./watched-file.ts";
