import { readPageNumber } from "../shell/search.ts";

/** What the address of the audit log holds. */
export interface AuditSearch {
  readonly page?: number;
}

export function readAuditSearch({ page }: Record<string, unknown>): AuditSearch {
  return readPageNumber(page);
}
