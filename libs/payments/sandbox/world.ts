import type { FastifyBaseLogger } from "fastify";
import { newStripeId } from "./ids.ts";
import type { Store } from "./record-shelf.ts";
import type {
  Account,
  Charge,
  CheckoutSession,
  Customer,
  Dispute,
  Invoice,
  Refund,
  Subscription,
} from "./records.ts";
import type { State } from "./state.ts";

/** What everything in the sandbox acts on, seen from one account. */
export interface World {
  /** The connected account, null for the platform itself. */
  readonly account: string | null;
  /** The account's objects. */
  readonly records: Store;
  readonly state: State;
  /** The origin of the hosted pages. */
  readonly publicUrl: URL;
  /** The sandbox's time in whole seconds since the epoch. */
  now(): number;
  /** Makes a change whole and durable, then lets its events go out; a change inside another is part of it. */
  write<T>(change: () => T): T;
  /** Queues an event, as part of the change that is being made. */
  emit(type: EventType, object: EventObject, previous?: Readonly<Record<string, unknown>>): void;
  /** The same world from another account. */
  within(account: string | null): World;
  /** Makes a change that belongs to an earlier time; what it makes bears that time. */
  during<T>(instant: number, change: () => T): T;
  /** Is told of every event; returns how to stop that. */
  onEvent(listen: EventListener): () => void;
}

export type EventType =
  | "account.updated"
  | "charge.dispute.closed"
  | "charge.dispute.created"
  | "charge.refunded"
  | "checkout.session.completed"
  | "checkout.session.expired"
  | "customer.created"
  | "customer.subscription.created"
  | "customer.subscription.deleted"
  | "customer.subscription.paused"
  | "customer.subscription.resumed"
  | "customer.subscription.trial_will_end"
  | "customer.subscription.updated"
  | "invoice.created"
  | "invoice.finalized"
  | "invoice.marked_uncollectible"
  | "invoice.paid"
  | "invoice.payment_action_required"
  | "invoice.payment_failed"
  | "invoice.voided"
  | "refund.created";

type EventObject = Account | Charge | CheckoutSession | Customer | Dispute | Invoice | Refund | Subscription;

/** An event that has been queued. */
export interface QueuedEvent {
  readonly type: EventType;
  readonly id: string;
  readonly created: number;
  /** The id of what it is about. */
  readonly about: string;
}

type EventListener = (event: QueuedEvent) => void;

export interface WorldOptions {
  readonly state: State;
  readonly publicUrl: URL;
  readonly apiVersion: string;
  readonly logger: FastifyBaseLogger;
  /** Called after a change that may have queued events. */
  readonly onEvents: () => void;
  /** The machine's time in seconds; default the real one. */
  readonly machineTime?: () => number;
}

/** The world of one state file, seen from the platform. */
export function createWorld(options: WorldOptions): World {
  const { state, publicUrl, apiVersion, logger, onEvents } = options;
  const { machineTime = () => Math.floor(Date.now() / 1000) } = options;
  const listeners = new Set<EventListener>();
  let past: number | null = null;
  let writing = false;
  const now = () => past ?? machineTime() + state.clockOffset();

  const within = (account: string | null): World => ({
    account,
    records: state.records.of(account),
    state,
    publicUrl,
    now,
    within,
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
      if (dropped > 0) logger.warn({ dropped }, "too many sandbox webhooks wait: the oldest were dropped");
      for (const listen of listeners) {
        listen({ type, id: event.id, created: event.created, about: object.id });
      }
    },
    during: (instant, change) => {
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
  return within(null);
}
