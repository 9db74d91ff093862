import { SegmentedControl } from "@mantine/core";

/** The stats windows that pages offer, in days up to and including today. */
const DAYS = [7, 30, 90, 365] as const;
export type Days = (typeof DAYS)[number];

const LABELS: Readonly<Record<Days, string>> = { 7: "7 days", 30: "30 days", 90: "90 days", 365: "1 year" };

/** The window that an address names; 30 days if it names none of those offered. */
export function readDays(value: unknown): Days {
  return DAYS.find((days) => String(days) === String(value)) ?? 30;
}

/** Reads the window from the address of a page with stats; the page shows 30 days without one. */
export function readDaysSearch({ days }: Record<string, unknown>): { readonly days?: Days } {
  return days === undefined ? {} : { days: readDays(days) };
}

interface DaysSwitchProps {
  readonly value: Days;
  readonly onChange: (days: Days) => void;
}

/** Chooses the stats window. */
export function DaysSwitch({ value, onChange }: DaysSwitchProps) {
  return (
    <SegmentedControl
      aria-label="Period"
      size="sm"
      className="days-switch"
      data={DAYS.map((days) => ({ value: String(days), label: LABELS[days] }))}
      value={String(value)}
      onChange={(chosen) => onChange(readDays(chosen))}
    />
  );
}
