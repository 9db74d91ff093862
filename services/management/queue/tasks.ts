import { z } from "zod";
import { PUBLISHER_MAILS } from "#libs/domain/settings.ts";
import { queuedMail } from "./queued-mail.ts";
import { type RunnerName, type Schedule, type Task, task } from "./task.ts";

const ofWorkspace = z.object({ workspaceId: z.string() });
/** The workspace is missing from jobs of older releases. */
const ofSubscription = z.object({ subscriptionId: z.string(), workspaceId: z.string().exactOptional() });
const noPayload = z.object({});
/** The scheduled time. */
const atTime = z.object({ _cron: z.object({ ts: z.iso.datetime() }) });

/** An image and the version of it that was approved. Jobs of older releases have one. */
const seenImage = z.object({ key: z.string(), version: z.string() });

/** A task that the clock queues. It has few attempts, because the next job comes soon. */
function periodic(name: string, runner: RunnerName, schedule: Schedule) {
  return task({ payload: noPayload, runner, key: () => name, maxAttempts: 3, schedule });
}

/** As `periodic`, of one that may take longer than until the next: one job runs at a time, and at most one waits. */
function pass(name: string, schedule: Schedule) {
  return { ...periodic(name, "lengthy", `${schedule}&queue=${name}&jobKey=${name}`), queue: () => name };
}

/** Where a pass over a workspace's rows continues (`after` the last tried row), and whether the processor has refused any row. */
const turn = z.object({ after: z.string(), hasRefused: z.boolean() });
export type Turn = z.output<typeof turn>;

