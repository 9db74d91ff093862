import type { ColumnType, Generated } from "kysely";
import type { Timestamp } from "./timestamp.ts";

/** One row, or none before the first note. */
export interface InstallationTable {
  is_only: Generated<boolean>;
  id: string;
  checkpoint: number;
  log_end: number;
  known_damage: ColumnType<string[], string | undefined, string>;
  noted_at: Timestamp;
}
