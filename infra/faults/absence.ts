import { setTimeout as wait } from "node:timers/promises";
import { processEnvironment } from "#libs/config/environment.ts";
import type { Installation } from "./installation.ts";
import type { FaultResult } from "./results.ts";
import { injectFaultUnderLoad } from "./under-load.ts";

/** How long an engine is away: 30 s in the table, and less where the cases are only tests. Either is far over every time-out. */
export const AWAY_S = Number(processEnvironment().FAULTS_AWAY_SECONDS || 12);
export const AWAY_MS = AWAY_S * 1_000;
/** The share of impressions that go to two processes while the engine is away. */
const TWINS = 0.05;
/** What was on its way when the engine went may have been judged by it, and a Redis that is started again has forgotten that. */
const EDGE_MS = 2_000;

/** An engine, or a part of one, that goes away and comes back. */
export interface Absence {
  /** The name in the table. */
  readonly name: string;
  readonly begin: (installation: Installation) => unknown;
  readonly end: (installation: Installation) => unknown;
}

/** Takes the engine away for `AWAY_S`, under load. All has to be answered meanwhile, and some events go to two processes. */
export async function injectAbsence(installation: Installation, absence: Absence): Promise<FaultResult> {
  const result = await injectFaultUnderLoad(installation, {
    name: absence.name,
    tracking: "all",
    serving: "all",
    async inflict(_installation, _random, load) {
      await absence.begin(installation);
      await wait(EDGE_MS);
      load.sendTwins(TWINS);
      await wait(AWAY_MS - EDGE_MS);
      await absence.end(installation);
    },
  });
  if (result.twins === 0) throw new Error(`${absence.name}: no event was sent to two processes`);
  return result;
}
