import { expect, it } from "vitest";
import type { Connection } from "#libs/contract/connect.ts";
import { paymentStateOf } from "./payment-state.ts";

const UNCONNECTED: Connection = {
  available: true,
  connected: false,
  chargesEnabled: false,
  payoutsEnabled: false,
  detailsSubmitted: false,
  accountId: null,
  sandbox: false,
  processorTime: "2026-11-21T12:00:00.000Z",
};
const CONNECTED: Connection = { ...UNCONNECTED, connected: true, accountId: "acct_1" };

it.each<[string, Connection]>([
  ["sandbox", { ...UNCONNECTED, available: false, sandbox: true }],
  ["platform", { ...UNCONNECTED, available: false }],
  ["unconnected", UNCONNECTED],
  ["unfinished", CONNECTED],
  ["checked", { ...CONNECTED, detailsSubmitted: true }],
  ["charging", { ...CONNECTED, detailsSubmitted: true, chargesEnabled: true }],
  ["ready", { ...CONNECTED, detailsSubmitted: true, chargesEnabled: true, payoutsEnabled: true }],
])("derives the state %s", (state, connection) => {
  expect(paymentStateOf(connection)).toBe(state);
});
