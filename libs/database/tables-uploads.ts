export interface UploadsTable {
  key: string;
  workspace_id: string;
  granted_at: Date;
  due_at: Date;
}
