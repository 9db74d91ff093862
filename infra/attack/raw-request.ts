import { Agent, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";

/** A request whose target is sent byte for byte, as no ordinary client would let it through. */
export interface RawRequest {
  readonly method: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface RawAnswer {
  /** 0 where the server closed the connection without an answer. */
  readonly status: number;
  readonly text: string;
  /** Milliseconds until the answer was complete. */
  readonly tookMs: number;
}

const TIMEOUT_MS = 60_000;
/** What Node's client lets through in a target; anything else needs a socket of its own. */
const PLAIN_TARGET = /^[\x21-\xff]*$/;
const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/** Sends it to that origin and reads the answer. Rejects when no answer is complete within a minute. */
export async function sendRaw(origin: string, raw: RawRequest): Promise<RawAnswer> {
  const begin = performance.now();
  const { status, text: body } = PLAIN_TARGET.test(raw.target)
    ? await sendByClient(origin, raw)
    : await sendBySocket(origin, raw);
  return { status, text: body, tookMs: performance.now() - begin };
}

async function sendByClient(origin: string, raw: RawRequest): Promise<Omit<RawAnswer, "tookMs">> {
  const { method, target, headers = {}, body } = raw;
  const { hostname, port } = new URL(origin);
  return await new Promise<Omit<RawAnswer, "tookMs">>((resolve, reject) => {
    const sent = request({ agent, hostname, port, method, path: target, headers, timeout: TIMEOUT_MS });
    sent.once("response", (response) => {
      text(response).then((answer) => resolve({ status: response.statusCode ?? 0, text: answer }), reject);
    });
    sent.once("timeout", () => sent.destroy(new Error(`no answer to ${method} ${target} within a minute`)));
    sent.once("error", (error: NodeJS.ErrnoException) => {
      const wasClosed = error.code === "ECONNRESET" || error.code === "EPIPE";
      // The server closed an idle connection at this very moment: it has seen nothing of the request.
      if (wasClosed && sent.reusedSocket) sendByClient(origin, raw).then(resolve, reject);
      // A server may close a connection that sent it something unreadable; that is an answer too.
      else if (wasClosed) resolve({ status: 0, text: "" });
      else reject(error);
    });
    sent.end(body);
  });
}

async function sendBySocket(origin: string, { method, target, headers = {}, body = "" }: RawRequest) {
  const { hostname, port } = new URL(origin);
  return await new Promise<Omit<RawAnswer, "tookMs">>((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    let received = "";
    const lines = { host: `${hostname}:${port}`, connection: "close", ...headers };
    const head = Object.entries({ ...lines, "content-length": String(Buffer.byteLength(body)) })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join("");
    socket.setTimeout(TIMEOUT_MS, () =>
      socket.destroy(new Error(`no answer to ${method} ${target} within a minute`)),
    );
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      received += chunk;
    });
    socket.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNRESET" || error.code === "EPIPE") resolve({ status: 0, text: received });
      else reject(error);
    });
    socket.once("close", () => {
      resolve({ status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(received)?.[1] ?? 0), text: received });
    });
    socket.end(Buffer.from(`${method} ${target} HTTP/1.1\r\n${head}\r\n${body}`, "latin1"));
  });
}
