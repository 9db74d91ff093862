import { type Letter, link, quoteList, subject } from "./letter.ts";
import { publisherFooter } from "./publisher-letters.ts";

/** The letter about live ads without views in `hours`, and about ads with at least `invalidPercent` percent invalid events. */
export function adAlertNotice({
  workspace,
  hours,
  invalidPercent,
  unseen,
  invalid,
  isAllUnseen,
  url,
}: {
  readonly workspace: string;
  readonly hours: number;
  readonly invalidPercent: number;
  readonly unseen: readonly string[];
  readonly invalid: readonly string[];
  readonly isAllUnseen: boolean;
  readonly url: string;
}): Letter {
  const time = hours === 1 ? "the last hour" : `the last ${hours} hours`;
  const [first = "", ...others] = [...unseen, ...invalid];
  const what =
    unseen.length === 0
      ? "much invalid traffic"
      : invalid.length === 0
        ? "no views"
        : "no views or invalid traffic";
  return {
    subject:
      others.length === 0
        ? subject`${workspace}: ${what} for ${first}`
        : subject`${workspace}: ${what} for ${first} and ${String(others.length)} more`,
    preheader: `In ${time}.`,
    blocks: [
      ...(unseen.length === 0
        ? []
        : [
            isAllUnseen
              ? `None of your live ads was seen in ${time}. Check that your site still shows them:`
              : `Live, but without a view in ${time}. Check that your site still shows them:`,
            quoteList(unseen),
          ]),
      ...(invalid.length === 0
        ? []
        : [
            `At least ${invalidPercent}% of the traffic of these ads in ${time} was invalid and isn't counted. “Traffic quality” on each ad's page says why:`,
            quoteList(invalid),
          ]),
      ...link(others.length === 0 ? "View ad" : "View ads", url),
    ],
    footer: publisherFooter(workspace),
  };
}
