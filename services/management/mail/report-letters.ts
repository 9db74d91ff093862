import { clickRateHint, clickRateOf } from "#libs/domain/click-rate.ts";
import type { EmailedPeriod } from "#libs/domain/report-emails.ts";
import { footerOf } from "./advertiser-letters.ts";
import { type ChartedDay, drawDays } from "./day-chart.ts";
import { formats } from "./formats.ts";
import { type Block, type Chart, type Figures, type Letter, link, subject } from "./letter.ts";

interface Counts {
  readonly impressions: number;
  readonly clicks: number;
}

/** A value with its counts; those that advertisers may not see are texts. */
export interface ReportedValue {
  readonly name: string;
  readonly impressions: number | string;
  readonly clicks: number | string;
}

/** What a report by email says. */
export interface ReportFacts {
  readonly workspace: string;
  readonly period: EmailedPeriod;
  readonly timeZone: string;
  readonly counts: Counts;
  /** The counts of as many days before; null where nothing is known of them. */
  readonly before: Counts | null;
  /** Every day in order, as `2026-10-01`. */
  readonly days: readonly (ChartedDay & { readonly date: string; readonly clicks: number })[];
  /** Those with most impressions first. */
  readonly ads: readonly (ReportedValue & Counts)[];
  /** How many ads `counts` includes beyond `ads`. */
  readonly unlisted: number;
  readonly splits: readonly { readonly title: string; readonly values: readonly ReportedValue[] }[];
  /** Where the report is; null without a page to send the reader to. */
  readonly url: string | null;
  readonly unsubscribeUrl: string;
}

/** The report of an advertiser's ads. */
export function advertiserReport(report: ReportFacts & { readonly advertiser: string }): Letter {
  const { workspace, advertiser, period, ads, unlisted, counts } = report;
  const total = ads.length + unlisted > 1 ? { total: rowOf({ name: "All ads", ...counts }) } : {};
  return {
    subject: subject`${capital(periodWords(period))}: your ads on ${workspace}`,
    preheader: countsWords(counts),
    blocks: [
      `Hi ${advertiser},`,
      `In ${periodWords(period)} your ads on ${workspace} had ${countsWords(counts)}.`,
      ...blocksOf(report, { ...tableOf("Ad", ads), ...total }, linkWords(ads)),
    ],
    footer: footerOf(workspace),
    footerLink: { label: "Stop these reports", url: report.unsubscribeUrl },
  };
}

/** The report of a whole workspace to one of its members. */
export function memberReport(report: ReportFacts & { readonly member: string }): Letter {
  const { workspace, member, period, counts } = report;
  return {
    subject: subject`${capital(periodWords(period))}: the ads on ${workspace}`,
    preheader: countsWords(counts),
    blocks: [
      `Hi ${member},`,
      `In ${periodWords(period)} the ads on ${workspace} had ${countsWords(counts)}.`,
      ...blocksOf(report, tableOf("Ad", report.ads), "See the report"),
    ],
    footer: `You're receiving this email because you're a member of ${workspace} on Placard, and its reports are on for you.`,
    footerLink: { label: "Stop these reports", url: report.unsubscribeUrl },
  };
}

function blocksOf(report: ReportFacts, ads: Figures, linkTo: string): readonly Block[] {
  const { unlisted, splits, counts, timeZone, url } = report;
  return [
    comparisonOf(report),
    chartOf(report),
    ...(ads.rows.length === 0 ? [] : [ads]),
    ...(unlisted === 0 ? [] : [`Plus ${moreAds(unlisted)}, included in the totals.`]),
    ...splits.flatMap(({ title, values }): Block[] => [`By ${title.toLowerCase()}:`, tableOf(title, values)]),
    ...link(linkTo, url),
    ...rateRule([counts, ...report.ads]),
    `Days in ${timeZone}. Bots, prefetches and duplicates are excluded.`,
  ].map((block) => (typeof block === "string" ? capital(block) : block));
}

/** The page of an advertiser has the report of one ad. */
function linkWords([first]: ReportFacts["ads"]): string {
  return first === undefined ? "See the report" : `See the report of ${first.name}`;
}

/** `October 2026`, `the week of October 19, 2026`. */
function periodWords({ kind, name }: EmailedPeriod): string {
  return kind === "month" ? formats.month(name) : `the week of ${formats.day(new Date(name))}`;
}

function countsWords({ impressions, clicks }: Counts): string {
  const counted = (count: number, one: string) => `${formats.count(count)} ${count === 1 ? one : `${one}s`}`;
  return `${counted(impressions, "impression")} and ${counted(clicks, "click")}`;
}

/** Both periods and the change, line by line. */
function comparisonOf({ counts, before, period, days }: ReportFacts): Figures {
  const row = (name: string, words: (of: Counts) => string, number: (of: Counts) => number | null) =>
    [
      name,
      words(counts),
      before === null ? "–" : words(before),
      changeWords(number(counts), before && number(before)),
    ] as const;
  const counted = (name: string, kind: keyof Counts) =>
    row(
      name,
      (of) => formats.count(of[kind]),
      (of) => of[kind],
    );
  return {
    kind: "figures",
    head: ["In all", period.kind === "week" ? "Week" : "Month", `${days.length} days before`, "Change"],
    rows: [
      counted("Impressions", "impressions"),
      counted("Clicks", "clicks"),
      row("CTR", formats.clickRate, clickRateOf),
    ],
  };
}

/** `+12.5%`; a dash where there is nothing to compare with. */
function changeWords(now: number | null, before: number | null): string {
  if (now === null || before === null) return "–";
  if (now === before) return formats.change(0);
  return before === 0 ? "–" : formats.change((now - before) / before);
}

function chartOf({ days, counts, period, before }: ReportFacts): Chart {
  const highest = Math.max(0, ...days.map(({ count }) => count ?? 0));
  const pale = before === null ? "" : ` Pale: the ${days.length} days before.`;
  return {
    kind: "chart",
    png: drawDays(days),
    caption: "Impressions per day.",
    note: `Highest: ${formats.count(highest)}.${pale}`,
    alt: `Impressions per day in ${periodWords(period)}, ${formats.count(counts.impressions)} in all.`,
    lines: days.map(
      ({ date, count, clicks }) =>
        `${formats.shortDay(new Date(date))}: ${countsWords({ impressions: count ?? 0, clicks })}`,
    ),
  };
}

function tableOf(title: string, values: readonly ReportedValue[]): Figures {
  return { kind: "figures", head: [title, "Impressions", "Clicks", "CTR"], rows: values.map(rowOf) };
}

function rowOf({ name, impressions, clicks }: ReportedValue) {
  const shown = (count: number | string) => (typeof count === "number" ? formats.count(count) : count);
  const rate =
    typeof impressions === "number" && typeof clicks === "number"
      ? formats.clickRate({ impressions, clicks })
      : "–";
  return [name, shown(impressions), shown(clicks), rate] as const;
}

function moreAds(count: number): string {
  return count === 1 ? "1 more ad" : `${formats.count(count)} more ads`;
}

/** The rule for click rates, once, if any row lacks one. */
function rateRule(counted: readonly Counts[]): string[] {
  const hints = new Set(counted.flatMap((one) => clickRateHint(one) ?? []));
  return [...hints].map((hint) => `CTR: ${hint.toLowerCase()}.`);
}

function capital(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
