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
    "Impressions a minute taken from one address for one ad, where a workspace sets no limit of its own. 0 is no limit. Serving holds it and management shows it: the same for both.",
  ),
  clicksPerMinute: setting(
    "CLICKS_PER_MINUTE",
    atLeast(0).default(10),
    "Clicks a minute taken from one address for one ad, where a workspace sets no limit of its own. 0 is no limit. Serving holds it and management shows it: the same for both.",
  ),
  serverEventsPerMinute: setting(
    "SERVER_EVENTS_PER_MINUTE",
    atLeast(0)
      .refine((given) => given === 0 || given >= MOST_EVENTS, `must be 0, or ${MOST_EVENTS} or more`)
      .default(6_000_000),
    `Events that the servers of one workspace may report with its tracking keys per minute and process, ${MOST_EVENTS} or more; then 429. It bounds what a key in the wrong hands can do. 0 is no limit.`,
  ),
  blockedNetworksFile: setting(
    "BLOCKED_NETWORKS_FILE",
    text.optional(),
    "List of networks whose impressions and clicks do not count: an address or a range per line (192.0.2.0/24, 2001:db8::/32), comments after #, at most 4 MiB and 100,000 networks. Read again within seconds of a change.",
    "none is blocked",
  ),
  proofValidMinutes: setting(
    "PROOF_VALID_MINUTES",
    between(1, 1_440).default(15),
    "A proof that an ad was handed out is valid for the minute in which it was handed out and for this many minutes after it. Workspaces choose whether events need one.",
  ),
  workspacesPerPerson: setting(
    "WORKSPACES_PER_PERSON",
    atLeast(1).default(20),
    "Most workspaces that one person is an Owner of when they create another. Those they are invited to do not count against it.",
  ),
  ...checkoutLimitSettings,
  uploadMaxBytes: setting(
    "UPLOAD_MAX_BYTES",
    atLeast(0).default(5 * 1024 * 1024),
    "Largest file that an upload is granted for, in bytes.",
    " (5 MiB)",
  ),
  uploadQuotaBytes: setting(
    "UPLOAD_QUOTA_BYTES",
    atLeast(0).default(1024 * 1024 * 1024),
    "Bytes that the uploads of one workspace may take, open grants included; each counts at least 16 KiB. Beyond it, grants are answered 409 and advertisers' images elsewhere are not copied.",
    " (1 GiB)",
  ),
};
