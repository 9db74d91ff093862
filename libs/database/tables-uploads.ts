import type { Generated } from "kysely";

export interface UploadsTable {
  key: string;
  workspace_id: string;
  granted_at: Date;
  due_at: Date;
  bytes: Generated<number>;
  arrived_at: Date | null;
  checkout_session_id: string | null;
}
