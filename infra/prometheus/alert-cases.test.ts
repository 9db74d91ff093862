import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { knownMetrics } from "../metrics/known-metrics.ts";
import { CASES } from "./alert-cases.ts";
import { HEALTHY } from "./alert-series.ts";

const read = (path: string): unknown => parse(readFileSync(new URL(path, import.meta.url), "utf8"));
const groups = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string() })) })),
});
const alerts = groups
  .parse(read("alerts.yml"))
  .groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));

describe("the histories that infra/prometheus/validate evaluates the alerts over", async () => {
  const known = await knownMetrics();
  const series = [HEALTHY, ...CASES.map((one) => one.series)].flatMap((histories) => Object.keys(histories));

  it("make every alert fire, and none that does not exist", () => {
    const fired = CASES.flatMap(({ fires }) => fires.flatMap(([, ...names]) => names));

    expect([...new Set(fired)].toSorted()).toEqual(alerts.toSorted());
  });

  it("consist of series that exist", () => {
    const names = series.map((one) => one.split("{")[0] ?? "");

    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  it("have a name each", () => {
    expect(new Set(CASES.map(({ says }) => says)).size).toBe(CASES.length);
  });
});

it("gives the operator of Prometheus the same alerts (npm run alerts)", () => {
  const rule = z.object({ spec: z.unknown() }).parse(read("../kubernetes/monitoring/rules.yaml"));

  expect(rule.spec).toEqual(read("alerts.yml"));
});

it("silences only alerts that exist", () => {
  const matchers = z.array(z.string());
  const { inhibit_rules: rules } = z
    .object({ inhibit_rules: z.array(z.object({ source_matchers: matchers, target_matchers: matchers })) })
    .parse(read("alertmanager.yml"));
  const named = rules
    .flatMap(({ source_matchers, target_matchers }) => [...source_matchers, ...target_matchers])
    .flatMap((matcher) => /^alertname=~?"(.+)"$/.exec(matcher)?.[1]?.split("|") ?? []);

  expect(named.filter((name) => !alerts.includes(name))).toEqual([]);
});
