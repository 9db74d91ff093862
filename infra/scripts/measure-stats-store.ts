/**
 * What an event costs in ClickHouse, for infra/docs/scaling.md: inserts a million made-up events into a database of its own on
 * CLICKHOUSE_TEST_URL, one range after the other, prints one line a figure, and drops the database.
 */
import { createClient } from "@clickhouse/client";
import { processEnvironment } from "#libs/config/index.ts";
import { encodeEventRow, type TrackedEvent } from "#libs/domain/event.ts";
import { newId } from "#libs/domain/ids.ts";
import { createStatsStore } from "#libs/stats-store/index.ts";

const RANGES = 20;
const EVENTS_IN_A_RANGE = 50_000;
const ADS = 300;
const DAY_MS = 86_400_000;

const environment = processEnvironment();
const access = {
  url: environment.CLICKHOUSE_TEST_URL ?? "",
  username: environment.CLICKHOUSE_TEST_USER ?? "default",
  password: environment.CLICKHOUSE_TEST_PASSWORD ?? "",
};
const database = "placard_measure";
const workspaceId = newId("workspace");
const ads = Array.from({ length: ADS }, () => newId("ad"));
const PAGES = 200;
const COUNTRIES = ["DE", ...Array.from({ length: 59 }, (_, n) => `C${n}`)] as const;
const start = Date.UTC(2026, 0, 1);

/** The first of many are far more frequent than the last. */
function pick<T>(values: readonly [T, ...T[]]): T {
  return values[Math.floor(Math.random() ** 2 * values.length)] ?? values[0];
}

function anEvent(n: number): TrackedEvent {
  return {
    id: newId("event"),
    workspaceId,
    adId: ads[Math.floor(Math.random() ** 2 * ADS)] ?? "",
    kind: Math.random() < 0.02 ? "click" : "impression",
    verdict: Math.random() < 0.1 ? "bot" : "valid",
    visitor: Math.floor(Math.random() * 2 ** 40)
      .toString(16)
      .padStart(16, "0"),
    occurredAt: start + Math.floor((n / (RANGES * EVENTS_IN_A_RANGE)) * 7 * DAY_MS),
    source: "page",
    place: {
      placement: pick(["", "sidebar", "article", "footer"]),
      path: `/articles/${Math.floor(Math.random() ** 2 * PAGES)}`,
      referrer: pick(["", "", "google.com", "news.example", "t.co"]),
      country: pick(COUNTRIES),
      device: pick(["desktop", "phone", "phone", "tablet"]),
      browser: pick(["Chrome", "Chrome", "Safari", "Safari", "Firefox", "Edge"]),
    },
  };
}

function say(what: string, figure: number): void {
  console.log(`${what}: ${figure.toLocaleString("en", { maximumFractionDigits: 1 })}`);
}

const client = createClient(access);
const store = createStatsStore({ ...access, database });
try {
  await client.command({ query: `DROP DATABASE IF EXISTS ${database}` });
  await store.migrate();
  let bytes = 0;
  let insertMs = 0;
  for (let range = 0; range < RANGES; range += 1) {
    const from = range * EVENTS_IN_A_RANGE;
    const rows = Array.from({ length: EVENTS_IN_A_RANGE }, (_, n) => encodeEventRow(anEvent(from + n)));
    const body = Buffer.from(rows.join(""));
    bytes += body.length;
    const begun = performance.now();
    await store.insertRange({ token: `measure ${range}`, rows: [body] });
    insertMs += performance.now() - begun;
  }
  const total = RANGES * EVENTS_IN_A_RANGE;
  say("events inserted", total);
  say("events inserted per second, one range at a time", total / (insertMs / 1000));
  say("bytes of an event in the log, before compression", bytes / total);
  for (const table of ["events", "daily", "quarter", "wide"]) {
    await client.command({ query: `OPTIMIZE TABLE ${database}.${table} FINAL` });
    const result = await client.query({
      query: `SELECT toFloat64(sum(rows)) AS rows, toFloat64(sum(bytes_on_disk)) AS bytes FROM system.parts
        WHERE database = '${database}' AND table = '${table}' AND active`,
      format: "JSONEachRow",
    });
    const [size] = await result.json<{ rows: number; bytes: number }>();
    say(`rows in ${table}`, size?.rows ?? 0);
    say(`bytes of a row in ${table}, merged`, (size?.bytes ?? 0) / (size?.rows ?? 1));
  }
  const begun = performance.now();
  await store.dailyOfWorkspace(workspaceId, { from: "2026-01-01", to: "2026-01-31" });
  say("milliseconds for a month of a workspace", performance.now() - begun);
} finally {
  await client.command({ query: `DROP DATABASE IF EXISTS ${database}` });
  await Promise.all([store.close(), client.close()]);
}
