import { readFile, writeFile } from "node:fs/promises";
import { parse, stringify } from "yaml";

// The program behind `npm run alerts`: the alerts once more, in the form that the operator of Prometheus reads.
const alerts: unknown = parse(await readFile(new URL("../prometheus/alerts.yml", import.meta.url), "utf8"));
const rule = {
  apiVersion: "monitoring.coreos.com/v1",
  kind: "PrometheusRule",
  metadata: { name: "placard" },
  spec: alerts,
};
await writeFile(
  new URL("../kubernetes/monitoring/rules.yaml", import.meta.url),
  `# Made of infra/prometheus/alerts.yml by \`npm run alerts\`.\n${stringify(rule, { lineWidth: 0 })}`,
);
