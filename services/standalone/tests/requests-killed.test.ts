import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import type { DyingMoment } from "./dying-moments.ts";
import { type Installation, startInstallation } from "./installation.ts";
import { aPublisherWithAds, publisherAt, readTotals } from "./publisher.ts";
import {
  ACCEPTED,
  aServer,
  COUNTED,
  send,
  sendAndHangUp,
  sendHalf,
  sendUntilAccepted,
} from "./server-requests.ts";

const COUNTED_WITHIN = { timeout: 60_000, interval: 500 };
const HALF_SENT = "half sent";
/** In each, the product is killed with two requests under way. */
const MOMENTS = [HALF_SENT, "judged", "appended", "read", "inserted"] as const satisfies (
  | DyingMoment
  | typeof HALF_SENT
)[];

it("counts a server's request exactly once, in whichever moment everything is killed and however often it is sent", async () => {
  const dataDir = await aFolder();
  const dieAt = join(dataDir, "die-at");
  const environment = {
    NODE_OPTIONS: `--import=${join(import.meta.dirname, "dying-process.ts")}`,
    DIE_AT_FILE: dieAt,
  };
  let installation: Installation & { url: string } = await startInstallation({ dataDir, environment });
  const { publisher, adIds } = await aPublisherWithAds(installation.url, MOMENTS.length);
  const server = await aServer(publisher);
  const [first = ""] = adIds;
  // Serving learns of the key a moment later.
  await sendUntilAccepted(installation.url, server.aRequest(first, false));

  for (const [index, moment] of MOMENTS.entries()) {
    const { url: origin } = installation;
    const adId = adIds[index] ?? "";
    const requests = [server.aRequest(adId, true), server.aRequest(adId, false)];
    if (moment === HALF_SENT) {
      const killed = Promise.withResolvers<void>();
      await Promise.all(
        requests.map((request, n) =>
          sendHalf(origin, request, async () => {
            if (n === 0) killed.resolve(installation.killTree());
            await killed.promise;
          }),
        ),
      );
    } else {
      await writeFile(dieAt, moment);
      const answers = await Promise.allSettled(requests.map((request) => send(origin, request)));
      expect(await installation.ended).toBe("SIGKILL");
      await installation.killTree();
      if (moment === "judged" || moment === "appended")
        expect(answers.filter((one) => one.status === "fulfilled" && one.value.status === 200)).toEqual([]);
    }
    installation = await startInstallation({ dataDir, port: installation.port, environment });

    // Its answer is lost, and it is sent again to a process that has just recorded it.
    await Promise.all(requests.map((request) => sendAndHangUp(origin, request)));
    for (const request of [...requests, ...requests])
      expect(await sendUntilAccepted(origin, request)).toEqual(ACCEPTED);
    const atOnce = await Promise.all(
      [...requests, ...requests].map((request) => sendUntilAccepted(origin, request)),
    );
    expect(atOnce).toEqual(Array(4).fill(ACCEPTED));
  }

  const { url } = installation;
  // Whatever would be counted twice has been, once nothing waits.
  await vi.waitFor(async () => expect(await waitingEvents(url)).toBe("0"), COUNTED_WITHIN);
  const reader = publisherAt(url, publisher);
  await vi.waitFor(async () => {
    const totals = await Promise.all(adIds.map((adId) => readTotals(reader, adId)));
    expect(totals).toEqual(adIds.map((_, index) => times(index === 0 ? 3 : 2)));
  }, COUNTED_WITHIN);
  await installation.stop();
}, 600_000);

it("refuses a server's request with a wrong key, and with one that was revoked", async () => {
  const installation = await startInstallation({ dataDir: await aFolder() });
  const { url } = installation;
  const { publisher, adIds } = await aPublisherWithAds(url, 1);
  const [adId = ""] = adIds;
  const [server, other] = [await aServer(publisher), await aServer(publisher)];
  const request = server.aRequest(adId, true);
  expect(await sendUntilAccepted(url, request)).toEqual(ACCEPTED);
  // An unknown key, and one that may do everything else.
  for (const key of [`${server.key.slice(0, -4)}0000`, publisher.key.key])
    expect((await send(url, { ...request, key })).status).toBe(401);

  await server.revoke();
  const refused = async () => (await send(url, { ...request, body: "{}" })).status;
  await vi.waitFor(async () => expect(await refused()).toBe(401), COUNTED_WITHIN);
  expect((await send(url, request)).status).toBe(401);
  // With the key that replaces it, it is the same request.
  expect(await sendUntilAccepted(url, { ...request, key: other.key })).toEqual(ACCEPTED);

  await vi.waitFor(async () => expect(await waitingEvents(url)).toBe("0"), COUNTED_WITHIN);
  await vi.waitFor(async () => expect(await readTotals(publisher, adId)).toEqual(times(1)), COUNTED_WITHIN);
  await installation.stop();
}, 300_000);

function times(requests: number): { readonly impressions: number; readonly clicks: number } {
  return { impressions: requests * COUNTED.impressions, clicks: requests * COUNTED.clicks };
}

/** Events in the log that are not in the stats store yet. */
async function waitingEvents(origin: string): Promise<string | undefined> {
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  return /^placard_event_log_waiting_events\{partition="0"\} (\S+)$/m.exec(metrics)?.[1];
}
