import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createEngine, type Engine } from "./engine.ts";
import type { Customer } from "./records.ts";
import { openState, type State } from "./state.ts";

const NOW = 1_795_258_057;

let state: State;
let engine: Engine;
/** The oldest queued event, each time when events may go out. */
let released: number[];

beforeEach(() => {
  state = openState(":memory:");
  released = [];
  engine = createEngine({
    state,
    publicUrl: new URL("http://127.0.0.1/"),
    apiVersion: "2026-10-28.endive",
    logger: pino({ level: "silent" }),
    onEvents: () => void released.push(state.events.next(Number.MAX_SAFE_INTEGER)?.sequence ?? 0),
    machineTime: () => NOW,
  });
});

afterEach(() => state.close());

function aCustomer(): Customer {
  return {
    id: "cus_1",
    object: "customer",
    created: NOW,
    email: "ads@harbour.example",
    invoice_prefix: "HARBOUR",
    name: null,
    next_invoice_sequence: 1,
  };
}

function queued(): unknown {
  const event = state.events.next(Number.MAX_SAFE_INTEGER);
  return event === undefined ? undefined : JSON.parse(event.payload);
}

it("emits events about the platform's objects in Stripe's form", () => {
  const customer = aCustomer();

  engine.write(() => engine.emit("customer.created", customer));

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

it("names the account of a connected account's objects, and the values before a change", () => {
  const account = engine.forAccount("acct_1");

  account.write(() => account.emit("customer.created", aCustomer(), { email: "old@harbour.example" }));

  expect(queued()).toMatchObject({
    account: "acct_1",
    data: { previous_attributes: { email: "old@harbour.example" } },
  });
});

it("keeps nothing of a change that fails, neither objects nor events", () => {
  const customer = aCustomer();

  const failing = () =>
    engine.write(() => {
      engine.records.save("customer", customer);
      engine.emit("customer.created", customer);
      throw new Error("The disk is full.");
    });

  expect(failing).toThrow("The disk is full.");
  expect(engine.records.find("customer", customer.id)).toBeUndefined();
  expect(queued()).toBeUndefined();
});

it("releases events only when the outermost change is done", () => {
  engine.write(() => {
    engine.write(() => engine.emit("customer.created", aCustomer()));
    expect(released).toEqual([]);
  });

  expect(released).toEqual([1]);
});

it("uses an earlier time for the changes made as of that time, and for nothing else", () => {
  state.setClockOffset(60);

  const then = engine.at(NOW - 5, () => engine.forAccount("acct_1").now());

  expect(then).toBe(NOW - 5);
  expect(engine.now()).toBe(NOW + 60);
});
