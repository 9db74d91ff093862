import { afterAll, beforeAll, beforeEach } from "vitest";
import { testComparison } from "./suite/comparison.ts";
import { testCorrections } from "./suite/corrections.ts";
import { testCounts } from "./suite/counts.ts";
import { testErasure } from "./suite/erasure.ts";
import { testJudgements } from "./suite/judgements.ts";
import { testLookups } from "./suite/lookups.ts";
import { testQuarter } from "./suite/quarter.ts";
import { testRanges } from "./suite/ranges.ts";
import { testRefusals } from "./suite/refusals.ts";
import { testReportsByPlace } from "./suite/report-places.ts";
import { testReportsOfAnyEvents } from "./suite/report-property.ts";
import { testReports } from "./suite/reports.ts";
import { type ClickHouseUnderTest, StatsStoreRig } from "./suite/rig.ts";
import { testSchema } from "./suite/schema.ts";
import { testValues } from "./suite/values.ts";

/** What the stats store has to do on any ClickHouse. Each run has databases of its own there, and drops them. */
export function testStatsStore(start: () => Promise<ClickHouseUnderTest>): void {
  const rig = new StatsStoreRig(start);
  beforeAll(() => rig.open());
  afterAll(() => rig.close());
  beforeEach(() => rig.enterWorkspace());

  testSchema(rig);
  testRanges(rig);
  testRefusals(rig);
  testCounts(rig);
  testCorrections(rig);
  testReports(rig);
  testReportsByPlace(rig);
  testReportsOfAnyEvents(rig);
  testValues(rig);
  testErasure(rig);
  testComparison(rig);
  testQuarter(rig);
  testJudgements(rig);
  testLookups(rig);
}
