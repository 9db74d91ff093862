import type { IconType } from "#libs/favicon/index.ts";

/** What the last look at a page for its site's icon has come to. */
export interface FaviconLookupsTable {
  page: string;
  host: string;
  outcome: "found" | "none" | "unreachable";
  content_type: IconType | null;
  bytes: Buffer | null;
  asked_at: Date;
}
