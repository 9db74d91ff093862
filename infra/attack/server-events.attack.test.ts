import { gzipSync } from "node:zlib";
import { afterAll, expect, it, vi } from "vitest";
import { newKey } from "#libs/domain/api-key.ts";
import { newId } from "#libs/domain/ids.ts";
import { anAd, aSnapshot } from "../../services/serving/tests/builders.ts";
import { openRig } from "../../services/serving/tests/serving-rig.ts";
import { startSecondClient } from "./second-client.ts";

const keys = [newKey("tracking"), newKey("tracking")] as const;
const [ours, theirs] = keys.map(({ hash }) => aSnapshot({ trackingKeys: [hash.toString("base64url")] }));
if (ours === undefined || theirs === undefined) throw new Error("there are two workspaces");
const rig = await openRig({ snapshots: [ours, theirs] });
const second = await startSecondClient(`${rig.url}/workspaces/${theirs.workspaceId}/ads/serving`);
afterAll(async () => {
  await second.close();
  await rig.close();
});

/** The longest that a body may delay another client. */
const LONGEST_WAIT_MS = 300;
const MIB = 1024 * 1024;
const adId = ours.ads[0]?.id ?? "";

async function post(body: string | Buffer, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${rig.url}/workspaces/${ours?.workspaceId}/events`, {
    method: "POST",
    headers: { authorization: `Bearer ${keys[0].key}`, "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : new Uint8Array(body),
  });
  return { status: response.status, body: await response.text() };
}

async function waitFor(body: string | Buffer, headers: Readonly<Record<string, string>>): Promise<number> {
  second.takeLongestWait();
  const before = second.answers();
  const { status } = await post(body, headers);
  expect(status).toBeLessThan(500);
  await vi.waitFor(() => expect(second.answers()).toBeGreaterThan(before + 1), {
    timeout: 60_000,
    interval: 2,
  });
  return second.takeLongestWait();
}

const ndjson = { "content-type": "application/x-ndjson" };
const gzip = { "content-encoding": "gzip" };
const anEvent = (more: object) => ({ adId, kind: "impression", ...more });

it.each<[string, string | Buffer, Readonly<Record<string, string>>]>([
  ["lists in lists", "[".repeat(MIB), {}],
  ["objects in objects", `{"events":${'{"a":'.repeat(170_000)}1${"}".repeat(170_000)}}`, {}],
  ["half a million events", `{"events":[${"1,".repeat(500_000)}1]}`, {}],
  ["nothing but newlines", "\n".repeat(MIB), ndjson],
  ["nothing but spaces, as lines", " \n".repeat(MIB / 2), ndjson],
  ["a bomb of gzip", gzipSync(Buffer.alloc(256 * MIB)), gzip],
  ["newlines in gzip", gzipSync("\n".repeat(MIB)), { ...ndjson, ...gzip }],
  [
    "a thousand ads that nobody has",
    JSON.stringify({ events: Array.from({ length: 1_000 }, () => anEvent({ adId: newId("ad") })) }),
    { "idempotency-key": "a" },
  ],
  [
    "a thousand long user agents",
    JSON.stringify({
      events: Array.from({ length: 1_000 }, (_, n) => anEvent({ userAgent: `bot${"/".repeat(900)}${n}` })),
    }),
    {},
  ],
  [
    "a thousand browsers, placements and paths",
    JSON.stringify({
      events: Array.from({ length: 1_000 }, (_, n) =>
        anEvent({
          userAgent: `${n} ${"Android tv".repeat(40)}`,
          placement: `${n}${"\u202e".repeat(80)}`,
          path: `/${n}${"%C3%BC".repeat(30)}`,
        }),
      ),
    }),
    {},
  ],
  [
    "addresses that are none",
    JSON.stringify({
      events: Array.from({ length: 1_000 }, () => anEvent({ ip: `${"1:".repeat(450)}` })),
    }),
    {},
  ],
  [
    "times that are none",
    JSON.stringify({
      events: Array.from({ length: 1_000 }, () => anEvent({ occurredAt: `2026-11-${"0".repeat(900)}` })),
    }),
    {},
  ],
])("holds up no second client by %s", async (_what, body, headers) => {
  const waits: number[] = [];
  // On a busy machine every client waits now and then. A hostile body makes it wait every time.
  for (let attempt = 0; attempt < 5 && waits.every((wait) => wait > LONGEST_WAIT_MS); attempt += 1) {
    waits.push(await waitFor(body, headers));
  }

  expect(Math.min(...waits)).toBeLessThan(LONGEST_WAIT_MS);
});

it("tells an ad of another workspace from a missing one by nothing", async () => {
  const bodyOf = (id: string) => JSON.stringify({ events: [anEvent({ adId: id })] });

  const foreign = await post(bodyOf(theirs.ads[0]?.id ?? ""));
  const missing = await post(bodyOf(anAd().id));

  expect([foreign.status, foreign.body]).toEqual([missing.status, missing.body]);
  expect(foreign.body).toContain("unknown_ad");
});

it("answers a key of another workspace like one of nobody", async () => {
  const { status, body } = await post("{}", { authorization: `Bearer ${keys[1].key}` });
  const nobody = await post("{}", { authorization: `Bearer ${newKey("tracking").key}` });

  expect(status).toBe(401);
  expect(withoutId(body)).toEqual(withoutId(nobody.body));
});

function withoutId(text: string): string {
  return text.replace(/"requestId":"[^"]*"/, "");
}

it.each(["__proto__", "constructor", "prototype"])(
  "takes the key %s of an event for an unknown one",
  async (name) => {
    const { status, body } = await post(
      `{"events":[{"${name}":{"kind":"click"},"adId":"${adId}","kind":"click"}]}`,
    );

    expect([status, body]).toEqual([200, '{"accepted":1,"refused":[]}']);
  },
);
