import { setTimeout as wait } from "node:timers/promises";
import { processEnvironment } from "#libs/config/environment.ts";
import { type Answer, type Asker, openAsker, type Question } from "#libs/testing/ask.ts";
import { sentEvent } from "./sent-event.ts";
import type { SentLog } from "./sent-log.ts";

const TICK_MS = 10;
const ANSWER_WITHIN_MS = 10_000;
/** Connections to one process. Nothing waits in the client: what finds no connection free is sent later. */
const CONNECTIONS = 1_500;
/** Delays after which a failed impression is sent again, as `libs/embed/client.ts` does. */
const RETRY_AFTER_MS = [1_000, 3_000];
/** A twin follows after any of these times, by the event's number. */
const TWIN_STEP_MS = 37;
const TWIN_WITHIN_MS = 1_000;
/** The most that is caught up on after a pause of this process itself. */
const MOST_BEHIND_MS = 200;

export interface LoadOptions {
  /** The serving processes, asked in turn. */
  readonly origins: readonly string[];
  readonly workspaceId: string;
  readonly adIds: readonly string[];
  readonly sentLog: SentLog;
  readonly eventsPerSecond?: number;
  readonly looksPerSecond?: number;
}

export interface Load {
  /** From now on sends this share of impressions to another process as well, within a second. */
  sendTwins(share: number): void;
  /** Sends nothing more and waits until everything that was sent has an end. May be called again. */
  stop(): Promise<void>;
}

/** All impressions and clicks together. A machine that is busy with something else is given fewer by the environment. */
export const EVENTS_PER_SECOND = Number(processEnvironment().FAULTS_EVENTS_PER_SECOND || 2_200);
const LOOKS_PER_SECOND = 60;

/**
 * Sends events and asks for ads at a steady rate, whatever the answers: a slow service gets no fewer requests. Each
 * event has a visitor of its own, named by `X-Forwarded-For`, so the installation has to trust this machine. An impression
 * that fails is sent again as the embed does; a click is not, which browsers send by a beacon.
 */
export function startLoad(options: LoadOptions): Load {
  const { origins, workspaceId, adIds, sentLog } = options;
  const clients = origins.map((origin) => new Client(origin));
  let turn = 0;
  /** Events that have no end yet, those that wait for their next try among them. */
  let reporting = 0;
  const nextClient = () => clients[turn++ % clients.length];

  let twinShare = 0;

  /** The same event once more, as by a visitor's second tab. It is not retried. */
  async function sendTwin(number: number, question: Question, first: Client): Promise<void> {
    sentLog.sendTwin(number);
    await wait((number * TWIN_STEP_MS) % TWIN_WITHIN_MS);
    const other = clients.find((client) => client !== first) ?? first;
    const sentAt = Date.now();
    sentLog.settleTwin(number, sentAt, fateOf(await other.send(question)) === "promised");
  }

  /** False where nothing was sent, as the process's connections are busy. */
  function sendEvent(): boolean {
    const client = nextClient();
    if (client === undefined || client.isBusy) return false;
    const number = sentLog.send();
    const { adId, kind, address, userAgent } = sentEvent(number, adIds);
    const headers = { "x-forwarded-for": address, "user-agent": userAgent };
    const question: Question = { method: "POST", path: `/v1/ads/${adId}/${kind}s`, headers };
    const pauses = kind === "impression" ? RETRY_AFTER_MS : [];
    if (kind === "impression" && number % 100 < twinShare * 100) {
      reporting += 1;
      void sendTwin(number, question, client).finally(() => {
        reporting -= 1;
      });
    }
    reporting += 1;
    void report(client, number, question, pauses).finally(() => {
      reporting -= 1;
    });
    return true;
  }

  /** Each try may go to another process, as behind a proxy. */
  async function report(
    first: Client,
    number: number,
    question: Question,
    pauses: readonly number[],
  ): Promise<void> {
    let fate = fateOf(await first.send(question));
    for (const pause of pauses) {
      if (fate === "promised" || fate === "refused") break;
      await wait(pause);
      sentLog.retry(number);
      fate = fateOf(await (nextClient() ?? first).send(question));
    }
    sentLog.settle(number, fate);
  }

  let looks = 0;
  function look(): boolean {
    const sentAt = Date.now();
    const path = `/v1/workspaces/${workspaceId}/ads/serving?count=${1 + (looks++ % adIds.length)}`;
    void nextClient()
      ?.send({ method: "GET", path })
      .then((answer) => {
        sentLog.recordAdRequest(sentAt, answer?.status === 200 && answer.body.startsWith('{"ads":[{'));
      });
    return true;
  }

  const paces = [
    pace(options.eventsPerSecond ?? EVENTS_PER_SECOND, sendEvent),
    pace(options.looksPerSecond ?? LOOKS_PER_SECOND, look),
  ];
  return {
    sendTwins(share) {
      twinShare = share;
    },
    async stop() {
      for (const end of paces) end();
      while (reporting > 0 || clients.some(({ underWay }) => underWay > 0)) await wait(10);
      await Promise.all(clients.map((client) => client.close()));
    },
  };
}

function fateOf(answer: Answer | undefined): "promised" | "refused" | "unavailable" | "broken" {
  if (answer === undefined) return "broken";
  if (answer.status !== 200) return "unavailable";
  return answer.body === '{"success":true}' ? "promised" : "refused";
}

/** Calls `send` this often; calls that it refuses are left for the next tick. */
function pace(perSecond: number, send: () => boolean): () => void {
  const behind = (MOST_BEHIND_MS / 1000) * perSecond;
  let due = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    due = Math.min(due + ((now - last) / 1000) * perSecond, behind);
    last = now;
    for (; due >= 1 && send(); due -= 1);
  }, TICK_MS);
  return () => clearInterval(timer);
}

/** The connections to one process. */
class Client {
  underWay = 0;
  readonly #asker: Asker;

  constructor(origin: string) {
    this.#asker = openAsker(origin, { connections: CONNECTIONS, timeoutMs: ANSWER_WITHIN_MS });
  }

  get isBusy(): boolean {
    return this.underWay >= CONNECTIONS;
  }

  async send(question: Question): Promise<Answer | undefined> {
    this.underWay += 1;
    const answer = await this.#asker.ask(question);
    this.underWay -= 1;
    return answer;
  }

  async close(): Promise<void> {
    await this.#asker.close();
  }
}
