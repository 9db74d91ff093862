import type { Connection } from "#libs/contract/connect.ts";

/** Derives the state of a workspace's payments from its connected account. */
export function paymentStateOf(connection: Connection) {
  const { available, connected, sandbox, chargesEnabled, payoutsEnabled, detailsSubmitted } = connection;
  if (!available) return sandbox ? "sandbox" : "platform";
  if (!connected) return "unconnected";
  if (chargesEnabled) return payoutsEnabled ? "ready" : "charging";
  return detailsSubmitted ? "checked" : "unfinished";
}

export type PaymentState = ReturnType<typeof paymentStateOf>;
