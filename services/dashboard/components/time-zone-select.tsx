import { Select, type SelectProps } from "@mantine/core";
import { zonesByName } from "./time-zones.ts";

interface TimeZoneSelectProps extends Omit<SelectProps, "value" | "onChange" | "data"> {
  /** An IANA name; null for the usual one. */
  readonly value: string | null;
  /** What no choice means: `UTC`. */
  readonly usual: string;
  readonly onChange: (zone: string | null) => void;
}

const SHOWN_AT_ONCE = 50;
const USUAL = "";
const ZONES = zonesByName(Intl.supportedValuesOf("timeZone"));

/** Chooses a time zone by its name. */
export function TimeZoneSelect({ value, usual, onChange, ...look }: TimeZoneSelectProps) {
  const isListed = value === null || ZONES.includes(value);
  return (
    <Select
      searchable
      allowDeselect={false}
      limit={SHOWN_AT_ONCE}
      nothingFoundMessage="No matching time zone"
      {...look}
      data={[
        { value: USUAL, label: usual },
        // It may be another name of a zone, such as Asia/Calcutta of Asia/Kolkata.
        ...(isListed ? [] : [{ value, label: value }]),
        ...ZONES.map((zone) => ({ value: zone, label: zone.replaceAll("_", " ") })),
      ]}
      value={value ?? USUAL}
      onChange={(chosen) => onChange(chosen === null || chosen === USUAL ? null : chosen)}
    />
  );
}
