const SILENT_MS = 10_000;
const MAX_REMEMBERED = 100;

/** Passes a sentence on, unless one `about` the same was within 10 s; by itself a sentence is about what it says. */
export type WarnSparingly = (message: string, about?: string) => void;

/** What is tried again and again fails again and again, and is not worth a line each time. */
export function createSparingWarnings(onWarning: (message: string) => void): WarnSparingly {
  const saidAt = new Map<string, number>();
  return (message, about = message) => {
    const now = performance.now();
    if (now - (saidAt.get(about) ?? Number.NEGATIVE_INFINITY) < SILENT_MS) return;
    if (saidAt.size >= MAX_REMEMBERED) saidAt.clear();
    saidAt.set(about, now);
    onWarning(message);
  };
}
