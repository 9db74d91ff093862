import http from "node:http";
import https from "node:https";
import { setTimeout as wait } from "node:timers/promises";
import type { Request } from "autocannon";
import type { z } from "zod";
import { type Answer, ask } from "#libs/testing/ask.ts";
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
>;

/**
 * Sends the requests in turn, one each `1 / rate` seconds whatever the answers take, and times each from when it was due, so
 * that a server that falls behind cannot slow down what it is measured by. autocannon has no such pace: it sends a
 * second's requests at once, and measures the queue that it has made. What cannot be sent counts as failed.
 */
export async function sendPaced(
  load: Asked,
  rate: number,
  requests: readonly Request[],
): Promise<LoadResult> {
  const { origin, duration, connections } = load;
  const { Agent } = origin.startsWith("https:") ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const total = Math.max(1, Math.floor(rate * duration));
  const timed: number[] = [];
  const underWay = new Set<Promise<void>>();
  let answered = 0;
  const cpu = process.cpuUsage();
  const started = performance.now();
  const timedFrom = started + duration * UNTIMED_SHARE * 1000;

  async function send(
    { method = "GET", path = "/", headers = {}, body }: Request,
    due: number,
  ): Promise<void> {
    const question = {
      method,
      headers,
      agent,
      timeoutMs: TIMEOUT_MS,
      ...(body === undefined ? {} : { body }),
    };
    if (!isExpected(load, await ask(`${origin}${path}`, question))) return;
    answered += 1;
    if (due >= timedFrom) timed.push(performance.now() - due);
  }

  for (let sent = 0; sent < total; await wait(TICK_MS)) {
    const passed = (performance.now() - started) / 1000;
    for (const due = Math.min(total, Math.floor(passed * rate) + 1); sent < due; sent += 1) {
      const request = requests[sent % requests.length];
      if (request === undefined || underWay.size >= MOST_UNDER_WAY) continue;
      const sending = send(request, started + (sent / rate) * 1000).finally(() => underWay.delete(sending));
      underWay.add(sending);
    }
  }
  await Promise.all(underWay);
  agent.destroy();

  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const ms = (share: number) => (timed.length === 0 ? 0 : percentile(timed, share));
  return {
    answered,
    sent: total,
    failed: total - answered,
    seconds,
    perSecond: answered / seconds,
    p50: ms(0.5),
    p90: ms(0.9),
    p99: ms(0.99),
    p999: ms(0.999),
    clientBusy: (user + system) / 1e6 / seconds,
  };
}

function isExpected({ expectBody, expectStatus }: Asked, answer: Answer | undefined): boolean {
  if (answer === undefined || !String(answer.status).startsWith(expectStatus.charAt(0))) return false;
  return expectBody === undefined || answer.body === expectBody;
}
