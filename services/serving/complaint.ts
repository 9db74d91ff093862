/** Tells a person of something that went wrong. */
export type Warn = (message: string, error?: unknown) => void;

const QUIET_MS = 10_000;

/** Says the same thing at most once in ten seconds: what fails for every request would otherwise fill the log. */
export function createComplaint(warn: Warn, message: string): (error: unknown) => void {
  let quietUntil = 0;
  return (error) => {
    const now = performance.now();
    if (now < quietUntil) return;
    quietUntil = now + QUIET_MS;
    warn(message, error);
  };
}
