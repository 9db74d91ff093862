import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { AddressKey } from "./address-key.ts";
import { resetConnection } from "./connections.ts";
import { FairBytes, type Holding, holderOf } from "./fair-bytes.ts";

/** How long an answer may make no progress. The proxy's `send_timeout` is as long. */
const STALLED_MS = 30_000;
/** Looks within that time. */
const LOOKS = 4;

/** The default of what the kernel has not taken yet of all answers. */
const MOST_UNSENT_BYTES = 64 * 1024 * 1024;

/** An answer that is made, of which the kernel has not taken all. */
interface UnsentAnswer extends Holding {
  readonly socket: Socket;
}

/** What a connection had sent and not sent at a look, in bytes, and at how many looks since then that was the same. */
interface Progress {
  readonly written: number;
  readonly unsent: number;
  readonly looks: number;
}

/**
 * Closes a connection whose answer makes no progress for `stalledMs`, at the latest a quarter later: its reader keeps the memory of
 * the answer. Unfinished answers and slow readers that make progress are left alone.
 */
export function cutOffStalledAnswers(server: Server, stalledMs = STALLED_MS): void {
  const open = new Map<Socket, Progress | null>();
  // Under TLS this is the socket below it, the only one that shows progress.
  server.on("connection", (socket: Socket) => {
    open.set(socket, null);
    socket.once("close", () => open.delete(socket));
  });
  // Not by a time-out of Node's: what arrives puts it off, and who does not read may send an empty line now and then.
  const looks = setInterval(() => {
    for (const [socket, before] of open) {
      const now = progressOf(socket);
      const isSame = before !== null && before.written === now?.written && before.unsent === now.unsent;
      if (isSame && before.looks + 1 >= LOOKS) resetConnection(socket);
      else open.set(socket, isSame ? { ...before, looks: before.looks + 1 } : now);
    }
  }, stalledMs / LOOKS).unref();
  server.once("close", () => clearInterval(looks));
}

/** Null where the kernel has taken all. Of what is written in one piece, Node tells only on the handle how much it has. */
function progressOf(socket: Socket): Progress | null {
  const handle: unknown = Reflect.get(socket, "_handle");
  const unsent: unknown = handle instanceof Object ? Reflect.get(handle, "writeQueueSize") : null;
  if (typeof unsent !== "number" || unsent === 0) return null;
  return { written: socket.bytesWritten, unsent, looks: 0 };
}

/**
 * Bounds what all answers take that are made and not sent yet (`FairBytes`): one too many is cut off with its connection. By their
 * connections alone, readers who do not read would hold hundreds of megabytes.
 */
export function boundUnsentAnswers(
  server: Server,
  readerOf: (response: ServerResponse) => AddressKey,
  mostBytes = MOST_UNSENT_BYTES,
): void {
  const unsent = new FairBytes<UnsentAnswer>(mostBytes, ({ socket }) => resetConnection(socket));

  function bound(this: ServerResponse): void {
    const { socket } = this;
    // What the kernel has taken at once is not counted here: as good as every answer.
    if (socket === null || socket.writableLength === 0) return;
    const answer = { holder: holderOf(readerOf(this)), socket, bytes: socket.writableLength };
    this.once("close", () => unsent.delete(answer));
    unsent.add(answer);
  }

  // Emitted when the whole answer is written: https://nodejs.org/api/http.html#event-prefinish
  // Before the listener that answers, which may do so at once.
  server.prependListener("request", (_request, response) => response.on("prefinish", bound));
}
