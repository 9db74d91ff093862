import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { AWAY_MS, AWAY_S, injectAbsence } from "../absence.ts";
import { type Installation, startInstallation } from "../installation.ts";
import { setClock } from "../services.ts";

const DAY_MS = 86_400_000;

let installation: Installation;

beforeAll(async () => {
  installation = await startInstallation();
});
afterAll(() => installation?.close());

const ENGINES = [
  { engine: "redis", name: "Redis" },
  { engine: "kafka", name: "Kafka" },
  { engine: "clickHouse", name: "ClickHouse" },
  { engine: "postgres", name: "Postgres" },
] as const;
const FAULTS = ENGINES.flatMap((engine) => [
  { ...engine, how: "stopped" },
  { ...engine, how: "frozen" },
]);

describe("tracking and serving answer everything, and duplicates are known for what they are", {
  timeout: 300_000,
}, () => {
  it.each(FAULTS)("while $name is $how", async ({ engine, name, how }) => {
    const { program } = installation.engines[engine];

    const result = await injectAbsence(installation, {
      name: `${name} ${how} for ${AWAY_S} s`,
      begin: () => (how === "stopped" ? program.stop() : program.freeze()),
      end: () => (how === "stopped" ? program.start() : program.wake()),
    });

    expect(result.recognized).toBe(result.twins);
  });

  it("while half of the partitions lag behind the others", async () => {
    const [lagging, others] = installation.clickHouseProxies;
    let before = 0;

    const result = await injectAbsence(installation, {
      name: `half of the partitions lag by ${AWAY_S} s`,
      async begin() {
        const sizes = [lagging.inserted.size, others.inserted.size];
        const haveInserted = () =>
          [lagging, others].every(({ inserted }, at) => inserted.size > (sizes[at] ?? 0));
        await vi.waitUntil(haveInserted, { timeout: 30_000 });
        lagging.rules.add((moment) => (moment === "asked" ? "hold" : "pass"));
        before = others.inserted.size;
      },
      end() {
        expect(lagging.held).not.toEqual([]);
        expect(others.inserted.size).toBeGreaterThan(before);
        lagging.calm();
      },
    });

    expect(result.recognized).toBe(result.twins);
  });

  it("while Redis is stopped over midnight, after which a visitor is another one", async () => {
    const { engines, management, serving, ingestion, sentLog, oracle, stored } = installation;
    const { program } = engines.redis;
    const first = sentLog.sent;

    const result = await injectAbsence(installation, {
      name: `Redis stopped for ${AWAY_S} s over midnight (UTC)`,
      async begin() {
        const inTheMiddle = Date.now() + AWAY_MS / 2;
        const midnight = Math.ceil(inTheMiddle / DAY_MS) * DAY_MS;
        for (const one of [management, ...serving, ...ingestion]) await setClock(one, midnight - inTheMiddle);
        await program.stop();
      },
      end: () => program.start(),
    });

    expect(result.recognized).toBe(result.twins);
    const rows = await stored.events();
    const counted = rows.flatMap(({ visitor, verdict }) => (verdict === "valid" ? [visitor] : []));
    const numbers = counted
      .map((visitor) => oracle.numberOf(visitor) ?? 0)
      .filter((number) => number >= first);
    // Those that went to one process before midnight and to the other after it.
    expect(numbers.length).toBeGreaterThan(new Set(numbers).size);
  });
});
