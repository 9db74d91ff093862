import type { PausedPeriod } from "#libs/domain/charging.ts";
import type { Outlook } from "#libs/domain/outlook.ts";
import { cancellationNotice } from "../cancellation-notices.ts";
import type { Letter } from "../letter.ts";
import { pausedLetter, resumedLetter } from "../pause-letters.ts";
import { graceEndedNotice, paymentFailedNotice } from "../publisher-letters.ts";
import type { SaleFacts } from "../sales.ts";
import {
  canceledLetter,
  graceEndedLetter,
  paymentFailedLetter,
  paymentMadeLetter,
} from "../subscription-letters.ts";

/** A letter with its name. */
export type Named = [string, Letter];

const PAUSED_PERIODS: readonly PausedPeriod[] = ["paid", "owed", "void", "free"];
export const ENDS_AT = new Date("2026-12-01T00:00:00Z");
export const CONTINUES: Outlook = { state: "running", hasAd: true, costs: "its price", end: null };
export const OWED: Outlook = { ...CONTINUES, state: "owed", brings: "rest", liveUntil: null };

/** Every outlook by a name: of a subscription that continues, that was canceled, and that ends after renewals. */
const OUTLOOKS = [null, { at: ENDS_AT, isRenewed: false }, { at: ENDS_AT, isRenewed: true }].flatMap((end) =>
  [true, false].flatMap((hasAd): [string, Outlook][] => {
    const common = { hasAd, costs: "its price", end } as const;
    const name = `${hasAd ? "ad" : "no ad"}, ${end === null ? "continues" : end.isRenewed ? "ends later" : "ends"}`;
    return [
      [`running, ${name}`, { ...common, state: "running" }],
      ...PAUSED_PERIODS.map((period): [string, Outlook] => [
        `paused: ${period}, ${name}`,
        { ...common, state: "paused", period, costs: period === "free" ? "nothing" : "its price" },
      ]),
      ...(["rest", "new period", "nothing"] as const).flatMap((brings) =>
        [null, ENDS_AT].map((liveUntil): [string, Outlook] => [
          `owed: ${brings}, ${liveUntil === null ? "off" : "live"}, ${name}`,
          { ...common, state: "owed", brings, liveUntil },
        ]),
      ),
    ];
  }),
);

/** An end of which there is no more to tell. */
export const NOTHING_MORE = { comment: null, unused: 0, unshown: null, isPaid: false } as const;

/** The letters that tell what follows. */
function lettersAfter(name: string, sale: SaleFacts & { readonly outlook: Outlook }): readonly Named[] {
  const { outlook } = sale;
  const { end } = outlook;
  const letters: Named[] =
    end === null
      ? []
      : [
          [`canceled: ${name}`, canceledLetter({ ...sale, end })],
          [`subscriptionCanceled: ${name}`, cancellationNotice({ ...sale, ...NOTHING_MORE })],
        ];
  if (outlook.state === "paused") letters.push([name, pausedLetter(sale)]);
  if (outlook.state === "running") {
    for (const period of PAUSED_PERIODS)
      letters.push([`resumed: ${period}, ${name}`, resumedLetter({ ...sale, period, paid: 4900 })]);
    letters.push([`paymentMade: ${name}`, paymentMadeLetter(sale)]);
  }
  if (outlook.state === "owed") {
    letters.push(
      [`paymentFailed: ${name}`, paymentFailedLetter({ ...sale, paid: 4900 })],
      [`buyerPaymentFailed: ${name}`, paymentFailedNotice({ ...sale, paid: 4900 })],
      [`graceEnded: ${name}`, graceEndedLetter(sale)],
      [`buyersGraceEnded: ${name}`, graceEndedNotice(sale)],
    );
  }
  return letters;
}

/** The letters that tell what follows, for every outlook. */
export function lettersOfOutlooks(sale: SaleFacts): Named[] {
  return OUTLOOKS.flatMap(([name, outlook]) => lettersAfter(name, { ...sale, outlook }));
}