const tasks = {
  /** Publishes a workspace's snapshot to serving. */
  snapshot: task({
    payload: ofWorkspace,
    runner: "publishing",
    key: ({ workspaceId }) => `snapshot:${workspaceId}`,
  }),
  /** Publishes the snapshots that the store has in an older version than the database. */
  "compare-snapshots": periodic("compare-snapshots", "publishing", "* * * * * ?max=1"),
  /** Brings forward jobs that have waited long behind those of other parties. */
  "bring-forward": periodic("bring-forward", "publishing", "* * * * * ?max=1"),
  /**
   * After a change of the grace period: sets the serving windows of some ads with an unpaid renewal, `after` one, and stops ended
   * periods. A newer change begins with the first again, and its later jobs replace those of an older one: one runs at a time.
   */
  "refresh-grace": task({
    payload: ofWorkspace.extend({ after: z.string().exactOptional() }),
    runner: "publishing",
    key: ({ workspaceId, after }) => `refresh-grace:${workspaceId}${after === undefined ? "" : ":rest"}`,
    queue: ({ workspaceId }) => `refresh-grace:${workspaceId}`,
    fairTo: ({ workspaceId }) => `refresh-grace:${workspaceId}`,
  }),
  /**
   * Copies an advertiser's image from another site. So that slow hosts delay nobody else, a workspace has one job for its free ads and
   * one for each priced ad, of which one runs at a time; the workspaces of an owner take turns. Jobs of older releases lack the owner.
   */
  "copy-images": task({
    payload: ofWorkspace.extend({ adId: z.string().exactOptional(), owner: z.string().exactOptional() }),
    runner: "fetching",
    key: ({ workspaceId, adId }) => `copy-images:${adId ?? workspaceId}`,
    queue: ({ workspaceId, adId }) => `copy-images:${workspaceId}${adId === undefined ? "" : ":priced"}`,
    fairTo: ({ workspaceId, owner = workspaceId }) => `copy-images:${owner}`,
  }),
  /** Looks for the icon of an advertiser's or a workspace's site. A newer search for an ad or workspace replaces the waiting one. */
  favicon: task({
    payload: z.object({
      workspaceId: z.string(),
      /** Null for the workspace's own site. */
      adId: z.string().nullable(),
      /** The first is 1. */
      attempt: z.number().int(),
    }),
    runner: "fetching",
    key: ({ workspaceId, adId }) => `favicon:${adId ?? workspaceId}`,
    queue: ({ workspaceId }) => `favicon:${workspaceId}`,
    fairTo: ({ workspaceId }) => `favicon:${workspaceId}`,
    maxAttempts: 5,
  }),
  /** Queues copies of images that an older release did not copy, including those that it wrote while it ran beside this one. */
  "adopt-images": task({
    payload: noPayload,
    runner: "lengthy",
    key: () => "adopt-images",
    schedule: "41 3 * * * ?max=3",
  }),
  /**
   * Checks the images of an approval again once their upload grants have ended. An owner has one job at a time beside copies of images,
   * which need the same store: one that is slow or away delays no emails and no payments.
   */
  image: task({
    payload: z.union([z.object({ owner: z.string(), images: z.array(seenImage) }), seenImage]),
    runner: "fetching",
    queue: (payload) => `image:${"images" in payload ? payload.owner : payload.key}`,
    fairTo: (payload) => ("images" in payload ? `image:${payload.owner}` : null),
  }),
  /** Removes unused files, such as those of replaced drafts. One job serves a stretch of time. A later job removes what it leaves. */
  "unused-uploads": task({
    payload: z.object({ stretch: z.number().int().exactOptional() }),
    runner: "lengthy",
    key: ({ stretch }) => `unused-uploads:${stretch}`,
    fairTo: () => "unused-uploads",
  }),
  /**
   * Applies an event of the payment processor. Events of one account or workspace wait for each other, and emails and others' events
   * come first: the owner of a connected account can cause any number of events, and free subscriptions renew for ever.
   */
  webhook: task({
    payload: z.object({
      eventId: z.string(),
      account: z.string().exactOptional(),
      workspaceId: z.string().exactOptional(),
    }),
    runner: "general",
    key: ({ eventId }) => `webhook:${eventId}`,
    fairTo: ({ account, workspaceId }) => {
      const party = account ?? workspaceId;
      return party === undefined ? null : `webhook:${party}`;
    },
    maxAttempts: 12,
  }),
  /** Takes a subscription's next step at the processor (`libs/domain/charging.ts`). A workspace with many jobs delays only itself. */
  "settle-charging": task({
    payload: ofSubscription,
    runner: "lengthy",
    key: ({ subscriptionId }) => `settle-charging:${subscriptionId}`,
    fairTo: ({ workspaceId }) => (workspaceId === undefined ? null : `settle-charging:${workspaceId}`),
  }),
  /** Makes the refund that is due for a subscription that has ended. */
  "refund-due": task({
    payload: ofSubscription,
    runner: "lengthy",
    key: ({ subscriptionId }) => `refund-due:${subscriptionId}`,
    fairTo: ({ workspaceId }) => (workspaceId === undefined ? null : `refund-due:${workspaceId}`),
  }),
  /** Tells the publisher of a refund that is still due. */
  "refund-overdue": task({
    payload: z.object({ subscriptionId: z.string() }),
    runner: "general",
    key: ({ subscriptionId }) => `refund-overdue:${subscriptionId}`,
  }),
  /** Compares with the payment processor. The hourly job has no `runId`, and makes a run. */
  reconcile: task({
    payload: z.object({ runId: z.string().exactOptional() }),
    runner: "lengthy",
    queue: () => "reconcile",
    maxAttempts: 3,
    schedule: "27 * * * * ?fill=1h&max=3&queue=reconcile&jobKey=reconcile",
  }),
  /** Sends the payment processor a tier's name, and whether it and its prices are on sale. One job at a time: the newest comes last. */
  "on-sale": task({
    payload: z.object({ workspaceId: z.string(), tierId: z.string() }),
    runner: "lengthy",
    key: ({ tierId }) => `on-sale:${tierId}`,
    fairTo: ({ workspaceId }) => `on-sale:${workspaceId}`,
    queue: () => "on-sale",
  }),
  /** Ends some of a workspace's open checkouts, after it was suspended or their price or tier archived. */
  "close-checkouts": task({
    payload: ofWorkspace.extend({ turn: turn.exactOptional() }),
    runner: "lengthy",
    key: ({ workspaceId }) => `close-checkouts:${workspaceId}`,
    fairTo: ({ workspaceId }) => `close-checkouts:${workspaceId}`,
  }),
  /** Sends an email. A workspace with many emails, such as its reports, comes after others. */
  mail: task({
    payload: queuedMail,
    runner: "general",
    fairTo: ({ about }) => (about === undefined ? null : `mail:${about.workspaceId}`),
    maxAttempts: 15,
  }),
  /** Emails a publisher one letter in place of several of a kind, which were too many to send one by one. */
  digest: task({
    payload: z.object({ workspaceId: z.string(), kind: z.enum(PUBLISHER_MAILS) }),
    runner: "general",
    key: ({ workspaceId, kind }) => `digest:${workspaceId}:${kind}`,
  }),
  /** Emails an advertiser the link to their ads, if the address is one of an advertiser. */
  "send-links": task({
    payload: z.object({ workspaceId: z.string(), email: z.string() }),
    runner: "general",
    key: ({ workspaceId, email }) => `send-links:${workspaceId}:${email}`,
    maxAttempts: 5,
  }),
  /** Tells publishers and advertisers of ads that go off because a renewal stayed unpaid, and has their periods stopped. */
  "grace-ends": pass("grace-ends", "*/10 * * * * ?max=3"),
  /** Reminds buyers and publishers of purchases without an ad. */
  "remind-of-ads": pass("remind-of-ads", "11 * * * * ?max=3"),
  /** Proposes corrections of the day before. */
  "propose-corrections": periodic("propose-corrections", "lengthy", "37 4 * * * ?fill=1d&max=3"),
  /** Tells publishers of live ads that nobody sees, or with much invalid traffic. */
  "ad-alerts": pass("ad-alerts", "23 * * * * ?max=3"),
  /** Queues the reports of the weeks and months for which it is time, workspace by workspace. */
  "report-emails": task({ payload: atTime, runner: "lengthy", schedule: "5 * * * * ?fill=5d" }),
  /** Queues a workspace's reports of one period. These jobs run one at a time, others go first. Jobs of older releases have `month`. */
  "workspace-reports": task({
    payload: z.union([ofWorkspace.extend({ period: z.string() }), ofWorkspace.extend({ month: z.string() })]),
    runner: "lengthy",
    key: (job) => `reports:${job.workspaceId}:${"period" in job ? job.period : job.month}`,
    queue: () => "workspace-reports",
    fairTo: () => "workspace-reports",
  }),
  /** Removes a part of a deleted workspace. An owner who deletes many delays only themselves, because workspaces cost nothing. */
  "erase-workspace": task({
    payload: ofWorkspace.extend({
      owner: z.string().exactOptional(),
      canceling: turn.exactOptional(),
      refunding: turn.exactOptional(),
    }),
    runner: "lengthy",
    key: ({ workspaceId }) => `erase-workspace:${workspaceId}`,
    fairTo: ({ workspaceId, owner = workspaceId }) => `erase-workspace:${owner}`,
  }),
  /** Removes the events and counts of deleted workspaces. */
  "erase-events": task({
    payload: noPayload,
    runner: "lengthy",
    key: () => "erase-events",
    queue: () => "erase-events",
  }),
  /**
   * Adds the events of an earlier release to the younger sums, `quarter` and `wide`: all, which is tried until it succeeds, or those
   * that it stores while it runs beside this one.
   */
  "fill-quarter": task({
    payload: z.object({ isWhole: z.boolean().exactOptional() }),
    runner: "lengthy",
    key: ({ isWhole = false }) => (isWhole ? "fill-quarter:whole" : "fill-quarter"),
    queue: () => "fill-quarter",
    // Attempts come to be six hours apart, so it is tried for years: the fill must succeed.
    maxAttempts: 10_000,
    schedule: "47 * * * * ?max=3&queue=fill-quarter&jobKey=fill-quarter",
  }),
  /** Removes what has expired, once a day. */
  sweep: task({ payload: noPayload, runner: "lengthy", schedule: "17 3 * * * ?fill=1d&max=3" }),
};

/** The payload of each task, by its name. */
export type Payloads = {
  readonly [Name in keyof typeof tasks]: (typeof tasks)[Name] extends Task<infer Payload> ? Payload : never;
};

export type TaskName = keyof Payloads;

/** Every background task. Its handler is in `worker/jobs.ts`, which does not compile without it. */
export const TASKS: { readonly [Name in TaskName]: Task<Payloads[Name]> } = tasks;

/** Whether a string names a task. */
export function isTaskName(name: string): name is TaskName {
  return Object.hasOwn(tasks, name);
}
