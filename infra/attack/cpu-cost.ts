import { readFileSync } from "node:fs";
import type { Installation } from "../../services/standalone/tests/installation.ts";
import { type RawRequest, sendRaw } from "./raw-request.ts";

/** Linux counts the time of processes in hundredths of a second. */
const TICK_MS = 10;
/** Enough ticks that the last one matters little. */
const MEASURED_MS = 200;
const FEWEST = 4;
const MOST = 4_000;
const AT_ONCE = 4;
/** `GET`, the version of HTTP and a host. */
const FEWEST_BYTES = 40;
/** ClickHouse works in the background for nobody's request. */
const NOT_COUNTED = /^clickhouse/i;

/** What one request cost, on average. */
export interface Cost {
  /** Milliseconds of CPU in the installation's processes. */
  readonly cpuMs: number;
  readonly status: number;
  /** Bytes of the last answer without its headers, and of the last request with the shortest headers that there are. */
  readonly answered: number;
  readonly sent: number;
}

/** Measures requests by the CPU time of an installation's processes, which other processes on the machine do not add to. */
export class CostMeter {
  readonly #installation: Installation & { readonly url: string };
  #sent = 0;

  constructor(installation: Installation & { readonly url: string }) {
    this.#installation = installation;
  }

  /** Sends the request until it has taken enough CPU, twice: the first time is the compiler's. `make` gets a number that no other request had. */
  async measure(make: (n: number) => RawRequest): Promise<Cost> {
    await this.#measureOnce(make);
    return await this.#measureOnce(make);
  }

  async #measureOnce(make: (n: number) => RawRequest): Promise<Cost> {
    const before = this.#cpu();
    let requests = 0;
    let spent = 0;
    let last: Omit<Cost, "cpuMs"> = { status: 0, answered: 0, sent: 0 };
    while ((spent < MEASURED_MS || requests < FEWEST) && requests < MOST) {
      const batch = requests === 0 ? FEWEST : Math.min(2 * requests, 200);
      last = await this.#send(make, batch);
      requests += batch;
      spent = 0;
      for (const [pid, ms] of this.#cpu()) spent += ms - (before.get(pid) ?? 0);
    }
    return { cpuMs: spent / requests, ...last };
  }

  /** The CPU time of each process so far, in milliseconds. */
  #cpu(): Map<number, number> {
    const counted = this.#installation.tree().filter(({ name }) => !NOT_COUNTED.test(name));
    return new Map(counted.map(({ pid }) => [pid, ticksOf(pid) * TICK_MS]));
  }

  async #send(make: (n: number) => RawRequest, count: number): Promise<Omit<Cost, "cpuMs">> {
    let left = count;
    let last = { status: 0, answered: 0, sent: 0 };
    const sender = async () => {
      while (left > 0) {
        left -= 1;
        this.#sent += 1;
        const n = this.#sent;
        const made = make(n);
        // Each from a network of its own, so that no limit answers instead.
        const headers = { "x-forwarded-for": addressOf(n), "user-agent": "Firefox/140.0", ...made.headers };
        const answer = await sendRaw(this.#installation.url, { ...made, headers });
        const sent = FEWEST_BYTES + Buffer.byteLength(made.target) + Buffer.byteLength(made.body ?? "");
        last = { status: answer.status, answered: Buffer.byteLength(answer.text), sent };
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, sender));
    return last;
  }
}

function addressOf(n: number): string {
  return `11.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
}

/** 0 for a process that has ended. */
function ticksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name is in brackets and may have spaces; user and system time are the 12th and 13th word after it.
    const words = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(words[11]) + Number(words[12]);
  } catch {
    return 0;
  }
}
