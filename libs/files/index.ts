// Whole files
// Folders
export { makeFolderDurably, renameDurably, syncFolder, writeDurably } from "./durable-files.ts";
