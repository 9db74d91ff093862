import { z } from "zod";
import { USUAL_ADVERTISER_SPLITS } from "#libs/domain/advertiser-report.ts";
import { PLACE_COLUMNS } from "#libs/domain/event-place.ts";
import { DROP_REASONS, DROPPED_MAILS_DAYS } from "#libs/domain/letters.ts";
import { LONGEST, MOST, MOST_PER_MINUTE } from "#libs/domain/limits.ts";
import { CHARGE_AT, MOST_GRACE_DAYS } from "#libs/domain/settings.ts";
import type { UtmParameter } from "#libs/domain/utm.ts";
import { alerts, mails } from "./email-settings.ts";
import { memberApi } from "./errors.ts";
import { mediaKit } from "./media-kit.ts";
import { pageOf } from "./query.ts";
import { email, note, timestamp, trimmedText, whole, timeZone as zoneName } from "./text.ts";

const ofOneAddress = "a minute from one address for one ad";

function ownLimit(what: string) {
  return z
    .int()
    .min(0)
    .max(MOST_PER_MINUTE)
    .nullable()
    .meta({
      description: `${what} ${ofOneAddress}; 0 is no limit, null the installation's.`,
      examples: [60],
    });
}

function limitInEffect(what: string) {
  return z
    .int()
    .min(0)
    .meta({ description: `${what} ${ofOneAddress}; 0 is no limit.`, examples: [60] });
}

function utmValue(parameter: UtmParameter, example: string) {
  return trimmedText(1, LONGEST.utm)
    .nullable()
    .meta({ description: `Value of \`utm_${parameter}\`; null leaves it out.`, examples: [example] });
}

const audiencePublic = z.boolean().meta({
  description: "Whether the advertising page shows the stats of the last 30 days. False until turned on.",
  examples: [false],
});

const contactEmail = email.nullable().meta({
  description:
    "Where advertisers reach the publisher; null for no address. Shown on the advertising pages and in emails to advertisers, whose replies go there.",
  examples: ["ads@example.com"],
});

const chargeAt = z.enum(CHARGE_AT).meta({
  description:
    "When an advertiser is charged first: `purchase`, at checkout, or `approval`, when their ad is approved; their card is saved at checkout. Applies to new purchases.",
  examples: ["purchase"],
});

const renewalGraceDays = z
  .int()
  .min(0)
  .max(MOST_GRACE_DAYS)
  .meta({
    description:
      "Days that an ad stays live after a renewal payment has failed, from the first failed attempt, and at most to the end of the period that is unpaid; 0 takes it off the air at once.",
    examples: [3],
  });

const requireProof = z.boolean().meta({
  description:
    "Whether impressions and clicks count only with a proof that the ad was handed out shortly before: `proof` of an ad asked for with `proof=1`. Others have the verdict `unproven`. False until turned on.",
  examples: [false],
});

const recordPages = z.boolean().meta({
  description:
    "Whether events keep the path of the page that showed the ad and the host of the site that its visitor came from, so that reports can be split by them. True until turned off; what is kept already stays.",
  examples: [true],
});

const countVisitors = z.boolean().meta({
  description:
    "Whether events keep a hash of their visitor, by which different visitors of a day are counted. Turned off, all visitors are counted as those who ask for privacy. True until turned off; what is kept already stays.",
  examples: [true],
});

const timeZone = zoneName.nullable().meta({
  description: "Default time zone of reports: an IANA name; null is UTC.",
  examples: ["Europe/Berlin"],
});

const advertiserSplits = z
  .array(z.enum(PLACE_COLUMNS))
  .max(PLACE_COLUMNS.length)
  .meta({
    description:
      "What advertisers may split the report of their ad by. Counts below 5 of a value show as `<5`. By country and device until changed.",
    examples: [USUAL_ADVERTISER_SPLITS],
  });

const utm = z
  .object({
    source: utmValue("source", "example-weekly"),
    medium: utmValue("medium", "newsletter"),
    campaign: utmValue("campaign", "sponsors"),
  })
  .meta({
    description:
      "Added to an advertiser's address on every click, as `utm_source`, `utm_medium` and `utm_campaign`: in the `websiteUrl` of served ads and in the redirect of clicks. Null for nothing. Parameters that the address has already stay. `{ad}` and `{tier}` stand for the names of the ad and its tier.",
  });

