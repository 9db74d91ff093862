import { z } from "zod";
import { NOT_KNOWN, OTHER_VALUE } from "#libs/domain/event-place.ts";
import { GRANULARITIES, MOST_DAYS_BY_HOUR, MOST_REPORT_DAYS } from "#libs/domain/report-buckets.ts";
import { COMPARISONS } from "#libs/domain/report-comparison.ts";
import {
  DIMENSION_NAMES,
  LONGEST_FILTER_VALUE,
  MOST_DIMENSIONS,
  MOST_FILTER_VALUES,
  perDimension,
  REPORT_DIMENSIONS,
  REPORT_METRICS,
  type ReportDimension,
  type TextDimension,
} from "#libs/domain/report-dimensions.ts";
import { REPORT_WARNING_CODES } from "#libs/domain/report-warnings.ts";
import { CSV_FORMAT, csvFile } from "./csv-file.ts";
import { memberApi } from "./errors.ts";
import { describeInQuery, page, pageOf, perPage, queryChoices, queryList, queryTexts } from "./query.ts";
import { id, timeZone, whole } from "./text.ts";

function testsOf(dimension: ReportDimension) {
  return { is: valuesOf(dimension, "only"), isNot: valuesOf(dimension, "not") };
}

function textsOf(example: string, description: string) {
  return queryTexts({ most: MOST_FILTER_VALUES, longest: LONGEST_FILTER_VALUE, description, example });
}

function valuesOf(dimension: ReportDimension, which: "only" | "not") {
  const about = REPORT_DIMENSIONS[dimension];
  const what = `${which === "only" ? "Only" : "All but"} events ${about.events}`;
  if (about.form === "text")
    return textsOf(about.example, `${what}. \`${NOT_KNOWN}\` are those that say nothing of it.`);
  return about.form === "named"
    ? queryList({ most: MOST_FILTER_VALUES, description: `${what}: ids. Unknown ones are no error.` })
    : queryChoices<string>(about.values, { most: MOST_FILTER_VALUES, description: `${what}.` });
}

const ofPath = z.object({
  ...testsOf("path"),
  contains: textsOf("/blog/", "Only events on pages whose path has one of these texts in it."),
});

const DATE = "^20\\d{2}-\\d{2}-\\d{2}$";

/** That it is a day of the calendar, and of a period that reports take, is for the period to say. */
function date(description: string) {
  const schema = z.string().optional();
  describeInQuery(schema, { type: "string", pattern: DATE, description });
  return schema;
}

/** What every form of a report takes. */
const question = {
  from: date("First day, in the time zone. Left out: 30 days up to `to`."),
  to: date("Last day, to its end. Left out: today."),
  timeZone: timeZone.optional(),
  granularity: z
    .enum(GRANULARITIES)
    .default("none")
    .meta({
      description: `A row for each part of the period, which has at most ${MOST_REPORT_DAYS} days, and at most ${MOST_DAYS_BY_HOUR} by \`hour\` and \`quarter-hour\`. A week begins on Monday.`,
    }),
  groupBy: queryChoices(DIMENSION_NAMES, {
    most: MOST_DIMENSIONS,
    description: `A row for each value that has events; of two dimensions, for each pair. At most ${MOST_DIMENSIONS}.`,
  }),
  ...perDimension((dimension) => z.object(testsOf(dimension)).optional()),
  path: ofPath.optional(),
  metrics: queryChoices(REPORT_METRICS, {
    most: REPORT_METRICS.length,
    description: "What rows have; all if left out.",
  }),
  sort: z.enum(REPORT_METRICS).default("impressions").meta({
    description: "The order of rows of the same time, the highest first.",
  }),
  compare: z.enum(COMPARISONS).default("none").meta({
    description:
      "`previous`: as many days before `from`. `year`: the same dates a year earlier; 29 February is compared with 28 February.",
  }),
  matchWeekday: z.enum(["yes", "no"]).default("no").meta({
    description: "`yes` compares equal weekdays: the earlier period is moved back by whole weeks.",
  }),
};
const ofWorkspace = z.object({ workspaceId: z.string() }).extend(question);
export type ReportInput = Omit<z.output<typeof ofWorkspace>, "workspaceId">;

const day = z.iso.date().meta({ examples: ["2026-11-21"] });
const localTime = z.iso.datetime({ offset: true }).meta({
  description: "ISO 8601 in the time zone, with its offset.",
  examples: ["2026-11-23T00:00:00+05:45"],
});

