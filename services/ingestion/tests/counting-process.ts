import { randomBytes } from "node:crypto";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { Registry } from "prom-client";
import { EVENT_KINDS, VERDICTS } from "#libs/domain/event.ts";
import { NO_PLACE } from "#libs/domain/event-place.ts";
import { newId } from "#libs/domain/ids.ts";
import { encodeLoggedEvent } from "#libs/domain/logged-event.ts";
import { requestEventIds } from "#libs/domain/request-event-id.ts";
import { openLocalEventLog } from "#libs/event-log/index.ts";
import { createMemoryJudge } from "#libs/judge/index.ts";
import { createStatsStore, startEmbeddedClickHouse } from "#libs/stats-store/index.ts";
import { startIngestion } from "../worker.ts";
import { A_LOGGED_EVENT } from "./events.ts";

/*
 * A process to be killed: appends events as fast as they are acknowledged, every third batch twice, as a repeated request. Notes the
 * id of each acknowledged one in a file, and ingests at the same time. Given a step, it kills its own process group there, ClickHouse included.
 *
 *     node counting-process.ts <folder> [<step> <round>]
 */
const [folder, deadlyStep, deadlyRound] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: counting-process.ts <folder> [<step> <round>]");
const APPENDERS = 8;
const acknowledged = join(folder, "acknowledged");
const rounds = new Map<string, number>();

function dieAt(step: string): void {
  const round = (rounds.get(step) ?? 0) + 1;
  rounds.set(step, round);
  if (step === deadlyStep && round === Number(deadlyRound)) process.kill(0, "SIGKILL");
}

const log = await openLocalEventLog({ file: join(folder, "events.db") });
const engine = await startEmbeddedClickHouse({ dataDir: join(folder, "clickhouse") });
appendFileSync(join(folder, "engine-pids"), `${engine.pid()}\n`);
const store = createStatsStore({ ...engine, database: "placard" });
await store.migrate();
await startIngestion({
  log,
  store,
  judge: createMemoryJudge(),
  logger: pino({ level: "silent" }),
  registry: new Registry(),
  lingerMs: 20,
  maxEvents: 500,
  onStep: dieAt,
});
await Promise.all(Array.from({ length: APPENDERS }, (_, i) => appendForEver(`ad_${i}`)));

async function appendForEver(adId: string): Promise<never> {
  for (let turn = 0; ; turn++) {
    const isRepeated = turn % 3 === 0;
    const { idOf } = requestEventIds(randomBytes(14), false);
    const ids = Array.from({ length: 1 + (turn % 5) }, (_, n) => (isRepeated ? idOf(n) : newId("event")));
    const rows = ids.map((id) =>
      encodeLoggedEvent({
        ...A_LOGGED_EVENT,
        id,
        workspaceId: "ws_1",
        adId,
        kind: EVENT_KINDS[turn % 2] ?? "click",
        verdict: VERDICTS[turn % VERDICTS.length] ?? "valid",
        visitor: (turn % 1000).toString(16).padStart(16, "0"),
        occurredAt: Date.now(),
        source: "page",
        place: NO_PLACE,
      }),
    );
    const batch = { rows: Buffer.from(rows.join("")), count: ids.length };
    await log.append(batch);
    if (isRepeated) await log.append(batch);
    appendFileSync(acknowledged, `${ids.join("\n")}\n`);
    dieAt("acknowledged");
  }
}