const savedReplies = z
  .array(note)
  .max(MOST.savedReplies, `Must have at most ${MOST.savedReplies} replies.`)
  .meta({
    description: "Notes to advertisers that reviewers can choose, in the order shown.",
    examples: [["Please use fewer capitals."]],
  });

const limits = {
  impressionsPerMinute: ownLimit("Impressions taken"),
  clicksPerMinute: ownLimit("Clicks taken"),
};

/** What a publisher sets of a workspace beside what it is called. */
export const workspaceSettings = z.object({
  audiencePublic,
  contactEmail,
  chargeAt,
  renewalGraceDays,
  requireProof,
  recordPages,
  countVisitors,
  timeZone,
  advertiserSplits,
  utm,
  savedReplies,
  mediaKit: z.object(mediaKit).meta({
    description: "What the advertising page tells about the site. Texts are plain; their line breaks count.",
  }),
  limits: z
    .object(limits)
    .meta({ description: "The workspace's own limits. Events over a limit are not counted." }),
  limitsInEffect: z
    .object({
      impressionsPerMinute: limitInEffect("Impressions taken"),
      clicksPerMinute: limitInEffect("Clicks taken"),
    })
    .meta({
      description: "The limits in effect: the workspace's own, or the installation's where it has none.",
    }),
  mails: z.object(mails).meta({
    description:
      "Which emails are sent. Emails to people about their account, to advertisers about their ad, and about refunds that are late, have failed or were made for late payments are always sent.",
  }),
  alerts: z.object(alerts).meta({
    description:
      "When `adAlert` is sent: each hour, about live ads without a view where their weight made at least ten likely, or with much invalid traffic; about each ad once, until that ends. By 24 hours and 50 percent until changed.",
  }),
});
export type WorkspaceSettings = z.output<typeof workspaceSettings>;

const settingsChange = workspaceSettings
  .omit({ utm: true, mediaKit: true, limits: true, limitsInEffect: true, mails: true, alerts: true })
  .extend({
    utm: utm.partial(),
    mediaKit: z.object(mediaKit).partial(),
    limits: z.object(limits).partial(),
    mails: z.object(mails).partial(),
    alerts: z.object(alerts).partial(),
  })
  .partial();
export type SettingsChange = z.output<typeof settingsChange>;

/** Emails for a workspace that nobody received. */
export const droppedEmails = z.object({
  recipient: z.enum(["publisher", "advertiser"]),
  kind: z.string().meta({
    description:
      "What they were about: to a publisher as in `mails`; to an advertiser `purchase`, `missing-ad`, `links`, `decision`, `pause`, `refund`, `billing` or `report`. Later releases may have more.",
    examples: ["refund"],
  }),
  reason: z.enum(DROP_REASONS).meta({
    description:
      "`limit`: too many of the kind to one address within an hour. `refused`: the mail server refused them for good. `unsent`: every attempt failed.",
  }),
  emails: whole.meta({ examples: [3] }),
  lastAt: timestamp,
});
export type DroppedEmails = z.output<typeof droppedEmails>;

const inWorkspace = z.object({ workspaceId: z.string() });

export const settingsContract = {
  get: memberApi("Viewer")
    .meta({ isTagged: true })
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/settings",
      tags: ["Workspaces"],
      summary: "Get a workspace's settings",
      description:
        "With the limits in effect, which are the installation's where the workspace has none of its own.",
    })
    .input(inWorkspace)
    .output(workspaceSettings),
  droppedEmails: memberApi("Manager")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/dropped-emails",
      tags: ["Workspaces"],
      summary: "Count the emails that nobody received",
      description: `Of the last ${DROPPED_MAILS_DAYS} days, by recipient, kind and reason, newest first, as one page.`,
    })
    .input(inWorkspace)
    .output(pageOf(droppedEmails)),
  update: memberApi("Owner")
    .meta({ isTagged: true, takesIfMatch: true })
    .route({
      method: "PATCH",
      path: "/workspaces/{workspaceId}/settings",
      tags: ["Workspaces"],
      summary: "Change a workspace's settings",
      description:
        "Settings that are not sent keep their values, within `utm`, `mediaKit`, `limits`, `mails` and `alerts` as well; `topics` and `faq` are replaced as a whole. A limit applies within a second, to the current minute.",
    })
    .input(inWorkspace.extend(settingsChange.shape))
    .output(workspaceSettings),
};
