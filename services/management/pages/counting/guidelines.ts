interface Guideline {
  readonly asked: string;
  readonly state: "Yes" | "In part" | "No";
  readonly how: string;
}

/** What the industry's guidelines ask for, and what of it is met. */
export const GUIDELINES: readonly Guideline[] = [
  {
    asked: "Count on the visitor's side, not when an ad is requested",
    state: "Yes",
    how: "An answer with ads counts nothing. The page reports what was in view.",
  },
  {
    asked: "Keep caches from hiding or repeating events",
    state: "Yes",
    how: "Reports are POST requests, or are marked as not to be cached.",
  },
  {
    asked: "A viewable impression: 50% of the pixels for one second in a tab in front",
    state: "In part",
    how: "By the embed script, for ads of any size. It does not wait until the ad's image has been drawn. Impressions from other sources are not measured for it.",
  },
  {
    asked: "Tell measured from not measurable, and give the rate of viewable impressions",
    state: "No",
    how: "Ads that were not in view are not reported, so there is no rate.",
  },
  {
    asked: "Count a click where it arrives, before the visitor is forwarded",
    state: "Yes",
    how: "It is recorded when it is reported or forwarded, not when the advertiser's page opens. The advertiser's own counts may be lower.",
  },
  {
    asked: "Leave out repeated clicks and impressions",
    state: "Yes",
    how: "As duplicates, within the seconds named above.",
  },
  {
    asked: "Leave out robots by the list of IAB and ABC International, in two passes",
    state: "In part",
    how: "In both passes where the operator has the licensed lists of browsers and robots; otherwise in one pass, by an open list of robots.",
  },
  {
    asked: "Leave out data centers",
    state: "In part",
    how: "Where the operator gives a list of their networks.",
  },
  {
    asked: "Leave out what browsers load ahead",
    state: "Yes",
    how: "As prefetches, also those of mail services that load images for their readers.",
  },
  {
    asked: "Leave out activity that no person has",
    state: "In part",
    how: "By limits for each address and ad. There is no analysis of behavior over longer times.",
  },
  {
    asked: "Find sophisticated invalid traffic",
    state: "No",
    how: "Proofs make events dearer to invent; they do not show who looked.",
  },
  {
    asked: "Show gross and net figures, with reasons",
    state: "Yes",
    how: "Each report has what did not count beside what did, and splits it by verdict.",
  },
  {
    asked: "Disclose the method, and changes to it",
    state: "Yes",
    how: "This page, and the source code.",
  },
  {
    asked: "Audit by an independent party",
    state: "No",
    how: "The operator can compare all sums with the single events at any time.",
  },
];

interface RuleChange {
  readonly release: string;
  readonly changes: readonly string[];
}

/** Changes to the rules, newest first. */
export const CHANGES: readonly RuleChange[] = [
  {
    release: "After release 0.1.0",
    changes: [
      "Duplicates and limits are judged over all processes by the time of each event, in whatever order events come. Before, each process judged by what it had seen.",
      "New verdicts: over the limit, blocked networks, and events without proof where a publisher asks for it.",
      "An operator can add the licensed lists of browsers and robots of IAB and ABC International, which are applied in two passes.",
      "Publishers can correct days of an ad whose traffic turns out to be invalid. The correction, its reason and its end are recorded.",
      "Visitors whose browser asks for privacy are no longer among the visitors.",
      "Servers, links and images can report events.",
    ],
  },
  {
    release: "Release 0.1.0, November 21, 2026",
    changes: [
      "The first release: impressions and clicks by page, robots, prefetches, ads that are off, and duplicates.",
    ],
  },
];
