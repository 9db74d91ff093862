import type { FaultResult } from "./results.ts";

/** What a run was made on and with. */
export interface RunFacts {
  readonly date: string;
  readonly machine: string;
  readonly command: string;
  readonly seconds: number;
  readonly failed: boolean;
}

/** The page of what was measured, in Markdown. */
export function renderPage(results: readonly FaultResult[], facts: RunFacts): string {
  const total = (of: (result: FaultResult) => number) => results.reduce((sum, result) => sum + of(result), 0);
  const rows = results.map((result) =>
    row([
      result.fault,
      grouped(result.acknowledged),
      grouped(result.missing),
      grouped(result.doubled),
      result.twins === 0 ? "–" : `${grouped(result.recognized)} of ${grouped(result.twins)}`,
      result.recovered.toFixed(1),
      result.lasted.toFixed(1),
      percent(result.tracking),
      percent(result.serving),
      result.perSecond === 0 ? "–" : grouped(result.perSecond),
    ]),
  );
  return `# Faults, as measured

Written by \`${facts.command}\` on ${facts.date}, in ${Math.round(facts.seconds)} s, on ${facts.machine}.
${facts.failed ? "\n**The run failed: at least one case did not hold what it should.**\n" : ""}
Real services (two serving and two ingestion processes, management) on real engines, all on that one machine. Clients send
events all the time, each of a visitor of its own, and every event answered with \`success: true\` is looked for in
ClickHouse. An event is missing when it was acknowledged and is not there, doubled when it is there more than once. After
each fault \`daily\` was compared with \`events\`, by workspace, ad, day, kind and verdict.

- **Duplicates**: of the events that were sent to two processes within a second during the fault, from 2 s after its beginning, how many
  are stored as one that counts and one duplicate. With midnight between the two both count: each day has its own visitors.
- **Recovered**: seconds from the end of the fault (the part is started, woken or reached again) until everything
  acknowledged by then and everything acknowledged three seconds ago can be read in ClickHouse, and for a second every
  request has been answered as it should. Without any fault that takes about a second: events travel in batches. A killed ingestion process keeps its partitions
  until its session ends (10 s). What Kafka may or may not have taken rests in the spill before it is sent again: here for
  12 s (\`SPILL_QUARANTINE_SECONDS\`), by default for 30.
- **Tracking, serving**: share of the requests sent from the beginning of the fault until all had recovered that were
  acknowledged at once, or answered with ads. Clients speak to each process directly, and send an impression that fails again
  after 1 s and 3 s, as the embed does, which these shares do not count: what a killed
  process does not answer counts.

${row(["Fault", "Acknowledged", "Missing", "Doubled", "Duplicates", "Recovered, s", "Lasted, s", "Tracking", "Serving", "Events/s"])}
${row(["---", ...Array<string>(9).fill("--:")])}
${rows.join("\n")}
${row(["**All**", grouped(total((r) => r.acknowledged)), grouped(total((r) => r.missing)), grouped(total((r) => r.doubled)), "", "", "", "", "", ""])}
`;
}

const BEGIN = "<!-- faults: written by npm run test:faults -->";
const END = "<!-- end of faults -->";

/** A guide with the short table, of what was lost and how long it took, between its two marks. Throws without them. */
export function withSummary(guide: string, results: readonly FaultResult[]): string {
  const begin = guide.indexOf(BEGIN);
  const end = guide.indexOf(END);
  if (begin === -1 || end < begin) throw new Error(`The guide has no place for the table: ${BEGIN} … ${END}`);
  const rows = results.map(({ fault, acknowledged, missing, doubled, recovered }) =>
    row([fault, grouped(acknowledged), grouped(missing), grouped(doubled), recovered.toFixed(1)]),
  );
  const head = [
    row(["Fault", "Acknowledged", "Missing", "Doubled", "Recovered, s"]),
    row(["---", ...Array<string>(4).fill("--:")]),
  ];
  const table = [...head, ...rows].join("\n");
  return `${guide.slice(0, begin)}${BEGIN}\n\n${table}\n\n${guide.slice(end)}`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

/** Never rounded up to all. */
function percent(share: number): string {
  return share === 1 ? "100 %" : `${(Math.floor(share * 10_000) / 100).toFixed(2)} %`;
}
