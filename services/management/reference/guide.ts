import { ERRORS } from "#libs/domain/error-codes.ts";
import { CONFLICT_REASONS, INPUT_REASONS } from "#libs/domain/error-reasons.ts";
import { EXAMPLE_IDS } from "./example-ids.ts";

const FENCE = "```";
const BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

/** The introduction to the interface, in Markdown. Its shell lines work when pasted, one after the other, with a demo. */
export function guide(baseUrl: string): string {
  const workspace = `${baseUrl}/workspaces/${EXAMPLE_IDS.workspace}`;
  const { origin } = new URL(baseUrl);
  return `Sell ad placements on your own site. The **public surface** needs no key and is meant for browsers: ads to show, tiers on
sale, impressions and clicks, checkout. Scripts of any site may call it, without cookies. The **management surface** takes a secret API
key and is in beta: it may change. From release 1.0.0 on, nothing below \`/v1\` is removed or changed, and what is to go is marked as
deprecated for twelve months.

Paths are below \`${baseUrl}\`. Bodies are JSON, in UTF-8. A key of a body that is not known is a 422 that names it, and so is an unknown
parameter in the address, except of what needs no key. Answers may get more keys: ignore those that you don't know.
They may also get other values where there is a choice, such as a status or a verdict: show an unknown one as it is, and do not act upon it. null is a value: to leave
a key as it is, leave it out. The description of this interface, for generators of clients, is \`${baseUrl}/openapi.json\` (with \`openapi-typescript\` use \`--default-non-nullable=false\`).

## Keys

Create a key in the dashboard under Settings, API keys, one per integration. It is shown once and starts with \`plc_\`. Send it as
\`Authorization: Bearer plc_…\`. A key belongs to one workspace and acts with the role that the person who created it has now; it stops
working when they leave. A revoked key stops working with the next request: to rotate, create another key, then revoke the first. Never put a
key into a page or an app. Members, invitations, keys, accounts and new workspaces are for signed-in people only.

A program signs in as a person for these: \`POST ${origin}/api/auth/sign-in/email\` with \`{"email", "password"}\` sets its
cookie, and \`…/sign-up/email\` with a \`name\` too makes an account. Where the installation does not let anybody in, that also takes the
\`token\` of an invitation's link.

${FENCE}sh
export PLACARD_KEY=\${PLACARD_KEY:-plc_your_key}
curl -sS -H "Authorization: Bearer $PLACARD_KEY" '${workspace}/tiers'
${FENCE}

## From checkout to the page

1. A buyer chooses a price of a tier. Your page creates a checkout session and sends the buyer to its \`url\`. The \`sessionId\` is
   the buyer's secret: with it the ad is submitted and changed.
2. After the payment the session is \`complete\`, and the processor sends the buyer to Placard's page, where they submit
   the ad: name, address and a value for each field of the workspace. A page of your own can do the same with \`POST /checkout-sessions/{sessionId}/ad\`. For an
   image, ask for a grant at \`…/uploads\`, send the file to its \`uploadUrl\` by PUT with its \`headers\`, and submit its \`publicUrl\`. In the sandbox
   a program pays with \`POST ${origin}/sandbox/checkout/{sessionId}/complete\` and \`{"email"}\`.
3. The ad is \`Pending\`. You approve it, ask for changes or reject it. Nothing calls you: poll \`…/review-queue\`, or read your mail.
4. An approved ad is served within a second while its subscription is \`Active\` or \`Trialing\`, or in the grace period of a failed
   renewal. \`…/ads/{adId}/eligibility\` says why an ad is not served. Where \`chargeAt\` of the workspace's settings is \`approval\`, the
   card is charged when you approve, and the ad is served once that went through.
5. Your page shows it and reports an impression, and a click when a visitor follows it. The embed script does both for you: the
   dashboard has its tag. \`${origin}/embed.mjs\` and, for React, \`${origin}/embed-react.mjs\` are its parts as modules, of this installation's release; import them from there. Stats show an event within three seconds. Bots, and what the same visitor repeats within 10 seconds, are not
   counted; \`…/traffic\` has them, and \`${origin}/v1/docs/counting\` has all rules. \`curl\` is such a bot, unless it names a browser. Where \`requireProof\` of the workspace's settings is
   on, ask for ads with \`proof=1\`, and send an ad's \`proof\` with its events.

${FENCE}sh
curl -sS '${workspace}/tiers/serving'
curl -sS -X POST '${workspace}/checkout-sessions' -H 'Content-Type: application/json' -d '{"tierPriceId": "${EXAMPLE_IDS.price}", "email": "ads@coffee.example"}'
curl -sS -H "Authorization: Bearer $PLACARD_KEY" '${workspace}/ads?status=Pending'
curl -sS -X POST -H "Authorization: Bearer $PLACARD_KEY" '${workspace}/ads/${EXAMPLE_IDS.pendingAd}/approve'
curl -sS '${workspace}/ads/serving?count=3'
curl -sS -X POST -A '${BROWSER}' '${baseUrl}/ads/${EXAMPLE_IDS.runningAd}/impressions'
curl -sS -X POST -A '${BROWSER}' '${baseUrl}/impressions' -d '{"ads": [{"id": "${EXAMPLE_IDS.runningAd}"}]}'
curl -sS -H "Authorization: Bearer $PLACARD_KEY" '${workspace}/ads/${EXAMPLE_IDS.runningAd}/stats?days=7'
${FENCE}

Open the \`url\` of the new session in a browser to pay. In the sandbox no money moves, and its page fills in a card.

A buyer who follows \`GET ${baseUrl}/checkout-sessions/{sessionId}/billing\` is redirected (303) to the payment processor's page to
manage cards, invoices and the subscription, and with \`/pay\` behind it to the invoice that is owed. \`POST ${baseUrl}/webhooks/stripe\` is the payment processor's alone.

## Versions of ads

What an advertiser submits again while the ad is pending replaces it. After the approval it becomes a **revision**: the approved
creative is served until you approve the revision. Every submission raises the \`version\`. Send the
version that you looked at as \`version\` with a decision: if there was another submission since, the answer is a
409 with the new version, and nothing is decided.

## Conditions

What you can read alone has a strong \`ETag\`, which changes whenever a value of the answer does. Send it as \`If-None-Match\` with the
next GET: a 304 says that nothing has changed. The review queue has one too, so that polling it costs little. Send it as \`If-Match\` with a
change of an ad, a revision, a tier or its prices, a field, the settings or the workspace: if somebody else has changed it since, the answer is a 412, and
nothing is changed.

## Errors

Every error is \`{defined, code, status, message, data}\`. \`code\` and \`data.reason\` are for programs, sentences are for people.
On 409 and 422 \`message\` is the code: show people \`data.formErrors\`, which is about the whole, and \`data.fieldErrors\` has sentences by dotted path
(\`initialPrices.0.amount\`). Checks come in this order: 401, 403, 429, 422, 404, 409, 412. A resource of another workspace is a 404.

| Status | \`code\` | Meaning |
|---|---|---|
${codes()}

| Status | \`data.reason\` | Cause |
|---|---|---|
${tableOf(409, CONFLICT_REASONS)}
${tableOf(422, INPUT_REASONS)}

Repeat a request after 429 and 503, as \`Retry-After\` says. New reasons may be added: treat an unknown one like its status. HEAD is
answered wherever GET is, as GET without the body.

## Limits

A key may send 120 requests per minute, over all processes; every answer to it has \`RateLimit-Limit\`, \`RateLimit-Remaining\` and
\`RateLimit-Reset\` (seconds). A signed-in person may send 600. An address may start 20 checkouts, read checkout sessions 120 times and
submit ads or ask for upload grants 60 times per minute, each a setting of the installation; these answers have the same headers. Over a
limit the answer is 429 with \`Retry-After\` in seconds. For impressions and clicks over a workspace's limits it is
\`{"success": false}\`, with 200. For ads and tiers on sale only workspaces that are none count: keep what you get as long as
\`Cache-Control\` says.

Where servers report events, a workspace has a budget of events per minute and process, 6,000,000 unless the installation sets another:
there the headers count events. A request with more events than are left is 429, and nothing of it is recorded. Send the whole request
again after \`Retry-After\`, with the same \`Idempotency-Key\`: it counts once. Events that wait that long need an \`occurredAt\`. A
workspace may also have 32 such requests at a time; the next is 429 with \`Retry-After: 1\`.

A body may have 1 MiB, one about an account, an invitation or the start of a checkout 16 KiB, and the impressions of a page too, and one of a single
impression or click, which is ignored, 64 KiB.

## Lists

Lists take \`page\` (from 1) and \`perPage\` (1 to 100, 25 by default) and answer \`{items, total, page, perPage, pageCount, nextCursor}\`.
A page after the last one is the last one. To read a whole list, follow \`nextCursor\` with \`after\` until it is null, or the header
\`Link\`: nothing is repeated or skipped, whatever is added or removed meanwhile. Page numbers do not promise that. Orders by counts and
amounts have no cursor. To work off the review queue, read its first page, decide on all of it, and read the first page again until it is empty.
 A filter that takes several values takes them in any usual form: \`a=1,2\`, \`a=1&a=2\`,
\`a[]=1&a[]=2\`, \`a[0]=1&a[1]=2\`.

## Repeated requests

Where \`Idempotency-Key\` is taken, send a new, random key with each change. Once a request has succeeded, the same one with the same key
has the same answer for 24 hours, with \`Idempotent-Replayed: true\`, and changes nothing again: repeat it after a lost answer. A refusal
(4xx or 5xx) changes nothing and does not use the key up: repeat the request with the same key when the cause is gone. Bodies are
compared as JSON values. Keys at different endpoints and of different workspaces are separate; all keys and members of a workspace share
theirs. Without key or session the address counts, too, until the end of the UTC day: a checkout that is repeated from another network is
another one, and nobody elsewhere gets its session.

## Request ids

Every answer has an \`x-request-id\` of its own, a repeated one too, and every error has it as \`data.requestId\`. Name it when you ask for help: it is in the log.

## Money and time

Amounts are integers in the currency's smallest unit (\`4900\` is 49.00 USD, \`500\` is 500 JPY), currencies are ISO 4217 codes in
lower case, and different currencies are never added up. Times are ISO 8601 in UTC with milliseconds; days of statistics are UTC days.
`;
}

