// Whole files, and folders, that survive a power failure
export {
  makeFolderDurably,
  renameDurably,
  syncFile,
  syncFolder,
  writeDurably,
} from "./durable-files.ts";
