import type { Server } from "node:http";

/** How long an answer may make no progress. The proxy's `send_timeout` is as long. */
export const STALLED_MS = 30_000;

/**
 * Closes a connection whose answer makes no progress for `stalledMs`: its reader keeps the memory of the answer. An answer that
 * is still being made waits, and one that is read slowly is sent to its end.
 */
export function cutOffStalledAnswers(server: Server, stalledMs = STALLED_MS): void {
  // Node's time-out of a connection sees how much of a write the kernel has taken.
  server.setTimeout(stalledMs, (socket) => {
    const isAnsweredIdle = socket.timeout !== stalledMs;
    if (isAnsweredIdle || socket.writableLength > 0) socket.destroy();
  });
}
