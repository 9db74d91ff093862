import type { FaviconFinding } from "#libs/favicon/index.ts";
import type { ImageFinding } from "#libs/guarded-fetch/index.ts";

/** What the thread is given. */
export interface ApartData {
  /** Where the operator of a site finds out who is asking. */
  readonly contact: string;
  /** The largest image that is taken, in bytes. */
  readonly maxImageBytes: number;
}

/** What the thread is asked; `stop` ends the question of that id. */
export type Question =
  | { readonly id: number; readonly what: "icon" | "image"; readonly address: string }
  | { readonly id: number; readonly what: "stop" };

export type Answer =
  | { readonly id: number; readonly what: "icon"; readonly finding: FaviconFinding }
  | { readonly id: number; readonly what: "image"; readonly finding: ImageFinding }
  | { readonly id: number; readonly what: "failure"; readonly message: string };
