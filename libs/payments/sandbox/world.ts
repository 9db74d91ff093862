import type { FastifyBaseLogger } from "fastify";
import { newStripeId } from "./ids.ts";
import type { CheckoutSession, Customer, Invoice, Subscription } from "./records.ts";
import type { State } from "./state.ts";

/** What everything in the sandbox acts on. */
export interface World {
  readonly state: State;
  /** The origin of the hosted pages. */
  readonly publicUrl: URL;
  /** The sandbox's time in whole seconds since the epoch. */
  now(): number;
  /** Makes a change whole and durable, then lets its events go out. */
  write<T>(change: () => T): T;
  /** Queues an event, as part of the change that is being made. */
  emit(type: EventType, object: EventObject, previous?: Readonly<Record<string, unknown>>): void;
}

export type EventType =
  | "checkout.session.completed"
  | "checkout.session.expired"
  | "customer.created"
  | "customer.subscription.created"
  | "customer.subscription.deleted"
  | "customer.subscription.updated"
  | "invoice.paid"
  | "invoice.voided";

type EventObject = CheckoutSession | Customer | Invoice | Subscription;

/** The world of one state file; `onEvents` is called after a change that may have queued events. */
export function createWorld(
  state: State,
  publicUrl: URL,
  apiVersion: string,
  onEvents: () => void,
  logger: FastifyBaseLogger,
): World {
  const now = () => Math.floor(Date.now() / 1000) + state.clockOffset();
  return {
    state,
    publicUrl,
    now,
    write: (change) => {
      const result = state.transaction(change);
      onEvents();
      return result;
    },
    emit: (type, object, previous) => {
      const id = newStripeId("evt");
      const event = {
        id,
        object: "event",
        api_version: apiVersion,
        created: now(),
        data: { object, ...(previous === undefined ? {} : { previous_attributes: previous }) },
        livemode: false,
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
        type,
      };
      const dropped = state.addEvent(id, JSON.stringify(event));
      if (dropped > 0) logger.warn({ dropped }, "too many sandbox webhooks wait: the oldest were dropped");
    },
  };
}
