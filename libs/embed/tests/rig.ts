import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { listenOnLoopback } from "#libs/process/ports.ts";
import { type OpenedPage, openPage, type PageOptions } from "../../../infra/browser/index.ts";
import type { Ad } from "../types/embed.d.mts";

/** An event that a page has reported. */
export interface Reported {
  readonly kind: "impressions" | "clicks";
  readonly adId: string;
}

/** How the service answers the next requests: as it should, with a status, or not at all. */
export type Mood = "well" | number | "never";

/** A publisher's site and, on another one, the service that it loads ads from. Empty before each test. */
export class Rig {
  ads: Ad[] = [];
  mood: Mood = "well";
  readonly asked: URLSearchParams[] = [];
  readonly reported: Reported[] = [];
  /** What each event had as its proof; null for none. */
  readonly proofs: (string | null)[] = [];
  /** What the query of each request that reports events says of its place. */
  readonly places: Record<string, string>[] = [];
  /** The types of the requests that report several ads. */
  readonly requests: string[] = [];
  /** As before there was a request for a page. */
  takesPages = true;
  /** Ads whose next impression among others is not stored. */
  readonly untaken = new Set<string>();
  /** `cookie` and `referer` headers that reached the service. */
  readonly personal: string[] = [];
  readonly #pages = new Map<string, { body: string; headers: Readonly<Record<string, string>> }>();
  #service: Server | undefined;
  #site: Server | undefined;
  origin = "";
  siteOrigin = "";

  async start(): Promise<void> {
    this.#service = createServer((request, response) => void this.#serve(request, response));
    this.#site = createServer((request, response) => this.#show(request, response));
    this.origin = `http://127.0.0.1:${await listenOnLoopback(this.#service)}`;
    // Another site to a browser than an address is.
    this.siteOrigin = `http://localhost:${await listenOnLoopback(this.#site)}`;
  }

  reset(): void {
    this.ads = ["Coffee", "Hosting", "Type", "Bikes", "Books", "Garden"].map((name) =>
      anAd(`Example ${name}`),
    );
    this.mood = "well";
    this.takesPages = true;
    this.#pages.clear();
    for (const list of [this.asked, this.reported, this.proofs, this.places, this.requests, this.personal])
      list.length = 0;
    this.untaken.clear();
  }

  stop(): void {
    for (const server of [this.#service, this.#site]) {
      server?.closeAllConnections();
      server?.close();
    }
  }

  get tag(): string {
    return `<script src="${this.origin}/embed.js" async></script>`;
  }

  /** Opens a page of the site with that in its body; `path` is where it is. */
  async open(body: string, options: OpenOptions = {}): Promise<OpenedPage> {
    const { path = "/", headers = {}, head = "", ...pageOptions } = options;
    this.addPage(path, body, { headers, head });
    const opened = await openPage(this.siteOrigin, { alsoFrom: [this.origin], ...pageOptions });
    await options.before?.(opened);
    await opened.page.goto(path);
    return opened;
  }

  addPage(path: string, body: string, { headers = {}, head = "" }: OpenOptions = {}): void {
    const document = `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width"><title>A site</title><link rel="icon" href="data:,">${head}</head><body>${body}</body></html>`;
    this.#pages.set(path, { body: document, headers });
  }

  #show({ url = "/" }: IncomingMessage, response: ServerResponse): void {
    const page = this.#pages.get(url.split("?")[0] ?? "");
    const type = url.endsWith(".js") ? "text/javascript" : "text/html; charset=utf-8";
    response
      .writeHead(page === undefined ? 404 : 200, { "content-type": type, ...page?.headers })
      .end(page?.body);
  }

  addScript(path: string, body: string): void {
    this.#pages.set(path, { body, headers: {} });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", this.origin);
    response.setHeader("access-control-allow-origin", "*");
    if (/^\/[\w-]+\.m?js$/.test(pathname)) {
      const file = await readFile(new URL(`../dist${pathname}`, import.meta.url));
      response.writeHead(200, { "content-type": "text/javascript" }).end(file);
      return;
    }
    const { cookie, referer } = request.headers;
    this.personal.push(...[cookie, referer].filter((header) => header !== undefined));
    if (request.method === "POST") {
      const { proof: _, ...place } = Object.fromEntries(searchParams);
      this.places.push(place);
    }
    if (pathname === "/v1/impressions" && request.method === "POST") {
      if (this.takesPages) this.#answer(response, await this.#takePage(request));
      else response.writeHead(404).end("{}");
      return;
    }
    const [, adId, kind] = /^\/v1\/ads\/(\w+)\/(impressions|clicks)$/.exec(pathname) ?? [];
    if (adId !== undefined && request.method === "POST") {
      this.proofs.push(searchParams.get("proof"));
      this.reported.push({ adId, kind: kind === "clicks" ? "clicks" : "impressions" });
      this.#answer(response, { success: true });
      return;
    }
    this.asked.push(searchParams);
    const excluded = searchParams.get("excludeIds")?.split(",") ?? [];
    const ads = this.ads.filter(({ id }) => !excluded.includes(id));
    this.#answer(response, { ads: ads.slice(0, Number(searchParams.get("count"))) });
  }

  /** The ads that a page reports in one request; `untaken` are to be sent again. */
  async #takePage(request: IncomingMessage): Promise<unknown> {
    this.requests.push(request.headers["content-type"] ?? "");
    const { ads }: { ads: { id: string; proof?: string }[] } = JSON.parse(await text(request));
    const taken = this.mood === "well" ? ads.filter(({ id }) => !this.untaken.delete(id)) : ads;
    for (const { id, proof = null } of taken) {
      this.proofs.push(proof);
      this.reported.push({ adId: id, kind: "impressions" });
    }
    const isTaken = (id: string) => taken.some((one) => one.id === id);
    return {
      ads: ads.map(({ id }) => (isTaken(id) ? { id, success: true } : { id, success: false, retry: true })),
    };
  }

  #answer(response: ServerResponse, body: unknown): void {
    if (this.mood === "never") return;
    response.writeHead(this.mood === "well" ? 200 : this.mood, { "content-type": "application/json" });
    response.end(this.mood === "well" ? JSON.stringify(body) : "{}");
  }
}

export interface OpenOptions extends PageOptions {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly head?: string;
  /** Before the page is loaded. */
  readonly before?: (opened: OpenedPage) => Promise<unknown>;
}

/** Starts the servers for a test file; call it at the top. */
export function startRig(): Rig {
  const rig = new Rig();
  beforeAll(() => rig.start());
  beforeEach(() => rig.reset());
  afterAll(() => rig.stop());
  return rig;
}

export function anAd(name: string, changes: Partial<Ad> = {}): Ad {
  const word = name.toLowerCase().replace(/\W+/g, "_");
  return {
    id: `ad_${word}`,
    name,
    websiteUrl: `https://${word}.example/`,
    faviconUrl: "",
    weight: 1,
    meta: { tagline: `What ${name} says` },
    ...changes,
  };
}
