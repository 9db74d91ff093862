import type { WorkspaceSettings } from "#libs/contract/settings.ts";
import { MOST_PER_MINUTE } from "#libs/domain/limits.ts";
import type { Checked } from "../components/forms/check-input.ts";
import { readWhole } from "../components/forms/read-number.ts";

/** `usual` is the installation's default, `off` no limit. */
export const LIMIT_MODES = ["usual", "own", "off"] as const;
export type LimitMode = (typeof LIMIT_MODES)[number];

/** A limit in the form. */
export interface LimitDraft {
  readonly mode: LimitMode;
  /** Events per minute, as typed. Only for `own`. */
  readonly own: string;
}

type Limits = WorkspaceSettings["limits"];

interface LimitsDraft {
  readonly limits: Readonly<Record<keyof Limits, LimitDraft>>;
}

export function draftOfLimits({ impressionsPerMinute, clicksPerMinute }: Limits): LimitsDraft {
  return {
    limits: {
      impressionsPerMinute: draftOf(impressionsPerMinute),
      clicksPerMinute: draftOf(clicksPerMinute),
    },
  };
}

/** Checks the limits and converts them to what the API takes. */
export function checkLimits({ limits }: LimitsDraft): Checked<{ readonly limits: Limits }> {
  const impressionsPerMinute = readLimit(limits.impressionsPerMinute);
  const clicksPerMinute = readLimit(limits.clicksPerMinute);
  if (impressionsPerMinute !== undefined && clicksPerMinute !== undefined) {
    return { input: { limits: { impressionsPerMinute, clicksPerMinute } } };
  }
  const problem = `Enter a whole number from 1 to ${MOST_PER_MINUTE.toLocaleString("en-US")}.`;
  return {
    errors: {
      ...(impressionsPerMinute === undefined ? { "limits.impressionsPerMinute": problem } : {}),
      ...(clicksPerMinute === undefined ? { "limits.clicksPerMinute": problem } : {}),
    },
  };
}

function draftOf(limit: number | null): LimitDraft {
  if (limit === null) return { mode: "usual", own: "" };
  return limit === 0 ? { mode: "off", own: "" } : { mode: "own", own: String(limit) };
}

/** The limit that is sent; undefined if the typed one is not valid. */
function readLimit({ mode, own }: LimitDraft): number | null | undefined {
  if (mode === "usual") return null;
  if (mode === "off") return 0;
  const limit = readWhole(own);
  return limit !== null && limit <= MOST_PER_MINUTE ? limit : undefined;
}