const count = (description: string) => whole.nullable().exactOptional().meta({ description });
const metrics = z
  .object({
    impressions: count("Valid impressions."),
    clicks: count("Valid clicks."),
    ctr: z
      .number()
      .min(0)
      .nullable()
      .exactOptional()
      .meta({ description: "Clicks per impression; null without impressions." }),
    invalid: count("Impressions and clicks that do not count, for whatever reason."),
  })
  .meta({
    description:
      "Those that were asked for. All are null for a time that ended before the workspace's first event, or has not begun.",
  });

const named = (example: string) =>
  z
    .object({ id: id(example), name: z.string().nullable() })
    .nullable()
    .exactOptional();
const listed = (dimension: "verdict" | "source" | "device") =>
  z.enum(REPORT_DIMENSIONS[dimension].values).exactOptional();
const told = (dimension: TextDimension) =>
  z
    .string()
    .exactOptional()
    .meta({
      description: `\`${NOT_KNOWN}\` where the event says nothing of it, \`${OTHER_VALUE}\` beyond the most values that are kept apart.`,
      examples: [REPORT_DIMENSIONS[dimension].example],
    });

/** The values of a row; the compiler asks for every dimension. */
const dimensions = z.object({
  time: localTime.exactOptional(),
  ad: named("ad_01kahm4sw4fksra52s8bd8xkd1"),
  advertiser: named("adv_01kahm4sw4fksra52s8bd8xkd1"),
  tier: named("tier_01kahm4sw4fksra52s8bd8xkd1"),
  verdict: listed("verdict"),
  source: listed("source"),
  placement: told("placement"),
  path: told("path"),
  referrer: told("referrer"),
  country: told("country"),
  device: listed("device"),
  browser: told("browser"),
} satisfies Record<ReportDimension | "time", z.ZodType>);

/** One row of a report. */
export const reportRow = z.object({
  dimensions,
  metrics,
  comparison: z
    .object({
      time: localTime
        .nullable()
        .exactOptional()
        .meta({ description: "When the earlier time began; null if there was none." }),
      metrics,
    })
    .exactOptional(),
});
export type ReportRow = z.output<typeof reportRow>;

const tests = { is: z.array(z.string()).optional(), isNot: z.array(z.string()).optional() };

const understood = z
  .object({
    from: day,
    to: day,
    timeZone,
    granularity: z.enum(GRANULARITIES),
    groupBy: z.array(z.enum(DIMENSION_NAMES)),
    filters: z.object({
      ...perDimension(() => z.object(tests).optional()),
      path: z.object({ ...tests, contains: z.array(z.string()).optional() }).optional(),
    }),
    metrics: z.array(z.enum(REPORT_METRICS)),
    sort: z.enum(REPORT_METRICS),
    compare: z.enum(COMPARISONS),
    matchWeekday: z.boolean(),
    comparison: z
      .object({
        from: day,
        to: day,
        until: localTime
          .nullable()
          .meta({ description: "Where the comparison ends; null if nothing of the period has passed." }),
      })
      .nullable(),
  })
  .meta({ description: "What was understood, after defaults." });

/** A page of a report. */
export const report = pageOf(reportRow)
  .omit({ items: true, nextCursor: true })
  .extend({
    query: understood,
    results: z.array(reportRow).meta({
      description:
        "In the order of time, then of `sort`. With `granularity` every value has a row for every time.",
    }),
    totals: reportRow.omit({ dimensions: true }),
    warnings: z.array(z.object({ code: z.enum(REPORT_WARNING_CODES), message: z.string() })),
  });
export type Report = z.output<typeof report>;

const RULES =
  "Impressions and clicks of a period of local days, split by time and by up to two dimensions, and compared with an earlier period. Events show within three seconds.";

/** How many advertisers get which reports by email. */
export const reportReaders = z.object({
  advertisers: z.object({ week: whole, month: whole, never: whole }).meta({
    description:
      "Advertisers with an ad and an email address, by what they have chosen. Nobody gets any while `mails.monthlyReports` of the settings is off.",
  }),
});

export const reportsContract = {
  get: memberApi("Viewer")
    .meta({ csv: "reports.export" })
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/reports",
      tags: ["Ads"],
      summary: "Report on impressions and clicks",
      description: `${RULES} With \`Accept: text/csv\` and without \`page\` and \`perPage\`, the answer is that of \`reports.csv\`.`,
    })
    .input(ofWorkspace.extend({ page, perPage }))
    .output(report),
  export: memberApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/reports.csv",
      tags: ["Ads"],
      summary: "Download a report as CSV",
      description: `${RULES} All rows of all pages: ${CSV_FORMAT}`,
    })
    .input(ofWorkspace)
    .output(csvFile),
  readers: memberApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/report-emails",
      tags: ["Ads"],
      summary: "Count the advertisers who get reports by email",
      description: "Members' own choices are in the list of members.",
    })
    .input(z.object({ workspaceId: z.string() }))
    .output(reportReaders),
};
