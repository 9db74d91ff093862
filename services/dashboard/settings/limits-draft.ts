import { MOST_PER_MINUTE } from "#libs/domain/settings.ts";
import type { WorkspaceSettings } from "./use-settings.ts";

/** `usual` is the installation's limit, `off` none. */
export const LIMIT_MODES = ["usual", "own", "off"] as const;
export type LimitMode = (typeof LIMIT_MODES)[number];

/** A limit as it stands in the form. */
export interface LimitDraft {
  readonly mode: LimitMode;
  /** Events a minute, as typed; for `own` alone. */
  readonly own: string;
}

export interface LimitsDraft {
  readonly impressions: LimitDraft;
  readonly clicks: LimitDraft;
}

type Limits = WorkspaceSettings["limits"];

export function draftOfLimits({ impressionsPerMinute, clicksPerMinute }: Limits): LimitsDraft {
  return { impressions: draftOf(impressionsPerMinute), clicks: draftOf(clicksPerMinute) };
}

/** Reads the limits out of their form. */
export function checkLimits(
  draft: LimitsDraft,
): { readonly input: Limits } | { readonly errors: Record<string, string> } {
  const impressionsPerMinute = readLimit(draft.impressions);
  const clicksPerMinute = readLimit(draft.clicks);
  if (impressionsPerMinute !== undefined && clicksPerMinute !== undefined) {
    return { input: { impressionsPerMinute, clicksPerMinute } };
  }
  const problem = `Enter a whole number from 1 to ${MOST_PER_MINUTE.toLocaleString("en-US")}.`;
  return {
    errors: {
      ...(impressionsPerMinute === undefined ? { impressions: problem } : {}),
      ...(clicksPerMinute === undefined ? { clicks: problem } : {}),
    },
  };
}

function draftOf(limit: number | null): LimitDraft {
  if (limit === null) return { mode: "usual", own: "" };
  return limit === 0 ? { mode: "off", own: "" } : { mode: "own", own: String(limit) };
}

/** Undefined for what is no limit. */
function readLimit({ mode, own }: LimitDraft): number | null | undefined {
  if (mode === "usual") return null;
  if (mode === "off") return 0;
  const limit = Number(own);
  return /^\s*\d{1,6}\s*$/.test(own) && limit >= 1 && limit <= MOST_PER_MINUTE ? limit : undefined;
}
