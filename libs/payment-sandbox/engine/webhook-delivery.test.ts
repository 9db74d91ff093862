import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Inbox, openInbox, WEBHOOK_SECRET } from "#libs/payments/tests/running-sandbox.ts";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { openState, type State } from "./state.ts";
import { createWebhookDelivery, type WebhookDelivery } from "./webhook-delivery.ts";

let folder: string;
let state: State;
let delivery: WebhookDelivery;
let inbox: Inbox | undefined;
const said: string[] = [];

beforeEach(async () => {
  folder = await aFolder();
  state = openState(join(folder, "payments.db"));
  const logger = pino({ level: "error" }, { write: (line: string) => void said.push(line) });
  delivery = createWebhookDelivery(state.events, WEBHOOK_SECRET, logger, { first: 5, longest: 20, most: 20 });
});

afterEach(async () => {
  await delivery.close();
  await inbox?.close();
  state.close();
  said.length = 0;
});

/** The oldest event that is queued, whenever it is due. */
function waiting() {
  return state.events.next(Number.MAX_SAFE_INTEGER);
}

/** All bytes of the state's files. */
async function readStored(): Promise<[string, string][]> {
  const names = (await readdir(folder)).toSorted();
  return Promise.all(
    names.map(
      async (name): Promise<[string, string]> => [
        name,
        (await readFile(join(folder, name))).toString("base64"),
      ],
    ),
  );
}

function queue(id: string): void {
  const event = { id, object: "event", type: "customer.created", created: 1, data: { object: {} } };
  state.events.add(id, JSON.stringify(event));
}

it("sends what is queued while it is busy", async () => {
  inbox = await openInbox((attempt) => {
    if (attempt === 1) {
      queue("evt_second");
      delivery.wake();
    }
    return 200;
  });
  queue("evt_first");

  delivery.deliverTo(inbox.url);

  await vi.waitUntil(() => inbox?.events.length === 2, 20_000);
  expect(inbox.events.map(({ id }) => id)).toEqual(["evt_first", "evt_second"]);
  await vi.waitUntil(() => waiting() === undefined, 20_000);
});

it("sends again what was not taken", async () => {
  inbox = await openInbox((attempt) => (attempt < 3 ? 500 : 200));
  queue("evt_late");

  delivery.deliverTo(inbox.url);

  await vi.waitUntil(() => inbox?.events.length === 1, 20_000);
  expect(inbox.events[0]).toMatchObject({ id: "evt_late" });
});

it("writes nothing while an event is not taken, so that it cannot wait for a disk that does not answer", async () => {
  let attempts = 0;
  inbox = await openInbox(() => {
    attempts += 1;
    return 500;
  });
  queue("evt_refused");
  const before = await readStored();

  delivery.deliverTo(inbox.url);
  await vi.waitUntil(() => attempts >= 5, 20_000);
  const after = await readStored();

  expect(after).toEqual(before);
  expect(waiting()).toMatchObject({ id: "evt_refused" });
});

it("lets an event that is not taken hold up none of those behind it", async () => {
  const patient = { first: 500, longest: 500, most: 4 };
  const logger = pino({ level: "silent" });
  delivery = createWebhookDelivery(state.events, WEBHOOK_SECRET, logger, patient);
  inbox = await openInbox((attempt) => (attempt === 1 ? 503 : 200));
  queue("evt_first");
  queue("evt_second");

  delivery.deliverTo(inbox.url);

  await vi.waitUntil(() => inbox?.events.length === 2, 20_000);
  expect(inbox.events.map(({ id }) => id)).toEqual(["evt_second", "evt_first"]);
});

it("gives up an event that is never taken, and says so", async () => {
  inbox = await openInbox(() => 422);
  queue("evt_refused");

  delivery.deliverTo(inbox.url);

  await vi.waitUntil(() => said.length > 0, { timeout: 10_000 });
  expect(waiting()).toBeUndefined();
  expect(said).toHaveLength(1);
  expect(said[0]).toContain("evt_refused");
});

it("keeps what it could not deliver when it is closed", async () => {
  queue("evt_waiting");
  delivery.deliverTo("http://127.0.0.1:1/nobody");
  await vi.waitUntil(() => (waiting()?.attempts ?? 0) > 0, 20_000);

  await delivery.close();

  expect(waiting()).toMatchObject({ id: "evt_waiting" });
});

it("keeps at most 10,000 events and says how many it dropped", () => {
  const dropped = state.transaction(() => {
    let total = 0;
    for (let index = 0; index < 10_005; index++) total += state.events.add(`evt_${index}`, "{}");
    return total;
  });

  expect(dropped).toBe(5);
  expect(waiting()).toMatchObject({ id: "evt_5" });
});
