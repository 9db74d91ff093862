/** Connection */
export { type Database, type DatabaseOptions, openDatabase } from "./connection.ts";
/** The default without DATABASE_URL */
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from "./embedded/embedded.ts";
/** A folder for one process at a time */
export { type FolderLock, lockFolder } from "./embedded/folder-lock.ts";
export { findRunningPostgres } from "./embedded/running.ts";
/** What goes wrong */
export { DatabaseError, type DatabaseErrorCode } from "./errors.ts";
/** One workspace alone */
export { forWorkspace } from "./for-workspace.ts";
export type { DatabaseLogger } from "./logger.ts";
/** Schema */
export { type MigrateOptions, migrate } from "./migrate.ts";
export { isMigrated } from "./schema-state.ts";
export type * from "./tables.ts";
export type * from "./tables-webhooks.ts";
