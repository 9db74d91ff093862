import type { Server } from "node:https";
import type { TLSSocket } from "node:tls";
import { resetConnection, tcpSocketOf } from "./connections.ts";

/** For the handshake, which is under 4 KiB from clients that show no certificate. */
const HANDSHAKE_BYTES = 16 * 1024;
/** Bytes of TLS for one that it carries: a record with one byte has 23. */
const MOST_PER_BYTE = 32;
const LOOK_EVERY_MS = 50;

/**
 * Resets a connection that sends TLS which carries nothing. OpenSSL answers a KeyUpdate (27 bytes, RFC 8446, 4.6.3) by itself and
 * without a limit, so that nothing above would see megabytes of them, which take seconds.
 */
export function boundTlsOverhead(server: Server): Server {
  const open = new Set<TLSSocket>();
  server.on("secureConnection", (socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  const looks = setInterval(() => {
    for (const socket of open) {
      const carriesNothing = tcpSocketOf(socket).bytesRead - MOST_PER_BYTE * socket.bytesRead;
      if (carriesNothing > HANDSHAKE_BYTES) resetConnection(socket);
    }
  }, LOOK_EVERY_MS).unref();
  return server.once("close", () => clearInterval(looks));
}
