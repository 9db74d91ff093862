import { type Days, readDays } from "../shell/days.tsx";

/** What the address of the overview holds. */
export interface OverviewSearch {
  readonly days?: Days;
}

export function readOverviewSearch({ days }: Record<string, unknown>): OverviewSearch {
  return days === undefined ? {} : { days: readDays(days) };
}
