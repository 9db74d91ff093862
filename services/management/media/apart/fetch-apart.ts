import { Worker } from "node:worker_threads";
import type { Warn } from "#libs/async/index.ts";
import type { Favicons } from "#libs/favicon/index.ts";
import type { ImageFetcher } from "#libs/guarded-fetch/index.ts";
import type { Answer, ApartData, Question } from "./messages.ts";

/** A fetch ends itself after 15 s. */
const ANSWERS_WITHIN_MS = 20_000;
const LIMITS = { maxOldGenerationSizeMb: 128 };
const GIVEN_UP = "The site took too long to process.";
const THREAD_FILE = new URL("./thread.ts", import.meta.url);
const THREAD = "The thread that reads strangers' sites";
const EFFECT = "What it was reading counts as unreachable; the next site starts another.";

export interface ApartOptions extends ApartData {
  /** Is told why a thread has ended before its time. */
  readonly onWarning: Warn;
  /** The thread's file. Default: the one that reaches the public internet alone. */
  readonly thread?: URL;
  /** Milliseconds until a thread without an answer is ended. Default 20,000. */
  readonly answersWithinMs?: number;
}

export interface FetchingApart {
  readonly favicons: Favicons;
  readonly images: ImageFetcher;
  close(): Promise<void>;
}

/**
 * Fetches strangers' URLs in a separate thread. A site's certificates, handshakes and records can block for any length of time; they then
 * block this thread alone. A thread that does not answer is ended with everything it was asked, and the next question starts another.
 */
export function fetchApart(options: ApartOptions): FetchingApart {
  const thread = new FetchingThread(options);
  return {
    favicons: {
      async find(page, signal) {
        const answer = await thread.ask("icon", page, signal);
        if (answer?.what !== "icon") return { kind: "unreachable", reason: GIVEN_UP };
        const { finding } = answer;
        return finding.kind === "found"
          ? { kind: "found", icon: { ...finding.icon, bytes: Buffer.from(finding.icon.bytes) } }
          : finding;
      },
    },
    images: {
      async fetch(address, signal) {
        const answer = await thread.ask("image", address, signal);
        if (answer?.what !== "image") return { kind: "unreachable", reason: GIVEN_UP };
        const { finding } = answer;
        return finding.kind === "found" ? { ...finding, bytes: Buffer.from(finding.bytes) } : finding;
      },
    },
    close: () => thread.close(),
  };
}

class FetchingThread {
  readonly #options: ApartOptions;
  /** Open questions by id. Called with null if the thread ends first. */
  readonly #waiting = new Map<number, (answer: Answer | null) => void>();
  #worker: Worker | null = null;
  #lastId = 0;

  constructor(options: ApartOptions) {
    this.#options = options;
  }

  /** Null where the thread was ended. Throws the reason of `signal`, or what the fetch threw. */
  async ask(what: "icon" | "image", address: URL, signal: AbortSignal): Promise<Answer | null> {
    signal.throwIfAborted();
    this.#worker ??= this.#start();
    const worker = this.#worker;
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<Answer | null>();
    this.#waiting.set(id, resolve);
    const stop = () => {
      worker.postMessage({ id, what: "stop" } satisfies Question);
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
    const { onWarning, answersWithinMs = ANSWERS_WITHIN_MS } = this.#options;
    const timer = setTimeout(() => {
      onWarning(`${THREAD} is ended: it has not answered for ${answersWithinMs} ms. ${EFFECT}`);
      void worker.terminate();
    }, answersWithinMs);
    worker.postMessage({ id, what, address: address.href } satisfies Question);
    try {
      const answer = await promise;
      if (answer?.what === "failure") throw new Error(answer.message);
      return answer;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      this.#waiting.delete(id);
    }
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const { onWarning, contact, maxImageBytes, thread = THREAD_FILE } = this.#options;
    const workerData: ApartData = { contact, maxImageBytes };
    const worker = new Worker(thread, { workerData, resourceLimits: LIMITS });
    worker.unref();
    worker.on("message", (answer: Answer) => this.#waiting.get(answer.id)?.(answer));
    worker.on("error", ({ message }) => onWarning(`${THREAD} has failed: ${message}. ${EFFECT}`));
    worker.on("exit", () => {
      if (this.#worker === worker) this.#worker = null;
      for (const answer of this.#waiting.values()) answer(null);
    });
    return worker;
  }
}
