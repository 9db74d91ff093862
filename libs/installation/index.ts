// Where things are in DATA_DIR

// At a start, and from then on
export { type CheckpointOptions, type Checkpoints, DataLossError, keepCheckpoints } from "./checkpoints.ts";
export { type DataPaths, pathsBelow } from "./data-paths.ts";
// Secrets that can be exchanged
export { deriveRing, type KeyRing } from "./key-ring.ts";
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
  UPLOADS_NOTE,
  writeNoteFile,
} from "./note.ts";
