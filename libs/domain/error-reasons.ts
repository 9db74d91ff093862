/** Why a request conflicts with the state of a resource: the `reason` of a 409, with the cause for the interface description. */
export const CONFLICT_REASONS = {
  AD_ALREADY_APPROVED: "The ad was approved before, and this takes a pending ad.",
  AD_REJECTED: "The ad is rejected, which is final.",
  SUBMITTED_SINCE:
    "The advertiser submitted again since the version that was looked at; `version` is the new one.",
  NO_OPEN_REVISION: "The ad has no open revision: somebody has decided on it.",
  AD_NOT_SERVING: "Only an ad that is served now can be paused.",
  AD_NOT_PAUSED: "Only a paused ad can be resumed.",
  CHANGE_UNDER_WAY: "Another change of the same ad or subscription has not ended yet. Try again.",
  IMAGE_NOT_COPIED: "An image from another site has not been copied yet. Try again in a minute.",
  IMAGE_UNUSABLE: "An image is missing or damaged, so the ad cannot be approved. Request changes.",
  CHECKOUT_NOT_PAID: "The checkout session is open and not paid.",
  CHECKOUT_EXPIRED: "The checkout session has expired. Start another one.",
  PRICE_NOT_ON_SALE: "The price or its tier is archived.",
  SALES_SUSPENDED: "The operator of the installation has suspended the workspace.",
  PAYMENTS_NOT_SET_UP: "The workspace's own account at the payment processor cannot charge yet.",
  OWN_ACCOUNTS_OFF: "Workspaces have no payment account of their own in this installation.",
  PRICE_EXISTS: "The tier has an active price of the same interval, count and currency.",
  FIELD_KEY_TAKEN: "Another field of the workspace has the key.",
  FIELD_TYPE_IN_USE: "Ads hold values of the field's type, so the type cannot change.",
  SLUG_TAKEN: "Another workspace has the slug.",
  EMAIL_TAKEN: "The email address has an account.",
  EMAIL_NOT_VERIFIED: "The caller has to verify their own email address first.",
  ALREADY_MEMBER: "The person is a member of the workspace.",
  LAST_OWNER: "The workspace would be left without an Owner.",
  NOTHING_TO_REFUND: "Nothing was paid for the invoice, or all of it has been refunded.",
  PAYMENT_DISPUTED: "The advertiser disputes the payment at the bank, so it cannot be refunded.",
  REFUNDED_SINCE: "Another refund of the invoice was made at the same time.",
  SUBSCRIPTION_LIVE: "The advertiser has a subscription that has not ended.",
  SUBSCRIPTION_ENDED:
    "The subscription has ended, so it can be neither canceled, resumed nor reminded of, and no ad can be submitted.",
  AD_SUBMITTED: "The subscription has an ad, so there is nothing to remind of.",
  NO_LINK_TO_SEND: "The advertiser has no email address, or the purchase has no page.",
  LIMIT_REACHED: "There may be no more of this thing; the sentence says how many.",
  UPLOAD_QUOTA_REACHED: "The workspace has no room for the file.",
  TOO_MANY_OPEN_UPLOADS: "The checkout session has too many uploads that its ad does not use as images.",
  UPLOAD_EXISTS: "Another file was sent to this upload address.",
  IDEMPOTENCY_KEY_IN_USE:
    "The first request with this `Idempotency-Key` has not been answered yet. Try again.",
  IDEMPOTENCY_ANSWER_NOT_KEPT:
    "The request with this `Idempotency-Key` was done, and its answer is no longer there. Read again what it changed.",
} as const satisfies Record<string, string>;

/** Why an input is not valid: the `reason` of a 422, with the cause for the interface description. */
export const INPUT_REASONS = {
  INVALID_INPUT: "One or more values are missing or break a rule; `fieldErrors` names each.",
  UNKNOWN_KEY:
    "A key of the body or a name in the query is not known, mostly a misspelt one; `fieldErrors` names each. Nothing was changed.",
  INVALID_FIELD_VALUE: "Values of creative fields are missing or break a field's rules, at `meta.<key>`.",
  MALFORMED_BODY: "The body is not a JSON object, or has too many levels or values.",
  IMAGE_NOT_UPLOADED:
    "An image has the address of an upload whose file was not sent or, as a logo, is no image.",
  TOO_MANY_EXTERNAL_IMAGES: "Too many images lie on other sites. Upload some of them.",
  UPLOAD_TOO_LARGE: "The file is larger than this installation takes.",
  UPLOAD_MISMATCH: "The file has another type or length than its grant.",
  MORE_THAN_IS_LEFT: "The refund is larger than what is left of the payment.",
  WRONG_CONFIRMATION: "The password or name that confirms a deletion is not right.",
  EMAIL_UNCHANGED: "The new email address is the present one.",
  CURSOR_UNKNOWN: "`after` is no cursor of this list in this order. Begin with the first page.",
  IF_MATCH_MALFORMED: "`If-Match` is neither `*` nor a list of entity tags.",
  IDEMPOTENCY_KEY_MALFORMED: "The `Idempotency-Key` is not 1 to 255 visible ASCII characters.",
  IDEMPOTENCY_KEY_REUSED: "The `Idempotency-Key` was used for another request.",
} as const satisfies Record<string, string>;

export type ConflictReason = keyof typeof CONFLICT_REASONS;
export type InputReason = keyof typeof INPUT_REASONS;
export type ErrorReason = ConflictReason | InputReason;

/** Why something cannot be done now: for programs and, in one sentence, for people. */
export interface Refusal {
  readonly reason: ConflictReason;
  readonly sentence: string;
}
