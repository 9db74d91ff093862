import { SegmentedControl } from "@mantine/core";

/** The windows of stats that pages offer, in days up to and including today. */
export const DAYS = [7, 30, 90, 365] as const;
export type Days = (typeof DAYS)[number];

const LABELS: Readonly<Record<Days, string>> = { 7: "7 days", 30: "30 days", 90: "90 days", 365: "1 year" };

/** The window that an address names; 30 days where it names none that is offered. */
export function readDays(value: unknown): Days {
  return DAYS.find((days) => String(days) === String(value)) ?? 30;
}

interface DaysSwitchProps {
  readonly value: Days;
  readonly onChange: (days: Days) => void;
}

/** Chooses the window of the stats in view. */
export function DaysSwitch({ value, onChange }: DaysSwitchProps) {
  return (
    <SegmentedControl
      aria-label="Period"
      size="sm"
      data={DAYS.map((days) => ({ value: String(days), label: LABELS[days] }))}
      value={String(value)}
      onChange={(chosen) => onChange(readDays(chosen))}
    />
  );
}
