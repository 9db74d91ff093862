import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Inbox, openInbox, WEBHOOK_SECRET } from "../tests/running-sandbox.ts";
import { openState, type State } from "./state.ts";
import { createWebhookDelivery, type WebhookDelivery } from "./webhook-delivery.ts";

let folder: string;
let state: State;
let delivery: WebhookDelivery;
let inbox: Inbox | undefined;
const said: string[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sandbox-webhooks-"));
  state = openState(join(folder, "payments.db"));
  const logger = pino({ level: "error" }, { write: (line: string) => void said.push(line) });
  delivery = createWebhookDelivery(state, WEBHOOK_SECRET, logger, { first: 5, longest: 20 });
});

afterEach(async () => {
  await delivery.close();
  await inbox?.close();
  state.close();
  said.length = 0;
  await rm(folder, { recursive: true });
});

function queue(id: string): void {
  const event = { id, object: "event", type: "customer.created", created: 1, data: { object: {} } };
  state.addEvent(id, JSON.stringify(event));
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

  await vi.waitUntil(() => inbox?.events.length === 2);
  expect(inbox.events.map(({ id }) => id)).toEqual(["evt_first", "evt_second"]);
  await vi.waitUntil(() => state.nextEvent() === undefined);
});

it("sends again what was not taken", async () => {
  inbox = await openInbox((attempt) => (attempt < 3 ? 500 : 200));
  queue("evt_late");

  delivery.deliverTo(inbox.url);

  await vi.waitUntil(() => inbox?.events.length === 1);
  expect(inbox.events[0]).toMatchObject({ id: "evt_late" });
});

it("gives up an event that is refused again and again, says so, and goes on with the next", async () => {
  inbox = await openInbox((attempt) => (attempt <= 8 ? 422 : 200));
  queue("evt_refused");
  queue("evt_next");

  delivery.deliverTo(inbox.url);

  await vi.waitUntil(() => inbox?.events.length === 1);
  expect(inbox.events[0]).toMatchObject({ id: "evt_next" });
  expect(said).toHaveLength(1);
  expect(said[0]).toContain("evt_refused");
});

it("keeps what it could not deliver when it is closed", async () => {
  queue("evt_waiting");
  delivery.deliverTo("http://127.0.0.1:1/nobody");
  await vi.waitUntil(() => (state.nextEvent()?.attempts ?? 0) > 0);

  await delivery.close();

  expect(state.nextEvent()).toMatchObject({ id: "evt_waiting" });
});

it("keeps at most 10,000 events and says how many it dropped", () => {
  const dropped = state.transaction(() => {
    let total = 0;
    for (let index = 0; index < 10_005; index++) total += state.addEvent(`evt_${index}`, "{}");
    return total;
  });

  expect(dropped).toBe(5);
  expect(state.nextEvent()).toMatchObject({ id: "evt_5" });
});
