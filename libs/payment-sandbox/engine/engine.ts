import type { FastifyBaseLogger } from "fastify";
import { newStripeId } from "./ids.ts";
import type { State } from "./state.ts";
import type { AccountStore } from "./store.ts";

/** State, time and events of the sandbox, seen from one account. */
export interface Engine {
  /** The connected account, null for the platform itself. */
  readonly account: string | null;
  /** The account's objects. */
  readonly records: AccountStore;
  readonly state: State;
  /** The origin of the hosted pages. */
  readonly publicUrl: URL;
  /** The sandbox's time in whole seconds since the epoch. */
  now(): number;
  /** Makes a change whole and durable, then releases its events; a change inside another is part of it. */
  write<T>(change: () => T): T;
  /** Queues an event as part of the current change. */
  emit(type: EventType, object: EventObject, previous?: Readonly<Record<string, unknown>>): void;
  /** The same engine, seen from another account. */
  forAccount(account: string | null): Engine;
  /** Makes a change as of an earlier time: `now()` returns that time meanwhile. */
  at<T>(instant: number, change: () => T): T;
  /** Calls the listener with every event; returns how to stop that. */
  onEvent(listen: EventListener): () => void;
}

export type EventType =
  | "account.updated"
  | "charge.dispute.closed"
  | "charge.dispute.created"
  | "charge.dispute.updated"
  | "charge.refunded"
  | "checkout.session.completed"
  | "checkout.session.expired"
  | "customer.created"
  | "customer.subscription.created"
  | "customer.subscription.deleted"
  | "customer.subscription.paused"
  | "customer.subscription.trial_will_end"
  | "customer.subscription.updated"
  | "invoice.created"
  | "invoice.finalized"
  | "invoice.paid"
  | "invoice.payment_action_required"
  | "invoice.payment_failed"
  | "invoice.marked_uncollectible"
  | "invoice.voided"
  | "refund.created"
  | "test_helpers.test_clock.ready";

interface EventObject {
  readonly id: string;
  readonly object: string;
}

/** An event that has been queued. */
export interface QueuedEvent {
  readonly type: EventType;
  readonly id: string;
  readonly created: number;
  /** The id of the object that the event is about. */
  readonly about: string;
}

type EventListener = (event: QueuedEvent) => void;

export interface EngineOptions {
  readonly state: State;
  readonly publicUrl: URL;
  readonly apiVersion: string;
  readonly logger: FastifyBaseLogger;
  /** Called after a change that may have queued events. */
  readonly onEvents: () => void;
  /** The machine's time in seconds; default the real one. */
  readonly machineTime?: () => number;
}

/** The engine of one state file, seen from the platform. */
export function createEngine(options: EngineOptions): Engine {
  const { state, publicUrl, apiVersion, logger, onEvents } = options;
  const { machineTime = () => Math.floor(Date.now() / 1000) } = options;
  const listeners = new Set<EventListener>();
  let past: number | null = null;
  let writing = false;
  const now = () => past ?? machineTime() + state.clockOffset();

  const forAccount = (account: string | null): Engine => ({
    account,
    records: state.store.of(account),
    state,
    publicUrl,
    now,
    forAccount,
    write: (change) => {
      if (writing) return change();
      writing = true;
      try {
        return state.transaction(change);
      } finally {
        writing = false;
        onEvents();
      }
    },
    emit: (type, object, previous) => {
      const event = {
        id: newStripeId("evt"),
        object: "event",
        ...(account === null ? {} : { account }),
        api_version: apiVersion,
        created: now(),
        data: { object, ...(previous === undefined ? {} : { previous_attributes: previous }) },
        livemode: false,
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
        type,
      };
      const dropped = state.events.add(event.id, JSON.stringify(event));
      if (dropped > 0) logger.warn({ dropped }, "the sandbox's webhook queue is full: dropped the oldest");
      for (const listen of listeners) {
        listen({ type, id: event.id, created: event.created, about: object.id });
      }
    },
    at: (instant, change) => {
      const before = past;
      past = instant;
      try {
        return change();
      } finally {
        past = before;
      }
    },
    onEvent: (listen) => {
      listeners.add(listen);
      return () => void listeners.delete(listen);
    },
  });
  return forAccount(null);
}
