import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { listenOnLoopback } from "#libs/process/ports.ts";

/** When something may be done to an insert: before ClickHouse hears of it, or once ClickHouse has done it. */
export type Moment = "asked" | "inserted";

/**
 * What becomes of it then.
 * - `pass`: nothing special
 * - `cut`: the connection to ingestion is cut
 * - `hold`: it continues only when `release` is called
 */
export type InsertFate = "pass" | "cut" | "hold";

/**
 * A proxy between ingestion and ClickHouse that treats inserts as configured. Whatever a network may do to a request,
 * and what a process may be killed in the middle of, is decided here, so that no program under test needs to know.
 */
export class ClickHouseProxy {
  /** The tokens of inserts that ClickHouse has done. */
  readonly inserted = new Set<string>();
  /** Each is asked twice for each insert. */
  readonly rules = new Set<(moment: Moment) => InsertFate>();
  readonly #target: URL;
  readonly #server: Server;
  #held: { readonly token: string; readonly go: () => void }[] = [];

  constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((incoming, outgoing) => {
      this.#pass(incoming, outgoing).catch(() => outgoing.destroy());
    });
  }

  async open(): Promise<string> {
    return `http://127.0.0.1:${await listenOnLoopback(this.#server)}`;
  }

  /** The tokens of inserts that are held. */
  get held(): string[] {
    return this.#held.map(({ token }) => token);
  }

  /** Forwards held requests in the order of their arrival. */
  release(): void {
    const held = this.#held;
    this.#held = [];
    for (const { go } of held) go();
  }

  /** Back to passing everything on. */
  calm(): void {
    this.rules.clear();
    this.release();
  }

  async close(): Promise<void> {
    this.calm();
    this.#server.closeAllConnections();
    this.#server.close();
    await wait(0);
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await bodyOf(incoming);
    const token = new URL(incoming.url ?? "", this.#target).searchParams.get("insert_deduplication_token");
    if (token !== null && !(await this.#goesOn("asked", token))) return void incoming.socket.destroy();
    const answer = await this.#ask(incoming, body);
    if (token !== null) {
      if (answer.status === 200) this.inserted.add(token);
      if (!(await this.#goesOn("inserted", token))) return void incoming.socket.destroy();
    }
    outgoing.writeHead(answer.status, answer.headers);
    outgoing.end(answer.body);
  }

  async #goesOn(moment: Moment, token: string): Promise<boolean> {
    const fates = [...this.rules].map((rule) => rule(moment));
    if (fates.includes("hold")) await new Promise<void>((go) => this.#held.push({ token, go }));
    return !fates.includes("cut");
  }

  async #ask(incoming: IncomingMessage, body: Buffer) {
    const { hostname, port } = this.#target;
    const { method, url: path } = incoming;
    const headers: IncomingMessage["headers"] = {
      ...incoming.headers,
      "content-length": String(body.length),
    };
    delete headers["transfer-encoding"];
    const asking = request({ hostname, port, method, path, headers });
    asking.end(body);
    const [answer]: IncomingMessage[] = await once(asking, "response");
    if (answer === undefined) throw new Error("no answer");
    const kept = { ...answer.headers };
    delete kept["transfer-encoding"];
    return { status: answer.statusCode ?? 500, headers: kept, body: await bodyOf(answer) };
  }
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}
