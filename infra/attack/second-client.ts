import { Worker } from "node:worker_threads";

/** Another client that uses the service during an attack, from its own thread. */
export interface SecondClient {
  /** The longest that they have waited since the last call, in milliseconds. */
  takeLongestWait(): number;
  /** How many answers they have had. */
  answers(): number;
  close(): Promise<void>;
}

/** Sends a request every few milliseconds, one after the other, until it gets the message to stop. */
const BODY = `
const { workerData } = require("node:worker_threads");
const { get, Agent } = require("node:http");
const { shared, url } = workerData;
const waits = new Float64Array(shared);
const agent = new Agent({ keepAlive: true });
function ask() {
  const begin = performance.now();
  const done = () => {
    waits[0] = Math.max(waits[0], performance.now() - begin);
    waits[1] += 1;
    setTimeout(ask, 5);
  };
  get(url, { agent }, (response) => response.resume().once("end", done)).once("error", done);
}
ask();
`;

/** Starts a client that asks for `url` all the time. */
export async function startSecondClient(url: string): Promise<SecondClient> {
  const shared = new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT);
  const waits = new Float64Array(shared);
  const worker = new Worker(BODY, { eval: true, workerData: { shared, url } });
  return {
    takeLongestWait() {
      const longest = waits[0] ?? 0;
      waits[0] = 0;
      return longest;
    },
    answers: () => waits[1] ?? 0,
    close: async () => {
      await worker.terminate();
    },
  };
}
