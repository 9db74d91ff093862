import { once } from "node:events";
import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { listenOnLoopback } from "#libs/process/ports.ts";
import { createStatsStore } from "./index.ts";
import type { StatsStore, Visit } from "./port.ts";

const REQUEST_TIMEOUT_MS = 30_000;
const VISIT: Visit = {
  id: "evt_1",
  workspaceId: "ws_1",
  adId: "ad_1",
  kind: "click",
  visitor: "0123456789abcdef",
  occurredAt: 0,
};
const LOOK_UPS: readonly [string, (store: StatsStore) => Promise<unknown>][] = [
  ["events", (store) => store.storedIds([VISIT])],
  [
    "requests",
    (store) =>
      store.storedOfRequests([{ request: "evt_6", workspaceId: "ws_1", adIds: ["ad_1"], from: 0, to: 0 }]),
  ],
  ["visits", (store) => store.countedVisits([VISIT], 1_000)],
];

/**
 * A store of a server that ends every query as ClickHouse does after `max_execution_time`, but for those that it is `able` to answer, and
 * the settings of its queries.
 */
async function aSlowServer(able: (query: URLSearchParams) => boolean = () => false) {
  const asked: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? "", "http://localhost").searchParams;
    asked.push(query);
    request.resume();
    if (able(query)) {
      response.end();
      return;
    }
    response.writeHead(500, { "X-ClickHouse-Exception-Code": "159" });
    response.end("Code: 159. DB::Exception: Timeout exceeded: elapsed 22 s. (TIMEOUT_EXCEEDED)\n");
  });
  const port = await listenOnLoopback(server);
  const url = `http://127.0.0.1:${port}`;
  const access = { url, username: "u", password: "p", database: "d" };
  const store = createStatsStore({ ...access, requestTimeoutMs: REQUEST_TIMEOUT_MS });
  onTestFinished(async () => {
    await store.close();
    server.close();
    await once(server, "close");
  });
  return { store, asked };
}

it.each(LOOK_UPS)(
  "has the server end a look-up of %s before the client repeats it, with an error",
  async (_, lookUp) => {
    const { store, asked } = await aSlowServer();

    await expect(lookUp(store)).rejects.toMatchObject({ code: "UNAVAILABLE", canRetry: true });

    expect(asked).toHaveLength(1);
    const seconds = Number(asked[0]?.get("max_execution_time"));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds * 1_000).toBeLessThan(REQUEST_TIMEOUT_MS);
    // Otherwise a look-up that was ended says that the rest is not stored.
    expect(asked[0]?.get("timeout_overflow_mode")).toBe("throw");
  },
);

const HALVED: readonly [string, string, (store: StatsStore, names: readonly string[]) => Promise<unknown>][] =
  [
    ["events", "ids", (store, names) => store.storedIds(names.map((id) => ({ ...VISIT, id })))],
    [
      "requests",
      "requests0",
      (store, names) =>
        store.storedOfRequests(
          names.map((request) => ({ request, workspaceId: "ws_1", adIds: ["ad_1"], from: 0, to: 0 })),
        ),
    ],
    [
      "visits",
      "visitors0",
      (store, names) =>
        store.countedVisits(
          names.map((visitor) => ({ ...VISIT, visitor })),
          1_000,
        ),
    ],
  ];

it.each(HALVED)(
  "halves a look-up of %s that takes the server too long, until it can answer all of it",
  async (_, parameter, lookUp) => {
    const namesIn = (query: URLSearchParams) => query.get(`param_${parameter}`)?.match(/name\d+/g) ?? [];
    const { store, asked } = await aSlowServer((query) => namesIn(query).length <= 3);
    const names = Array.from({ length: 20 }, (_one, n) => `name${n}`);

    await lookUp(store, names);

    const answered = asked.map(namesIn).filter(({ length }) => length <= 3);
    expect(answered.flat().toSorted()).toEqual(names.toSorted());
  },
);
