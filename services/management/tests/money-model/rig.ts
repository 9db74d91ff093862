import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { pino } from "pino";
import { afterAll } from "vitest";
import { z } from "zod";
import { createTestDatabase } from "#libs/database/testing.ts";
import { readMail } from "#libs/mail/testing.ts";
import { startSandbox } from "#libs/payment-sandbox/index.ts";
import { freePort, listenOnLoopback } from "#libs/process/ports.ts";
import { queueReconciliation } from "../../billing/reconciliation/runs.ts";
import { ApiCaller } from "../callers.ts";
import { startManagement } from "../management.ts";
import { SECRET_KEY, WEBHOOK_SECRET } from "../processor.ts";
import type { RecordedEvent } from "../recorded-events.ts";
import { deliver } from "../webhook-story.ts";

/** How the webhooks of a step arrive. `lost` are made up for by a comparison with the processor. */
export const ARRIVALS = ["prompt", "doubled and shuffled", "lost", "late"] as const;
export type Arrival = (typeof ARRIVALS)[number];

const LONGEST_MOVE = 1_096 * 86_400;
const STUCK_AFTER_MS = 60_000;
const MOVED = "test_helpers.test_clock.ready";
const BUSY = `
  select task_identifier, attempts, last_error from graphile_worker.jobs
  where run_at <= now() or attempts > 0 or task_identifier = 'snapshot'`;

/**
 * The service with a sandbox whose time passes only when a step says so: the machine's clock has to stand still for both, so that
 * a seed's history is the same in every run, to the second.
 */
