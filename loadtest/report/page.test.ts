import { describe, expect, it } from "vitest";
import { readOptions } from "../measure/options.ts";
import type { Chart } from "./charts.ts";
import { pageOf, type Run } from "./page.ts";
import { svgOf } from "./svg.ts";

const MACHINE = {
  cores: 2,
  processor: "A <processor>",
  memoryGb: 8,
  system: "Linux 6",
  node: "v24",
  layout: "pinned",
};
const BARS: Chart = {
  kind: "bars",
  title: "Throughput",
  unit: "requests/s",
  bars: [
    { label: "bare", value: 200, range: [150, 250] },
    { label: "Placard", value: 100 },
    { label: "not measured", value: Number.NaN },
  ],
};
const LINES: Chart = {
  kind: "lines",
  title: "Memory",
  unit: "MB",
  along: "ads",
  logarithmic: true,
  lines: [
    {
      label: "hot",
      points: [
        [10, 100],
        [100, 100],
        [1_000, 200],
      ],
    },
  ],
};

function aRun(overrides: Partial<Run> = {}): Run {
  return {
    date: new Date("2026-11-21T10:00:00Z"),
    command: "npm run loadtest",
    machine: MACHINE,
    options: readOptions([]),
    results: [
      {
        scenario: "serving",
        rows: [{ load: "8 ads", "req/s": 1_000 }],
        headline: {},
        charts: [BARS],
        details: {},
        complaints: [],
      },
    ],
    ...overrides,
  };
}

describe("pageOf", () => {
  it("shows each scenario with its table and charts", () => {
    const page = pageOf(aRun());

    expect(page).toContain('<section id="serving">');
    expect(page).toContain("<td>8 ads</td><td>1000</td>");
    expect(page).toContain('aria-label="Throughput"');
    expect(page).not.toContain("Failed:");
  });

  it("shows complaints at the top and at the scenario", () => {
    const [served] = aRun().results;
    if (served === undefined) throw new Error("there is one");

    const page = pageOf(aRun({ results: [{ ...served, complaints: ["5 requests failed."] }] }));

    expect(page.match(/Failed: 5 requests failed\./g)).toHaveLength(2);
  });

  it("takes no text for HTML", () => {
    const page = pageOf(aRun({ command: "npm run loadtest -- <script>" }));

    expect(page).toContain("A &lt;processor&gt;");
    expect(page).not.toContain("<script>");
  });

  it("asks nothing of the network", () => {
    expect(pageOf(aRun())).not.toMatch(/(src|href)="(?!#)|url\(|@import/);
  });
});

describe("svgOf", () => {
  it("draws bars in proportion to their values, the highest of a range being the widest", () => {
    const widths = [...svgOf(BARS).matchAll(/<rect [^>]*width="([\d.]+)"/g)].map(([, width]) =>
      Number(width),
    );

    expect(widths).toHaveLength(2);
    expect(widths[0]).toBeCloseTo(2 * (widths[1] ?? 0), 0);
    expect(svgOf(BARS)).toContain(">unknown</text>");
  });

  it("puts points of a growing quantity at equal steps for equal factors", () => {
    const [x1 = 0, x2 = 0, x3 = 0] = [...svgOf(LINES).matchAll(/cx="([\d.]+)"/g)].map(([, x]) => Number(x));

    expect(x2 - x1).toBeCloseTo(x3 - x2, 0);
  });

  it.each([
    { ...BARS, bars: [] },
    { ...LINES, lines: [] },
    { ...LINES, lines: [{ label: "none", points: [[0, 0]] as const }] },
  ])("has no number that is none, also where nothing was measured: %j", (chart) => {
    expect(svgOf(chart)).not.toMatch(/NaN|Infinity/);
  });
});
