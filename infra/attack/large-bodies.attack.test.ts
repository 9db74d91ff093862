import { afterAll, expect, it, vi } from "vitest";
import { openArena } from "./arena.ts";
import { sendRaw } from "./raw-request.ts";
import { startSecondClient } from "./second-client.ts";

const { service, ours, theirs, owner } = await openArena();
const second = await startSecondClient(`${service.origin}/v1/checkout-sessions/${theirs.ids.sessionId}`);
afterAll(() => second.close());

/** The longest that one body may delay another client. */
const LONGEST_WAIT_MS = 100;

/** How long the second client waits while the body is handled, at most. */
async function waitFor(target: string, body: string): Promise<number> {
  second.takeLongestWait();
  const before = second.answers();
  const { status } = await sendRaw(service.origin, {
    method: "POST",
    target,
    headers: { ...owner, "content-type": "application/json", "idempotency-key": crypto.randomUUID() },
    body,
  });
  expect([413, 422, 429]).toContain(status);
  await vi.waitFor(() => expect(second.answers()).toBeGreaterThan(before + 1), {
    timeout: 60_000,
    interval: 2,
  });
  return second.takeLongestWait();
}

const BODIES: readonly (readonly [what: string, body: string])[] = [
  ["lists in lists", `{"a":${"[".repeat(500_000)}${"]".repeat(500_000)}}`],
  ["objects in objects", `${'{"a":'.repeat(170_000)}1${"}".repeat(170_000)}`],
  ["a long list", `{"a":[${"1,".repeat(500_000)}1]}`],
  ["empty objects", `{"a":[${"{},".repeat(340_000)}1]}`],
  ["many keys", `{${Array.from({ length: 90_000 }, (_, n) => `"k${n}":1`).join()}}`],
  ["as many keys as are let through", `{${Array.from({ length: 19_000 }, (_, n) => `"k${n}":1`).join()}}`],
  ["quotes and backslashes", JSON.stringify({ a: '\\"'.repeat(250_000) })],
];
const TARGETS = [
  `/v1/workspaces/${ours.workspace.id}/checkout-sessions`,
  `/v1/workspaces/${ours.workspace.id}/tiers`,
  "/api/auth/sign-out",
];

it.each(BODIES)("refuses the largest body of %s while nobody waits", async (_what, body) => {
  for (const target of TARGETS) {
    // On a busy machine every client waits now and then. A hostile body makes it wait every time.
    let wait = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < 5 && wait > LONGEST_WAIT_MS; attempt += 1) {
      wait = Math.min(wait, await waitFor(target, body));
    }
    expect(wait, target).toBeLessThan(LONGEST_WAIT_MS);
  }
});
