// Prints the cases of alert-cases.ts as a file for `promtool test rules`: alert-tests.ts RULES…
import { stringify } from "yaml";
import { CASES } from "./alert-cases.ts";
import { HEALTHY } from "./alert-series.ts";

const tests = CASES.map(({ says, series, fires }) => ({
  name: says,
  interval: "1m",
  input_series: Object.entries({ ...HEALTHY, ...series }).flatMap(([name, values]) =>
    values === null ? [] : [{ series: name, values: values.trim() }],
  ),
  promql_expr_test: fires.map(([minute, ...alerts]) => ({
    expr: 'count by (alertname) (count by (alertname, severity) (ALERTS{alertstate="firing"}))',
    eval_time: `${minute}m`,
    exp_samples: alerts.map((alert) => ({ labels: `{alertname="${alert}"}`, value: 1 })),
  })),
}));

process.stdout.write(
  stringify({ rule_files: process.argv.slice(2), evaluation_interval: "1m", tests }, { lineWidth: 0 }),
);
