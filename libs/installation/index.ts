// At a start, and from then on
export { type CheckpointOptions, type Checkpoints, DataLossError, keepCheckpoints } from "./checkpoints.ts";
// What was lost
export { type FoundStore, findLosses, type Loss } from "./losses.ts";
// Notes
export { type Note, type NotedStore, noteSchema, STORE_NAMES, type StoreName } from "./note.ts";
export { readNoteFile, writeNoteFile } from "./note-file.ts";
