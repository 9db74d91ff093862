import { parser } from "@prometheus-io/lezer-promql";

/** A PromQL expression, taken apart by Prometheus's own grammar. */
export interface Expression {
  /** Names of the time series that it asks for. */
  readonly metrics: readonly string[];
  /** Labels that it matches or groups by. */
  readonly labels: readonly string[];
}

/** Throws an error with the position at which the expression is invalid. Grafana's `$__rate_interval` is accepted as a duration. */
export function readExpression(given: string): Expression {
  const text = given.replaceAll("$__rate_interval", "5m");
  const metrics = new Set<string>();
  const labels = new Set<string>();
  parser.parse(text).iterate({
    enter({ type, node, from, to }) {
      if (type.isError) throw new Error(`no PromQL at character ${from}: ${text}`);
      if (type.name === "Identifier" && node.parent?.name === "VectorSelector")
        metrics.add(text.slice(from, to));
      if (type.name === "LabelName") labels.add(text.slice(from, to));
    },
  });
  return { metrics: [...metrics], labels: [...labels] };
}
