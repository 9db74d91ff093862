import { MOST_EVENTS } from "#libs/domain/server-events.ts";
import { setting } from "./setting.ts";
import { atLeast, between, text } from "./shapes.ts";

/** What one address may do with checkouts. */
const checkoutLimitSettings = {
  checkoutsPerMinute: setting(
    "CHECKOUTS_PER_MINUTE",
    atLeast(1).default(20),
    "Checkouts that one address may start per minute.",
  ),
  checkoutReadsPerMinute: setting(
    "CHECKOUT_READS_PER_MINUTE",
    atLeast(1).default(120),
    "Reads of checkout sessions that one address may make per minute, at the API and on the pages of advertisers.",
  ),
  submissionsPerMinute: setting(
    "SUBMISSIONS_PER_MINUTE",
    atLeast(1).default(60),
    "Submissions of ads, and grants to upload their images, that one address may ask for per minute.",
  ),
};

/** How much is counted and taken. */
export const limitSettings = {
  impressionsPerMinute: setting(
    "IMPRESSIONS_PER_MINUTE",
    atLeast(0).default(30),
    "Impressions per minute taken from one address for one ad, unless the workspace has its own limit. 0 is no limit. Serving applies it and management shows it: set the same for both.",
  ),
  clicksPerMinute: setting(
    "CLICKS_PER_MINUTE",
    atLeast(0).default(10),
    "Clicks per minute taken from one address for one ad, unless the workspace has its own limit. 0 is no limit. Serving applies it and management shows it: set the same for both.",
  ),
  serverEventsPerMinute: setting(
    "SERVER_EVENTS_PER_MINUTE",
    atLeast(0)
      .refine((given) => given === 0 || given >= MOST_EVENTS, `must be 0, or ${MOST_EVENTS} or more`)
      .default(6_000_000),
    `Events that servers may report with tracking keys, per workspace, minute and process, ${MOST_EVENTS} or more; then 429. It bounds what a stolen key can do. 0 is no limit.`,
  ),
  blockedNetworksFile: setting(
    "BLOCKED_NETWORKS_FILE",
    text.optional(),
    "File of networks whose impressions and clicks do not count: one address or range per line (192.0.2.0/24, 2001:db8::/32), comments after #, at most 4 MiB and 100,000 networks. It is read again within seconds of a change.",
    "none is blocked",
  ),
  browsersFile: setting(
    "BROWSERS_FILE",
    text.optional(),
    "File of qualified browsers in the form of the IAB/ABC International Spiders and Bots List, which is licensed and not part of Placard. A visitor whose user agent no active entry matches is a bot, and so are apps and mail programs that the list leaves out. At most 1 MiB and 20,000 active entries; read again within seconds of a change.",
    "every user agent counts, except known bots",
  ),
  robotsFile: setting(
    "ROBOTS_FILE",
    text.optional(),
    "File of known robots in the same form and size. A visitor whose user agent an active entry matches is a bot, unless one of the entry's exceptions does. It adds to the robots that Placard knows. With BROWSERS_FILE, entries that the list marks as redundant are ignored.",
    "only robots that Placard knows",
  ),
  proofValidMinutes: setting(
    "PROOF_VALID_MINUTES",
    between(1, 1_440).default(15),
    "Minutes that a proof stays valid after the minute in which its ad was handed out. Workspaces choose whether events need a proof.",
  ),
  workspacesPerPerson: setting(
    "WORKSPACES_PER_PERSON",
    atLeast(1).default(20),
    "Most workspaces that one person may own when they create another. Workspaces that they are invited to do not count.",
  ),
  ...checkoutLimitSettings,
  uploadMaxBytes: setting(
    "UPLOAD_MAX_BYTES",
    atLeast(0).default(5 * 1024 * 1024),
    "Largest upload, in bytes.",
    " (5 MiB)",
  ),
  uploadQuotaBytes: setting(
    "UPLOAD_QUOTA_BYTES",
    atLeast(0).default(1024 * 1024 * 1024),
    "Bytes that the uploads of one workspace may take, open grants included; each counts at least 16 KiB. Beyond that, grants get 409 and external images are not copied.",
    " (1 GiB)",
  ),
};
