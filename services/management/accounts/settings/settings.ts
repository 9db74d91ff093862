import type { Selectable, Transaction } from "kysely";
import type { SettingsChange } from "#libs/contract/settings.ts";
import type { Tables } from "#libs/database/tables.ts";
import { PLACE_COLUMNS } from "#libs/domain/event-place.ts";
import type { MediaKit } from "#libs/domain/media-kit.ts";
import type { ProcessorTime } from "#libs/domain/moment.ts";
import type { PlaceDimension } from "#libs/domain/report-dimensions.ts";
import { MUTABLE_MAILS, type MutableMail } from "#libs/domain/settings.ts";
import type { TrackingLimits } from "#libs/domain/tracking-limits.ts";
import type { Utm, UtmParameter } from "#libs/domain/utm.ts";

export type SettingsRow = Pick<
  Selectable<Tables["workspaces"]>,
  | "audience_public"
  | "contact_email"
  | "charge_at"
  | "renewal_grace_days"
  | "require_proof"
  | "record_pages"
  | "count_visitors"
  | "time_zone"
  | "advertiser_splits"
  | `utm_${UtmParameter}`
  | "media_kit"
  | "saved_replies"
  | "impressions_per_minute"
  | "clicks_per_minute"
  | "muted_mails"
  | "alert_hours"
  | "alert_invalid_percent"
>;

/** Events per minute of one address for one ad, in workspaces that set no limits; 0 is no limit. */
export type DefaultLimits = Pick<TrackingLimits, "impressionsPerMinute" | "clicksPerMinute">;

/** A workspace's settings as its members see them, with the limits in effect. */
export function presentSettings(row: SettingsRow, defaults: DefaultLimits) {
  const own = ownSettings(row);
  const { impressionsPerMinute, clicksPerMinute } = own.limits;
  return {
    ...own,
    limitsInEffect: {
      impressionsPerMinute: impressionsPerMinute ?? defaults.impressionsPerMinute,
      clicksPerMinute: clicksPerMinute ?? defaults.clicksPerMinute,
    },
  };
}

/** The settings as the audit log has them. */
export function auditedSettings(row: SettingsRow) {
  const { utm, mediaKit, limits, mails, alerts, ...others } = ownSettings(row);
  return {
    ...others,
    utmSource: utm.source,
    utmMedium: utm.medium,
    utmCampaign: utm.campaign,
    pageDescription: mediaKit.description,
    pageLogo: mediaKit.logoUrl,
    pageAudience: mediaKit.audience,
    pageTopics: mediaKit.topics,
    pageQuestions: mediaKit.faq.map(({ question, answer }) => `${question} ${answer}`),
    ...limits,
    ...mails,
    alertHours: alerts.hours,
    alertInvalidPercent: alerts.invalidPercent,
  };
}

function ownSettings(row: SettingsRow) {
  const { impressions_per_minute: impressionsPerMinute, clicks_per_minute: clicksPerMinute } = row;
  return {
    audiencePublic: row.audience_public,
    contactEmail: row.contact_email,
    chargeAt: row.charge_at,
    renewalGraceDays: row.renewal_grace_days,
    requireProof: row.require_proof,
    recordPages: row.record_pages,
    countVisitors: row.count_visitors,
    timeZone: row.time_zone,
    advertiserSplits: row.advertiser_splits,
    utm: utmOf(row),
    savedReplies: row.saved_replies,
    mediaKit: mediaKitOf(row),
    limits: { impressionsPerMinute, clicksPerMinute },
    mails: mailsOf(row),
    alerts: { hours: row.alert_hours, invalidPercent: row.alert_invalid_percent },
  };
}

/** What the redirect of clicks adds to addresses. */
function utmOf(row: Pick<SettingsRow, `utm_${UtmParameter}`>): Utm {
  return { source: row.utm_source, medium: row.utm_medium, campaign: row.utm_campaign };
}

/** The contract's type, which has mutable lists. */
function mediaKitOf({ media_kit: { description, logoUrl, audience, topics, faq } }: SettingsRow) {
  return { description, logoUrl, audience, topics: [...topics], faq: [...faq] };
}

function mailsOf({ muted_mails: muted }: SettingsRow): Record<MutableMail, boolean> {
  const isSent = (mail: MutableMail) => !muted.includes(mail);
  return {
    purchase: isSent("purchase"),
    adWaiting: isSent("adWaiting"),
    paymentFailed: isSent("paymentFailed"),
    subscriptionCanceled: isSent("subscriptionCanceled"),
    adAlert: isSent("adAlert"),
    monthlyReports: isSent("monthlyReports"),
  };
}

