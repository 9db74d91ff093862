import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { readExpression } from "./expression.ts";
import { knownMetrics } from "./known-metrics.ts";

const INFRA = new URL("../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, INFRA), "utf8");

const alerts = z
  .object({
    groups: z.array(
      z.object({
        rules: z.array(
          z.object({
            alert: z.string(),
            expr: z.string(),
            labels: z.object({ severity: z.enum(["critical", "warning"]) }),
            annotations: z.object({ summary: z.string() }),
          }),
        ),
      }),
    ),
  })
  .parse(parse(read("prometheus/alerts.yml")))
  .groups.flatMap(({ rules }) => rules);

const dashboard = z.object({
  uid: z.string(),
  panels: z.array(
    z.object({
      title: z.string(),
      datasource: z.object({ uid: z.string() }).optional(),
      targets: z.array(z.object({ expr: z.string() })).default([]),
    }),
  ),
});
const panels = readdirSync(new URL("grafana/dashboards", INFRA)).flatMap((file) =>
  dashboard.parse(JSON.parse(read(`grafana/dashboards/${file}`))).panels.map((panel) => ({ file, ...panel })),
);

const expressions = [
  ...alerts.map(({ alert, expr }) => ({ where: `alert ${alert}`, expr })),
  ...panels.flatMap(({ file, title, targets }) =>
    targets.map(({ expr }) => ({ where: `${file}: ${title}`, expr })),
  ),
];

describe("what alerts and dashboards ask for", async () => {
  const known = await knownMetrics();

  it.each(expressions)("$where: $expr", ({ expr }) => {
    const { metrics, labels } = readExpression(expr);
    const possible = metrics.flatMap((metric) => [...(known.get(metric) ?? [])]);

    expect(metrics.length).toBeGreaterThan(0);
    expect(metrics.filter((metric) => !known.has(metric))).toEqual([]);
    expect(labels.filter((label) => !possible.includes(label))).toEqual([]);
  });
});

it("refuses an invalid expression", () => {
  expect(() => readExpression("sum(rate(up[5m])")).toThrow("no PromQL");
});

it("explains every alert, and none that does not exist", () => {
  const explained = [...read("docs/alerts.md").matchAll(/^### (\w+)$/gm)].map(([, name]) => name);

  expect(explained.toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
});

it("asks the datasource that is provisioned", () => {
  const provisioned = z
    .object({ datasources: z.array(z.object({ uid: z.string() })) })
    .parse(parse(read("grafana/provisioning/datasources/prometheus.yml")))
    .datasources.map(({ uid }) => uid);
  const asked = panels.flatMap(({ datasource }) => (datasource === undefined ? [] : [datasource.uid]));

  expect(new Set(asked)).toEqual(new Set(provisioned));
});

it("scrapes services and engines that infra/compose.yaml has", () => {
  const { services } = z
    .object({ services: z.record(z.string(), z.unknown()) })
    .parse(parse(read("compose.yaml"), { merge: true, maxAliasCount: 1_000 }));
  const text = read("prometheus/prometheus.yml");
  const hosts = [...text.matchAll(/names: \[(\w+)\]|"([a-z]+):\d+"/g)].map(
    ([, name, host]) => name ?? host ?? "",
  );

  expect(hosts.filter((host) => !(host in services))).toEqual([]);
  expect(hosts).toEqual(expect.arrayContaining(["serving", "ingestion", "management"]));
});
