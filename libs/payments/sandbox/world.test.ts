import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { newCustomer } from "./new-products.ts";
import { openState, type State } from "./state.ts";
import { createWorld, type World } from "./world.ts";

const NOW = 1_795_258_057;

let state: State;
let world: World;
/** How many events were queued, each time when they might go out. */
let released: number[];

beforeEach(() => {
  state = openState(":memory:");
  released = [];
  world = createWorld({
    state,
    publicUrl: new URL("http://127.0.0.1/"),
    apiVersion: "2026-10-28.endive",
    logger: pino({ level: "silent" }),
    onEvents: () => void released.push(state.events.next(Number.MAX_SAFE_INTEGER)?.sequence ?? 0),
    machineTime: () => NOW,
  });
});

afterEach(() => state.close());

function aCustomer() {
  return newCustomer({ email: "ads@harbour.example", name: null }, {}, world.now());
}

function queued(): unknown {
  const event = state.events.next(Number.MAX_SAFE_INTEGER);
  return event === undefined ? undefined : JSON.parse(event.payload);
}

it("tells of the platform's objects as Stripe does", () => {
  const customer = aCustomer();

  world.write(() => world.emit("customer.created", customer));

  expect(queued()).toEqual({
    id: expect.stringMatching(/^evt_[0-9A-Za-z]{24}$/),
    object: "event",
    api_version: "2026-10-28.endive",
    created: NOW,
    data: { object: customer },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type: "customer.created",
  });
});

it("names the account of a connected account's objects, and what was before a change", () => {
  const account = world.within("acct_1");

  account.write(() => account.emit("customer.created", aCustomer(), { email: "old@harbour.example" }));

  expect(queued()).toMatchObject({
    account: "acct_1",
    data: { previous_attributes: { email: "old@harbour.example" } },
  });
});

it("keeps nothing of a change that fails, neither objects nor events", () => {
  const customer = aCustomer();

  const failing = () =>
    world.write(() => {
      world.records.save("customer", customer);
      world.emit("customer.created", customer);
      throw new Error("The disk is full.");
    });

  expect(failing).toThrow("The disk is full.");
  expect(world.records.find("customer", customer.id)).toBeUndefined();
  expect(queued()).toBeUndefined();
});

it("lets events go out only when the outermost change is done", () => {
  world.write(() => {
    world.write(() => world.emit("customer.created", aCustomer()));
    expect(released).toEqual([]);
  });

  expect(released).toEqual([1]);
});

it("dates what it does for an earlier time by that time, and only that", () => {
  state.setClockOffset(60);

  const then = world.during(NOW - 5, () => world.within("acct_1").now());

  expect(then).toBe(NOW - 5);
  expect(world.now()).toBe(NOW + 60);
});
