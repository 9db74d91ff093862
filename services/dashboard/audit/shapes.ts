import type { z } from "zod";
import type { auditEntry } from "#libs/contract/audit.ts";

/** One thing that somebody did, as the interface answers it. */
export type AuditEntry = z.output<typeof auditEntry>;

/** What resources are called today, by id, as far as it is known. */
export type ResourceNames = ReadonlyMap<string, string>;