export async function startRig(trialDays: number | null, startsAt: number) {
  const folder = await mkdtemp(join(tmpdir(), "placard-money-"));
  const publicUrl = new URL(`http://127.0.0.1:${await freePort()}`);
  const logger = pino({ level: "silent" });
  const sandbox = await startSandbox({
    stateFile: join(folder, "sandbox.db"),
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    publicUrl,
    logger,
  });
  const received: RecordedEvent[] = [];
  const receiver = createServer((request, response) => {
    void text(request).then((body) => {
      received.push(JSON.parse(body));
      response.end();
    });
  });
  const receiverPort = await listenOnLoopback(receiver);
  afterAll(async () => {
    await sandbox.close();
    receiver.closeAllConnections();
    receiver.close();
    await rm(folder, { recursive: true, force: true });
  });
  sandbox.deliverTo(`http://127.0.0.1:${receiverPort}/`);
  const database = await createTestDatabase();
  const outbox = join(folder, "outbox");
  const service = await startManagement({
    unlimited: true,
    stats: "real",
    beside: { database, outbox, sandbox },
    sales: { trialDays },
    workspacesPerPerson: 1000,
  });
  const { origin } = service;
  const anybody = new ApiCaller(origin);
  let taken = 0;
  const late: RecordedEvent[] = [];
  const letters = new Map<string, string[]>();

  const now = () => Math.round((Date.now() + sandbox.clockAhead()) / 1000);

  /** Waits until nothing is left. Throws if it does not become less for a while; how long all of it takes is the machine's. */
  async function untilDone(what: string, countLeft: () => Promise<number> | number): Promise<void> {
    let fewest = Number.POSITIVE_INFINITY;
    let since = performance.now();
    for (let left = await countLeft(); left > 0; left = await countLeft()) {
      if (left < fewest) {
        fewest = left;
        since = performance.now();
      }
      if (performance.now() - since > STUCK_AFTER_MS)
        throw new Error(`${what}: ${left} left, and none done for a minute.`);
      await wait(10);
    }
  }

  /** Moves the sandbox's clock; the sandbox tells of it last, after all that became due. */
  async function move(seconds: number): Promise<void> {
    for (let target = now() + seconds; now() < target; ) {
      const { status, text: said } = await anybody.request("POST", "/sandbox/clock/advance", {
        seconds: Math.min(target - now(), LONGEST_MOVE),
      });
      if (status !== 200) throw new Error(`the clock answered ${status}: ${said}`);
    }
  }

  await move(startsAt - now());
  const marker = await openMarker();

  /** Another subscription at the processor, whose changes come after the events of everything before. */
  async function openMarker() {
    const { stripe } = service.processor;
    const product = await stripe.products.create({ name: "Marker" });
    const price = await stripe.prices.create({
      product: product.id,
      currency: "usd",
      unit_amount: 0,
      recurring: { interval: "year", interval_count: 3 },
    });
    const session = await stripe.checkout.sessions.create({
      mode: "subscription",
      line_items: [{ price: price.id, quantity: 1 }],
      success_url: "https://elsewhere.example",
      payment_method_collection: "if_required",
    });
    await anybody.request("POST", `/sandbox/checkout/${session.id}/complete`, {
      email: "marker@example.com",
      name: "Marker",
    });
    const { subscription } = await stripe.checkout.sessions.retrieve(session.id);
    return { id: String(subscription), count: 0 };
  }

  /** The events that have been sent since the last time, once all are here. */
  async function newEvents(): Promise<RecordedEvent[]> {
    marker.count += 1;
    const mark = String(marker.count);
    await service.processor.stripe.subscriptions.update(marker.id, { metadata: { mark } });
    const isMarked = () => JSON.stringify(received.at(-1) ?? null).includes(`"mark":"${mark}"`);
    await untilDone("Webhooks", () => (isMarked() ? 0 : 1));
    const events = received.slice(taken).filter((event) => !JSON.stringify(event).includes(marker.id));
    taken = received.length;
    return events;
  }

  async function jobsEnd(): Promise<void> {
    const failure = { last: "" };
    await untilDone("Jobs", async () => {
      const { rows } = await database.pool.query(BUSY);
      failure.last = rows.map((row) => `${row.task_identifier} ${row.last_error}`).join("; ");
      if (rows.some(({ attempts, last_error }) => attempts >= 3 && last_error !== null)) {
        throw new Error(`A job fails: ${failure.last}`);
      }
      if (rows.length > 0 && rows.every(({ last_error }) => last_error !== null)) {
        await database.pool.query(
          "update graphile_worker._private_jobs set run_at = now() where locked_at is null and run_at > now() and attempts > 0",
        );
      }
      return rows.length;
    });
  }

  async function deliverAll(events: readonly RecordedEvent[]): Promise<void> {
    const answers = await Promise.all(events.map((event) => deliver(service, event)));
    const refused = answers.find(({ status }) => status !== 200);
    if (refused !== undefined) throw new Error(`a webhook was answered ${refused.status}: ${refused.text}`);
    await jobsEnd();
  }

  /** Delivers what the processor has sent until nothing more comes of it. */
  async function settle(arrival: Arrival, random: () => number): Promise<void> {
    if (arrival !== "late") await deliverAll(late.splice(0));
    let isLost = false;
    for (;;) {
      await jobsEnd();
      const events = await newEvents();
      if (events.length === 0) break;
      if (arrival === "prompt") for (const event of events) await deliverOne(event);
      else if (arrival === "late") late.push(...events.filter(({ type }) => type !== MOVED));
      else if (arrival === "doubled and shuffled") {
        const twice = events.flatMap((event) => (random() < 0.4 ? [event, event] : [event]));
        await deliverAll(
          twice
            .map((event) => ({ event, at: random() }))
            .sort((a, b) => a.at - b.at)
            .map(({ event }) => event),
        );
      } else isLost ||= events.some(({ type }) => type !== MOVED);
      if (arrival === "lost" || arrival === "late")
        await deliverAll(events.filter(({ type }) => type === MOVED));
    }
    if (isLost) {
      await queueReconciliation(database.db);
      // What it finds to do at the processor is told by webhooks that arrive.
      await settle("prompt", random);
    } else await jobsEnd();
    await takeMails();
  }

  async function deliverOne(event: RecordedEvent): Promise<void> {
    const { status, text: said } = await deliver(service, event);
    if (status !== 200) throw new Error(`a webhook was answered ${status}: ${said}`);
  }

  /** Takes the mails out of the outbox, which would forget some: it has room for 500, and all of them are of the same second. */
  async function takeMails(): Promise<void> {
    for (const name of (await readdir(outbox)).filter((file) => file.endsWith(".eml"))) {
      const { to, subject } = await readMail(await readFile(join(outbox, name), "utf8"));
      letters.set(to, [...(letters.get(to) ?? []), subject]);
      await rm(join(outbox, name));
    }
  }

  /** The subjects of the mails to that address so far. */
  function mailsTo(email: string): readonly string[] {
    return letters.get(email) ?? [];
  }

  async function setAfterRetries(afterRetries: string): Promise<void> {
    await anybody.request("POST", "/sandbox/settings", { afterRetries });
  }

  /** A form of the sandbox's pages, sent by a program. */
  async function post(path: string, body: object) {
    const { status, text: said } = await anybody.request("POST", path, body);
    return {
      status,
      body: z
        .record(z.string(), z.unknown())
        .catch({})
        .parse(JSON.parse(said || "{}")),
    };
  }

  return { service, now, move, settle, mailsTo, setAfterRetries, post, anybody, trialDays };
}

export type Rig = Awaited<ReturnType<typeof startRig>>;
