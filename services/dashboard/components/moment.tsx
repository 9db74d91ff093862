import { formatMoment, formatZoned } from "./format.ts";

/** Day and time in the reader's time zone, which its title names: days of the stats are in UTC. */
export function Moment({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={formatZoned(at)}>
      {formatMoment(at)}
    </time>
  );
}
