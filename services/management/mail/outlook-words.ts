// What letters and pages say of a subscription's later charges and days.
import type { Outlook } from "#libs/domain/outlook.ts";
import { AT_RESUMPTION, ifResumed } from "#libs/domain/pause-words.ts";
import { formats } from "./formats.ts";

type Owed = Extract<Outlook, { readonly state: "owed" }>;

/** True also of a cancellation in the hour in which the invoice of the current period is still a draft. */
const NO_OTHER_PERIOD: Readonly<Record<Outlook["costs"], string>> = {
  nothing: "",
  "nothing in the trial": "You won't be charged.",
  "its price": "You won't be charged for another period.",
};
/** What a payment brings that comes when the grace has taken all of its period. */
const STARTS_ANEW = "A new billing period starts then, and is charged as well.";
const RENEWED_UNTIL_THEN = "Renewals are charged until then.";

/** What follows, to the advertiser. Empty where the subscription simply continues. */
export function whatFollows(outlook: Outlook): string {
  const { end } = outlook;
  if (end === null) return untilCanceled(outlook);
  const day = formats.day(end.at);
  if (end.isRenewed)
    return sentences(untilCanceled(outlook), `Your subscription ends on ${day}.`, RENEWED_UNTIL_THEN);
  return sentences(untilTheEnd(outlook, day), NO_OTHER_PERIOD[outlook.costs]);
}

function untilCanceled(outlook: Outlook): string {
  switch (outlook.state) {
    case "running":
      return "";
    case "paused":
      return outlook.period === "free"
        ? "It's shown again once it's resumed."
        : `You won't be charged until it's resumed. ${AT_RESUMPTION[outlook.period]}`;
    case "owed":
      return outlook.liveUntil === null
        ? sentences(`Your ad is ${shown(outlook)} once you've paid.`, startsAnew(outlook))
        : `Pay by ${formats.time(outlook.liveUntil)} to keep your ad live.`;
  }
}

function untilTheEnd(outlook: Outlook, day: string): string {
  switch (outlook.state) {
    case "running":
      return outlook.hasAd ? `Your ad keeps running until ${day}.` : `Your subscription ends on ${day}.`;
    case "paused":
      return `Your subscription ends on ${day}${ifResumed(outlook.period, "your ad is resumed")}`;
    case "owed":
      if (outlook.brings === "nothing")
        return `The payment is still due, for days on which your ad ${was(outlook)} shown without it. Your subscription ends on ${day} at the latest.`;
      return outlook.liveUntil === null
        ? `The payment is still due. Once it's made, your ad is ${shown(outlook)}, for the rest of that period. Without it, your subscription ends on ${day} at the latest.`
        : `The payment is still due. Pay by ${formats.time(outlook.liveUntil)} to keep your ad live until ${day}, when your subscription ends.`;
  }
}

function was({ liveUntil }: Owed): string {
  return liveUntil === null ? "was" : "is";
}

function shown({ hasAd }: Owed): string {
  return hasAd ? "shown again" : "shown";
}

function startsAnew({ brings }: Owed): string {
  return brings === "new period" ? STARTS_ANEW : "";
}

/** What follows, to the publisher. Empty where the subscription simply continues. */
export function whatFollowsForPublisher(outlook: Outlook): string {
  const { end } = outlook;
  if (end === null) return outlook.state === "owed" ? onceTheyPaid(outlook) : "";
  const day = formats.day(end.at);
  const ends = `The subscription ends on ${day}.`;
  switch (outlook.state) {
    case "running":
      if (end.isRenewed) return `${ends} ${RENEWED_UNTIL_THEN}`;
      return outlook.hasAd ? `The ad stays live until ${day}, then the subscription ends.` : ends;
    case "paused":
      if (end.isRenewed) return `The ad is paused. ${ends} ${RENEWED_UNTIL_THEN}`;
      return `The ad is paused. The subscription ends on ${day}${ifResumed(outlook.period, "you resume the ad")}`;
    case "owed":
      if (end.isRenewed) return `${onceTheyPaid(outlook)} ${ends} ${RENEWED_UNTIL_THEN}`;
      if (outlook.brings === "nothing")
        return `${onceTheyPaid(outlook)} The subscription ends on ${day} at the latest.`;
      return outlook.liveUntil === null
        ? `The payment is still due. Once it's made, the ad is ${shown(outlook)}, for the rest of that period. Without it, the subscription ends on ${day} at the latest.`
        : `The payment is still due. The ad stays live until ${formats.time(outlook.liveUntil)}. If they pay before that, it stays live until ${day}, when the subscription ends.`;
  }
}

function onceTheyPaid(outlook: Owed): string {
  const { brings, liveUntil } = outlook;
  if (brings === "nothing")
    return `The payment is still due, for days on which the ad ${was(outlook)} shown without it.`;
  return liveUntil === null
    ? sentences(`The ad is ${shown(outlook)} once they've paid.`, startsAnew(outlook))
    : `The ad stays live until ${formats.time(liveUntil)}. After that it's shown once they've paid.`;
}

function sentences(...all: readonly string[]): string {
  return all.filter((sentence) => sentence !== "").join(" ");
}