/** The settings after a change; those that it leaves out stay. */
export function changeSettings(before: SettingsRow, change: SettingsChange): SettingsRow {
  const { audiencePublic, contactEmail, chargeAt, renewalGraceDays, requireProof, recordPages } = change;
  const {
    countVisitors,
    timeZone,
    advertiserSplits,
    utm,
    mails,
    mediaKit = {},
    savedReplies,
    limits,
    alerts,
  } = change;
  const { impressionsPerMinute, clicksPerMinute } = limits ?? {};
  const isSent = (mail: MutableMail) => mails?.[mail] ?? !before.muted_mails.includes(mail);
  return {
    audience_public: audiencePublic ?? before.audience_public,
    contact_email: contactEmail === undefined ? before.contact_email : contactEmail,
    charge_at: chargeAt ?? before.charge_at,
    renewal_grace_days: renewalGraceDays ?? before.renewal_grace_days,
    require_proof: requireProof ?? before.require_proof,
    record_pages: recordPages ?? before.record_pages,
    count_visitors: countVisitors ?? before.count_visitors,
    time_zone: timeZone === undefined ? before.time_zone : timeZone,
    advertiser_splits: advertiserSplits === undefined ? before.advertiser_splits : inOrder(advertiserSplits),
    utm_source: utm?.source === undefined ? before.utm_source : utm.source,
    utm_medium: utm?.medium === undefined ? before.utm_medium : utm.medium,
    utm_campaign: utm?.campaign === undefined ? before.utm_campaign : utm.campaign,
    saved_replies: savedReplies ?? before.saved_replies,
    media_kit: changeKit(before.media_kit, mediaKit),
    impressions_per_minute:
      impressionsPerMinute === undefined ? before.impressions_per_minute : impressionsPerMinute,
    clicks_per_minute: clicksPerMinute === undefined ? before.clicks_per_minute : clicksPerMinute,
    muted_mails: MUTABLE_MAILS.filter((mail) => !isSent(mail)),
    alert_hours: alerts?.hours ?? before.alert_hours,
    alert_invalid_percent: alerts?.invalidPercent ?? before.alert_invalid_percent,
  };
}

/** Each once, so that the same choice is always the same. */
function inOrder(splits: readonly PlaceDimension[]): PlaceDimension[] {
  return PLACE_COLUMNS.filter((dimension) => splits.includes(dimension));
}

function changeKit(before: MediaKit, change: NonNullable<SettingsChange["mediaKit"]>): MediaKit {
  const { description, logoUrl, audience, topics, faq } = change;
  return {
    description: description === undefined ? before.description : description,
    logoUrl: logoUrl === undefined ? before.logoUrl : logoUrl,
    audience: audience === undefined ? before.audience : audience,
    topics: topics ?? before.topics,
    faq: faq ?? before.faq,
  };
}

/** Writes settings into a workspace that the transaction has locked. */
export async function updateSettings(
  trx: Transaction<Tables>,
  workspaceId: string,
  settings: SettingsRow,
  now: Date,
): Promise<Selectable<Tables["workspaces"]>> {
  return await trx
    .updateTable("workspaces")
    .set({ ...settings, media_kit: JSON.stringify(settings.media_kit), updated_at: now })
    .where("id", "=", workspaceId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Longer than any grace and what may keep its end from being written down, in milliseconds. */
const CHANGES_MATTER_MS = 60 * 86_400_000;
/** Of more changes the oldest are forgotten. */
const MOST_CHANGES = 50;

/** Records that the grace is changed at `at`, in a workspace that the transaction has locked and that is given as it was `before`. */
export async function recordGraceChange(
  trx: Transaction<Tables>,
  { id, grace_changes, renewal_grace_days }: Selectable<Tables["workspaces"]>,
  at: ProcessorTime,
): Promise<void> {
  const changes = [...grace_changes, { at, daysBefore: renewal_grace_days }]
    .filter((change) => change.at > at - CHANGES_MATTER_MS)
    .slice(-MOST_CHANGES);
  await trx
    .updateTable("workspaces")
    .set({ grace_changes: JSON.stringify(changes) })
    .where("id", "=", id)
    .execute();
}
