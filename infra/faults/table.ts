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

Measured on ${facts.date}, in ${Math.round(facts.seconds)} s, on ${facts.machine}:

\`\`\`sh
${facts.command}
\`\`\`
${facts.failed ? "\n**The run failed: at least one case did not hold what it should.**\n" : ""}
Two serving processes, two ingestion processes, management and real engines run on one machine. Clients send events all the time,
each from its own visitor. Afterwards each event that was answered with \`success: true\` is looked for in ClickHouse, and \`daily\`,
\`quarter\` and \`wide\` are compared with \`events\` by workspace, ad, day, kind and verdict. With a full spill, tracking has to answer 503.

| Column | Shows |
|---|---|
| Missing | acknowledged events that ClickHouse does not have |
| Doubled | acknowledged events that it has more than once |
| Duplicates | of the events sent to two processes, how many are stored as one that counts and one duplicate |
| Recovered, s | seconds from the end of the fault until all acknowledged events can be read and every request is answered again |
| Lasted, s | seconds that the fault lasted |
| Tracking, Serving | share of requests acknowledged, or answered with ads, at the first attempt, from the fault to the recovery |

- Recovery takes about a second without any fault, because events travel in batches. A killed ingestion process keeps its partitions
  until its session ends (10 s). Appends with an unclear result wait in the spill for 12 s here, 30 s by default
  (\`SPILL_QUARANTINE_SECONDS\`).
- Events go to two processes within a second, from 2 s after the start of the fault. Around midnight both count: each day has its
  own visitors.
- Clients speak to each process directly, so requests that a killed process does not answer lower the shares. Like the embed
  script, clients repeat a refused impression after 1 s and 3 s; the shares do not count these attempts.

${row(["Fault", "Acknowledged", "Missing", "Doubled", "Duplicates", "Recovered, s", "Lasted, s", "Tracking", "Serving", "Events/s"])}
${row(["---", ...Array<string>(9).fill("--:")])}
${rows.join("\n")}
${row(["**All**", grouped(total((r) => r.acknowledged)), grouped(total((r) => r.missing)), grouped(total((r) => r.doubled)), "", "", "", "", "", ""])}
`;
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
