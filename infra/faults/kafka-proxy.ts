import { once } from "node:events";
import { createConnection, createServer, type Server, type Socket } from "node:net";
import { frames } from "./kafka-frames.ts";

/** Requests that a fault can be aimed at, by their number in Kafka's protocol. */
const KAFKA_REQUESTS = { produce: 0, offsetCommit: 8 } as const;
export type KafkaRequest = keyof typeof KAFKA_REQUESTS;

/** A request of a client, or the broker's answer to it, on its way through the proxy. */
export interface Passing {
  readonly request: KafkaRequest | undefined;
  /** How the client calls itself. */
  readonly clientId: string;
  readonly direction: "request" | "answer";
}

/**
 * - `pass`: nothing special
 * - `cut`: the connection is cut instead
 * - `hold`: it continues only when `release` is called, though its connection may be gone by then; so does what follows it
 */
export type PassingFate = "pass" | "cut" | "hold";

/**
 * A proxy between Placard and a broker that advertises the address of this proxy. It sees every request and answer of Kafka's
 * protocol, so a fault can hit exactly between two of them. Requests that want no answer would confuse it; there are none.
 */
export class KafkaProxy {
  /** Each is asked for everything that passes. */
  readonly rules = new Set<(passing: Passing) => PassingFate>();
  readonly port: number;
  readonly #target: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #held: (() => void)[] = [];

  constructor(port: number, target: number) {
    this.port = port;
    this.#target = target;
    this.#server = createServer((client) => this.#connect(client));
  }

  async open(): Promise<void> {
    this.#server.listen(this.port, "127.0.0.1");
    await once(this.#server, "listening");
  }

  /** How many connections have something that is held. */
  get held(): number {
    return this.#held.length;
  }

  /** Forwards everything that is held. */
  release(): void {
    const held = this.#held;
    this.#held = [];
    for (const go of held) go();
  }

  /** Back to passing everything on. */
  calm(): void {
    this.rules.clear();
    this.release();
  }

  async close(): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server, "close");
  }

  #connect(client: Socket): void {
    const broker = createConnection({ port: this.#target, host: "127.0.0.1" });
    const sockets = [client, broker];
    /** What waits for `release`, where something does. */
    let waiting: Buffer[] | null = null;
    const cut = () => {
      for (const socket of sockets) socket.destroy();
    };
    for (const socket of sockets) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => {
        this.#sockets.delete(socket);
        // Held requests still have to reach the broker.
        if (waiting === null) cut();
      });
    }
    const hold = () => {
      waiting = [];
      this.#held.push(() => {
        for (const frame of waiting ?? []) broker.write(frame);
        waiting = null;
        if (client.destroyed) broker.end();
      });
    };
    // A broker answers the requests of a connection in their order.
    const asked: Passing[] = [];
    const pass = (passing: Passing, frame: Buffer, to: Socket) => {
      const fates = [...this.rules].map((rule) => rule(passing));
      if (fates.includes("cut")) return cut();
      if (fates.includes("hold") && waiting === null) hold();
      if (waiting !== null && to === broker) waiting.push(frame);
      else if (!to.destroyed) to.write(frame);
    };
    client.on(
      "data",
      frames((frame) => {
        const passing = readRequest(frame);
        asked.push(passing);
        pass(passing, frame, broker);
      }),
    );
    broker.on(
      "data",
      frames((frame) => {
        const passing = asked.shift();
        if (passing !== undefined) pass({ ...passing, direction: "answer" }, frame, client);
      }),
    );
  }
}

/** Length (4), kind (2), version (2), correlation (4), then the client's name with its length (2). */
function readRequest(frame: Buffer): Passing {
  const kind = frame.readInt16BE(4);
  const nameLength = Math.max(0, frame.readInt16BE(12));
  return {
    request:
      kind === KAFKA_REQUESTS.produce
        ? "produce"
        : kind === KAFKA_REQUESTS.offsetCommit
          ? "offsetCommit"
          : undefined,
    clientId: frame.toString("utf8", 14, 14 + nameLength),
    direction: "request",
  };
}