/** What a caller can do about each error, for those whose message does not say it. */
const MEANINGS: Readonly<Record<string, string>> = {
  BAD_REQUEST: "The request is not valid HTTP, or the event is not signed by the payment processor.",
  UNAUTHORIZED:
    'The key or session is missing, malformed or revoked. `WWW-Authenticate` is `Bearer`, with `error="invalid_token"` where a key was sent.',
  FORBIDDEN: "The key belongs to another workspace, or the role does not allow this.",
  NOT_FOUND: "Nothing with that id here, or no such path.",
  METHOD_NOT_ALLOWED: "The path has other methods: `Allow` names them.",
  PRECONDITION_FAILED: "It is not in the state that `If-Match` names. Read it again.",
  CONFLICT_FIELD: "The state of the resource does not allow it; the causes are below.",
  PAYLOAD_TOO_LARGE: "The body is too large.",
  UNSUPPORTED_MEDIA_TYPE:
    "The body is not `application/json`, or has a `Content-Encoding` (`Accept-Encoding: identity` says so).",
  INPUT_VALIDATION_FAILED: "The input is not valid; the causes are below.",
  TOO_MANY_REQUESTS: "Over the limit.",
  PAYMENT_PROCESSOR_FAILED:
    "The payment processor refused the request, and nothing was changed, or did not answer, and may have made the change all the same. Try again.",
  SERVICE_UNAVAILABLE: "Something that the request needs is away. Nothing was acknowledged.",
};

function codes(): string {
  return Object.entries(ERRORS)
    .map(([code, { status, message }]) => `| ${status} | \`${code}\` | ${MEANINGS[code] ?? message} |`)
    .join("\n");
}

function tableOf(status: number, reasons: Readonly<Record<string, string>>): string {
  return Object.entries(reasons)
    .map(([reason, cause]) => `| ${status} | \`${reason}\` | ${cause} |`)
    .join("\n");
}
