import type { api } from "../shell/client.ts";

export type Connection = Awaited<ReturnType<typeof api.connect.get>>;

/** Where a workspace stands with its payments. */
export type PaymentState =
  | "sandbox"
  | "platform"
  | "unconnected"
  | "unfinished"
  | "checked"
  | "charging"
  | "ready";

/** The state of a workspace's payments, from what the processor says of its account. */
export function paymentStateOf(connection: Connection): PaymentState {
  const { available, connected, sandbox, chargesEnabled, payoutsEnabled, detailsSubmitted } = connection;
  if (!available) return sandbox ? "sandbox" : "platform";
  if (!connected) return "unconnected";
  if (chargesEnabled) return payoutsEnabled ? "ready" : "charging";
  return detailsSubmitted ? "checked" : "unfinished";
}
