import { type ClientRequest, request as httpRequest } from "node:http";
import { vi } from "vitest";
import { z } from "zod";
import { type EventsAnswer, eventsAnswer } from "#libs/contract/server-events.ts";
import { newApiKey } from "#libs/contract/workspaces.ts";
import type { Publisher } from "../../management/tests/story.ts";

const EVENTS = 1_000;
const HOUR_MS = 3_600_000;
const ANSWER_WITHIN_MS = 30_000;
/** A process has to start again on a busy machine, and to find its engines. */
const ANSWERED = { timeout: 120_000, interval: 200 };
const done = z.object({ success: z.literal(true) });

/** One request of a publisher's server: 1,000 events, of which ten are bad. */
export interface ServerRequest {
  readonly path: string;
  /** The tracking key. */
  readonly key: string;
  readonly idempotencyKey: string;
  readonly body: string;
}

/** What every answer to a request says. */
export const ACCEPTED: EventsAnswer = {
  accepted: EVENTS - 10,
  refused: Array.from({ length: 10 }, (_, n) => ({ index: 100 * n + 50, code: "invalid_kind" as const })),
};

/** What a request counts. */
export const COUNTED = { impressions: 800, clicks: 190 };

/** Makes a tracking key, and requests with it. */
export async function aServer({ person, path }: Publisher) {
  const { id, key } = await person.caller.ok(newApiKey, "POST", `${path}/tracking-keys`, { name: "Server" });
  let made = 0;

  return {
    key,
    /** Events of visitors of their own: in no order within an hour, or with the time of each attempt. */
    aRequest(adId: string, isTimed: boolean): ServerRequest {
      made += 1;
      const name = `request-${made}`;
      const now = Date.now();
      const events = Array.from({ length: EVENTS }, (_, n) => ({
        adId,
        kind: n % 100 === 50 ? "view" : n % 5 === 0 && n % 100 !== 50 ? "click" : "impression",
        visitorId: `${name}, visitor ${n}`,
        ...(isTimed ? { occurredAt: new Date(now - ((n * 7_919_000) % HOUR_MS)).toISOString() } : {}),
      }));
      return { path: `${path}/events`, key, idempotencyKey: name, body: JSON.stringify({ events }) };
    },
    /** Serving learns of it a moment later. */
    async revoke(): Promise<void> {
      await person.caller.ok(done, "DELETE", `${path}/tracking-keys/${id}`);
    },
  };
}

/** Sends it once. Rejects when there is no answer. */
export function send(origin: string, request: ServerRequest): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = begin(origin, request);
    outgoing.once("error", reject);
    outgoing.once("response", (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.once("error", reject);
      response.once("end", () => resolve({ status: response.statusCode ?? 0, text }));
      response.once("aborted", () => reject(new Error("the answer was cut off")));
    });
    outgoing.end(request.body);
  });
}

/** Repeats it until it is answered with 200, as a server does that has to be sure. */
export async function sendUntilAccepted(origin: string, request: ServerRequest): Promise<EventsAnswer> {
  return await vi.waitFor(async () => {
    const { status, text } = await send(origin, request);
    if (status !== 200) throw new Error(`answered ${status}: ${text}`);
    return eventsAnswer.strict().parse(JSON.parse(text));
  }, ANSWERED);
}

/** Sends half of it, and the rest never: calls `then`, and hangs up. */
export function sendHalf(origin: string, request: ServerRequest, then: () => Promise<void>): Promise<void> {
  const { body } = request;
  return new Promise((resolve, reject) => {
    const outgoing = begin(origin, request);
    outgoing.on("error", () => resolve());
    outgoing.write(body.slice(0, body.length / 2), () => {
      then().then(() => {
        outgoing.destroy();
        resolve();
      }, reject);
    });
  });
}

/** Sends all of it and hangs up, so that whatever is answered is lost. */
export function sendAndHangUp(origin: string, request: ServerRequest): Promise<void> {
  return new Promise((resolve) => {
    const outgoing = begin(origin, request);
    outgoing.on("error", () => resolve());
    outgoing.end(request.body, () => {
      outgoing.destroy();
      resolve();
    });
  });
}

/** A connection for each request, so that none is kept to a process that is gone. */
function begin(origin: string, { path, key, idempotencyKey, body }: ServerRequest): ClientRequest {
  return httpRequest(`${origin}${path}`, {
    method: "POST",
    agent: false,
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "idempotency-key": idempotencyKey,
    },
  });
}
