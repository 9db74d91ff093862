// At a start, and from then on
export { type CheckpointOptions, type Checkpoints, DataLossError, keepCheckpoints } from "./checkpoints.ts";
// What was lost
export { type FoundStore, findLosses, type Loss } from "./losses.ts";
// Notes
export {
  type Note,
  type NotedStore,
  noteSchema,
  readNoteFile,
  STORE_NAMES,
  type StoreName,
  writeNoteFile,
} from "./note.ts";
