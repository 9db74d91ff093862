import type { EventToJudge, Judgement } from "../port.ts";

/** The rules, as plainly as they can be written: it compares each event with all that counted before, and forgets nothing. */
export function createModel(): (visit: EventToJudge & { readonly name: string | null }) => Judgement {
  const counted: { readonly key: string; readonly occurredAt: number }[] = [];
  const taken = new Map<string, number>();

  return ({ adId, kind, name, occurredAt, windowMs, limitKey, limit }) => {
    const used = taken.get(limitKey) ?? 0;
    if (limit > 0 && used >= limit) return "limited";
    // What has no limit takes nothing from that of others, as where the limit is set in the middle of a minute.
    if (limit > 0) taken.set(limitKey, used + 1);
    if (name === null || windowMs === 0) return "fresh";
    const key = `${adId} ${kind} ${name}`;
    if (counted.some((one) => one.key === key && Math.abs(one.occurredAt - occurredAt) < windowMs))
      return "duplicate";
    counted.push({ key, occurredAt });
    return "fresh";
  };
}
