import { afterAll, expect, it, vi } from "vitest";
import { openArena } from "./arena.ts";
import { sendRaw } from "./raw-request.ts";
import { startSecondClient } from "./second-client.ts";

const { service, ours, theirs } = await openArena();
const second = await startSecondClient(`${service.origin}/v1/checkout-sessions/${theirs.ids.sessionId}`);
afterAll(() => second.close());

/** The longest that what comes after the parser may delay another client. */
const LONGEST_WAIT_MS = 300;

/** How long the second client waits while the body is handled, at most. */
async function waitFor(body: string, headers: Readonly<Record<string, string>>): Promise<number> {
  second.takeLongestWait();
  const before = second.answers();
  const { status } = await sendRaw(service.origin, {
    method: "POST",
    target: `/v1/workspaces/${ours.workspace.id}/checkout-sessions`,
    headers: { "content-type": "application/json", ...headers },
    body,
  });
  expect(status).toBeLessThan(500);
  await vi.waitFor(() => expect(second.answers()).toBeGreaterThan(before + 1), {
    timeout: 60_000,
    interval: 2,
  });
  return second.takeLongestWait();
}

it.each([
  ["lists in lists", `{"a":${"[".repeat(500_000)}${"]".repeat(500_000)}}`],
  ["objects in objects", `${'{"a":'.repeat(170_000)}1${"}".repeat(170_000)}`],
  ["a long list", `{"a":[${"1,".repeat(500_000)}1]}`],
  ["empty objects", `{"a":[${"{},".repeat(340_000)}1]}`],
])("compares the largest body of %s with its repetition while nobody waits", async (_what, body) => {
  const waits: number[] = [];
  // On a busy machine every client waits now and then. A hostile body makes it wait every time.
  for (let attempt = 0; attempt < 5 && waits.every((wait) => wait > LONGEST_WAIT_MS); attempt += 1) {
    const parsed = await waitFor(body, {});
    const compared = await waitFor(body, { "idempotency-key": crypto.randomUUID() });
    waits.push(compared - parsed);
  }

  expect(Math.min(...waits)).toBeLessThan(LONGEST_WAIT_MS);
});
