import * as http from "node:http";
import * as https from "node:https";
import type { Request } from "autocannon";
import type { z } from "zod";
import type { LoadResult, load } from "./load.ts";
import { percentile } from "./statistics.ts";

const TIMEOUT_MS = 10_000;
const TICK_MS = 1;
/** So much of a load is not timed, because connections are made in it and programs compiled: one stall of theirs is 1 % of 5 s. */
const UNTIMED_SHARE = 0.2;
/** Beyond them nothing more is sent: whoever cannot keep up by so much has been measured. */
const MOST_UNDER_WAY = 10_000;

type Asked = Pick<
  z.output<typeof load>,
  "origin" | "connections" | "duration" | "expectBody" | "expectStatus"
> & { readonly rate: number };

/**
 * Sends the requests in turn, one each `1 / rate` seconds whatever the answers take, and times each from when it was due, so
 * that a server that falls behind cannot slow down what it is measured by. autocannon has no such pace: it sends a
 * second's requests at once, and measures the queue that it has made. What cannot be sent counts as failed.
 */
export async function sendPaced(ask: Asked, requests: readonly Request[]): Promise<LoadResult> {
  const { rate, duration, connections } = ask;
  const { protocol } = new URL(ask.origin);
  const { Agent, request: open } = protocol === "https:" ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const total = Math.max(1, Math.floor(rate * duration));
  const times: number[] = [];
  let answered = 0;
  const underWay = new Set<Promise<void>>();
  let failed = 0;
  const started = performance.now();
  const timedFrom = started + duration * UNTIMED_SHARE * 1000;

  function send(due: number, { method = "GET", path = "/", headers = {} }: Request): Promise<void> {
    return new Promise((resolve) => {
      const end = (isSound: boolean) => {
        if (isSound) answered += 1;
        else failed += 1;
        if (isSound && due >= timedFrom) times.push(performance.now() - due);
        resolve();
      };
      const request = open(
        `${ask.origin}${path}`,
        { method, headers, agent, timeout: TIMEOUT_MS },
        (response) => {
          let body = "";
          response.setEncoding("utf8").on("data", (text: string) => {
            body += text;
          });
          response.once("error", () => end(false));
          response.once("end", () => end(isExpected(ask, response.statusCode, body)));
        },
      );
      request.once("timeout", () => request.destroy(new Error("no answer in time")));
      request.once("error", () => end(false));
      request.end();
    });
  }

  const cpu = process.cpuUsage();
  let next = 0;
  await new Promise<void>((resolve) => {
    const tick = setInterval(() => {
      const isDue = Math.min(total, Math.floor(((performance.now() - started) / 1000) * rate) + 1);
      for (; next < isDue; next += 1) {
        const request = requests[next % requests.length];
        if (request === undefined || underWay.size >= MOST_UNDER_WAY) {
          failed += 1;
          continue;
        }
        const sent = send(started + (next / rate) * 1000, request).finally(() => underWay.delete(sent));
        underWay.add(sent);
      }
      if (next < total) return;
      clearInterval(tick);
      resolve();
    }, TICK_MS);
  });
  await Promise.all(underWay);
  agent.destroy();

  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const ms = (share: number) => (times.length === 0 ? 0 : percentile(times, share));
  return {
    answered,
    sent: total,
    failed,
    seconds,
    perSecond: answered / seconds,
    p50: ms(0.5),
    p90: ms(0.9),
    p99: ms(0.99),
    p999: ms(0.999),
    clientBusy: (user + system) / 1e6 / seconds,
  };
}

function isExpected({ expectBody, expectStatus }: Asked, status = 0, body: string): boolean {
  return (
    String(status).startsWith(expectStatus.charAt(0)) && (expectBody === undefined || body === expectBody)
  );
}
