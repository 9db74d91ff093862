import { once } from "node:events";
import { Agent, request } from "node:http";
import { expect, it } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { startInstallation } from "./installation.ts";
import { aPublisherWithAds } from "./publisher.ts";

const CALLERS = 20;
/** Answers that each caller has had before the end begins. */
const BEFORE = 50;
const REFUSED = "ECONNREFUSED";
const RESET = "ECONNRESET";

it("resets no connection when it is stopped while callers keep theirs open and ask all the time", async () => {
  const installation = await startInstallation({ dataDir: await aFolder() });
  const { publisher, adIds } = await aPublisherWithAds(installation.url, 1);
  const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
  const paths = [
    ["GET", `${publisher.path}/ads/serving`],
    ["POST", `/v1/ads/${adIds[0]}/impressions`],
  ] as const;
  const statuses = new Set<number>();
  const warm = Promise.withResolvers<void>();
  let answers = 0;

  async function ask(method: string, path: string): Promise<void> {
    const asked = request(`${installation.url}${path}`, { agent, method }).end();
    // A connection that nobody accepted any more is reset by the system: that is nobody listening, as a refused one.
    const [response] = await once(asked, "response").catch((error) => {
      throw codeOf(error) === RESET && !asked.reusedSocket ? REFUSED : codeOf(error);
    });
    response.resume();
    await once(response, "end");
    statuses.add(response.statusCode);
    answers += 1;
    if (answers === CALLERS * BEFORE) warm.resolve();
  }

  /** Asks until nobody listens any more; returns why the last request failed. */
  async function caller(number: number): Promise<unknown> {
    for (let turn = number; ; turn += 1) {
      const [method, path] = paths[turn % 2] ?? paths[0];
      try {
        await ask(method, path);
      } catch (error) {
        return error;
      }
    }
  }

  const callers = Array.from({ length: CALLERS }, (_, number) => caller(number));
  await warm.promise;
  await installation.stop();

  expect(await Promise.all(callers)).toEqual(Array(CALLERS).fill(REFUSED));
  expect([...statuses]).toEqual([200]);
  agent.destroy();
}, 300_000);

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : error;
}
