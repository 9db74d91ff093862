import type { Server } from "node:http";
import type { Socket } from "node:net";
import { Server as TlsServer } from "node:tls";

/** How long an answer may make no progress. The proxy's `send_timeout` is as long. */
export const STALLED_MS = 30_000;

/**
 * Closes a connection whose answer makes no progress for `stalledMs`, at the latest a quarter later: its reader keeps the memory of
 * the answer. An answer that is still being made waits, and one that is read slowly is sent to its end.
 */
export function cutOffStalledAnswers(server: Server, stalledMs = STALLED_MS): void {
  const open = new Set<Socket>();
  server.on(server instanceof TlsServer ? "secureConnection" : "connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  // A time-out of the server's would cost every request a timer. Few connections have an answer that their reader has not taken.
  const looks = setInterval(() => {
    for (const socket of open) {
      // Node's time-out of a connection sees how much of a write the kernel has taken.
      if (socket.writableLength > 0 && socket.timeout !== stalledMs) socket.setTimeout(stalledMs);
    }
  }, stalledMs / 4).unref();
  server.once("close", () => clearInterval(looks));
  server.on("timeout", (socket: Socket) => {
    const isAnsweredIdle = socket.timeout !== stalledMs;
    if (isAnsweredIdle || socket.writableLength > 0) socket.destroy();
  });
}
