const SILENT_MS = 10_000;
const MAX_TOPICS = 100;

/** Tells the operator in one sentence what went wrong. */
export type Warn = (message: string, error?: unknown) => void;

/** Like `Warn`. Warnings with the same `topic` (default: the message) are repetitions. */
export type ThrottledWarning = (message: string, error?: unknown, topic?: string) => void;

/** Passes a warning on unless one about the same topic was passed on in the last 10 seconds. */
export function createThrottledWarning(warn: Warn): ThrottledWarning {
  const warnedAt = new Map<string, number>();
  return (message, error, topic = message) => {
    const now = performance.now();
    if (now - (warnedAt.get(topic) ?? Number.NEGATIVE_INFINITY) < SILENT_MS) return;
    if (warnedAt.size >= MAX_TOPICS) warnedAt.clear();
    warnedAt.set(topic, now);
    if (error === undefined) warn(message);
    else warn(message, error);
  };
}
