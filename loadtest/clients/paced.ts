import { setTimeout as wait } from "node:timers/promises";
import type { z } from "zod";
import { type Answer, openAsker, type Question } from "#libs/testing/ask.ts";
import { percentiles } from "../measure/statistics.ts";
import type { LoadResult, load } from "./load.ts";

const TIMEOUT_MS = 10_000;
const TICK_MS = 1;
/** The untimed start of a load, in which connections are made and programs compiled: one stall of theirs is 1 % of 5 s. */
const UNTIMED_SHARE = 0.2;
/** The most open requests: a server that falls this far behind has been measured. */
const MOST_UNDER_WAY = 10_000;

type Asked = Pick<
  z.output<typeof load>,
  "origin" | "connections" | "duration" | "expectBody" | "expectStatus"
>;

/**
 * Sends the requests that `questionAt` has for 0, 1, 2, ..., one each `1 / rate` seconds whatever the answers take, and times
 * each from when it was due, so that a server that falls behind cannot slow down what it is measured by. autocannon has no
 * such pace: it sends a second's requests at once, and measures the queue that it has made. What cannot be sent counts as failed.
 */
export async function sendPaced(
  load: Asked,
  rate: number,
  questionAt: (nth: number) => Question,
): Promise<LoadResult> {
  const { origin, duration, connections } = load;
  const { ask, close } = openAsker(origin, { connections, timeoutMs: TIMEOUT_MS });
  const total = Math.max(1, Math.floor(rate * duration));
  const times: number[] = [];
  const lateness: number[] = [];
  const underWay = new Set<Promise<void>>();
  let answered = 0;
  const cpu = process.cpuUsage();
  const started = performance.now();
  const timedFrom = started + duration * UNTIMED_SHARE * 1000;

  async function send(nth: number): Promise<void> {
    const due = started + (nth / rate) * 1000;
    const isTimed = due >= timedFrom;
    if (isTimed) lateness.push(performance.now() - due);
    if (!isExpected(load, await ask(questionAt(nth)))) return;
    answered += 1;
    if (isTimed) times.push(performance.now() - due);
  }

  for (let next = 0; next < total; await wait(TICK_MS)) {
    const passed = (performance.now() - started) / 1000;
    for (const due = Math.min(total, Math.floor(passed * rate) + 1); next < due; next += 1) {
      if (underWay.size >= MOST_UNDER_WAY) continue;
      const sending = send(next).finally(() => underWay.delete(sending));
      underWay.add(sending);
    }
  }
  await Promise.all(underWay);

  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  await close();
  const [p50 = 0, p90 = 0, p99 = 0, p999 = 0] = percentiles(
    times.length === 0 ? [0] : times,
    [0.5, 0.9, 0.99, 0.999],
  );
  const [lateP99 = 0] = percentiles(lateness, [0.99]);
  return {
    answered,
    sent: total,
    failed: total - answered,
    seconds,
    perSecond: answered / seconds,
    p50,
    p90,
    p99,
    p999,
    lateP99,
    clientBusy: (user + system) / 1e6 / seconds,
  };
}

function isExpected({ expectBody, expectStatus }: Asked, answer: Answer | undefined): boolean {
  if (answer === undefined || !String(answer.status).startsWith(expectStatus.charAt(0))) return false;
  return expectBody === undefined || answer.body === expectBody;
}
