import { CONFLICT_REASONS, INPUT_REASONS } from "#libs/domain/error-reasons.ts";
import { EXAMPLE_IDS } from "./example-ids.ts";

const FENCE = "```";

/** The introduction to the interface, in Markdown. Its shell lines work when pasted, one after the other, with a demo. */
export function guide(baseUrl: string): string {
  const workspace = `${baseUrl}/workspaces/${EXAMPLE_IDS.workspace}`;
  return `Sell ad placements on your own site. The **public surface** needs no key and is meant for browsers: ads to show, tiers on
sale, impressions and clicks, checkout. The **management surface** takes a secret API key and is in beta: it may change.

## Keys

Create a key in the dashboard under Settings, API keys, one per integration. It is shown once and starts with \`plc_\`. Send it as
\`Authorization: Bearer plc_…\`. A key belongs to one workspace and acts with the role of the person who created it. A revoked key
stops working with the next request: to rotate, create another key, then revoke the first. Never put a key into a page or an app.

${FENCE}sh
export PLACARD_KEY=\${PLACARD_KEY:-plc_your_key}
curl -sS -H "Authorization: Bearer $PLACARD_KEY" '${workspace}/tiers'
${FENCE}

## From checkout to the page

1. A buyer chooses a price of a tier. Your page creates a checkout session and sends the buyer to its \`url\`. The \`sessionId\` is
   the buyer's secret: with it the ad is submitted and changed.
2. After the payment the session is \`complete\`, and the buyer submits the ad: name, address and a value for each field of the workspace.
3. The ad is \`Pending\`. You approve it, ask for changes or reject it.
4. An approved ad is served within a second while its subscription is \`Active\` or \`Trialing\`.
5. Your page shows it and reports an impression, and a click when a visitor follows it. The embed does both for you.

${FENCE}sh
curl -sS '${workspace}/tiers/serving'
curl -sS -X POST '${workspace}/checkout-sessions' -H 'Content-Type: application/json' -d '{"tierPriceId": "${EXAMPLE_IDS.price}", "email": "ads@coffee.example"}'
curl -sS -H "Authorization: Bearer $PLACARD_KEY" '${workspace}/ads?status=Pending'
curl -sS -X POST -H "Authorization: Bearer $PLACARD_KEY" '${workspace}/ads/${EXAMPLE_IDS.pendingAd}/approve'
curl -sS '${workspace}/ads/serving?count=3'
curl -sS -X POST '${baseUrl}/ads/${EXAMPLE_IDS.runningAd}/impressions'
curl -sS -H "Authorization: Bearer $PLACARD_KEY" '${workspace}/ads/${EXAMPLE_IDS.runningAd}/stats?days=7'
${FENCE}

A buyer who follows \`GET ${baseUrl}/checkout-sessions/{sessionId}/billing\` is redirected (303) to the payment processor's page for
the bills of the session. \`POST ${baseUrl}/webhooks/stripe\` is the payment processor's alone.

## Versions of ads

What an advertiser submits again while the ad is pending replaces it. After the approval it becomes a **revision**: the approved
creative is served until you approve the revision. Every submission raises the \`version\`, which is also the \`ETag\`. Send the
version that you looked at as \`If-Match\` or \`version\` with a decision: if there was another submission since, the answer is a
409 with the new version, and nothing is decided.

## Errors

Every error is \`{defined, code, status, message, data}\`. \`code\` and \`data.reason\` are for programs, sentences are for people.
On 409 and 422 \`data.formErrors\` is about the whole, and \`data.fieldErrors\` has sentences by dotted path
(\`initialPrices.0.amount\`). Checks come in this order: 401, 403, 429, 422, 404, 409. A resource of another workspace is a 404.

| Status | \`data.reason\` | Cause |
|---|---|---|
${tableOf(409, CONFLICT_REASONS)}
${tableOf(422, INPUT_REASONS)}

Repeat a request after 429 and 503, as \`Retry-After\` says. After 502 nothing was changed here. New reasons may be added: treat an
unknown one like its status.

## Limits

A key may send 120 requests per minute, over all processes; every answer to it has \`RateLimit-Limit\`, \`RateLimit-Remaining\` and
\`RateLimit-Reset\` (seconds). Public endpoints are limited per address. Over a limit the answer is 429 with \`Retry-After\` in
seconds. Bodies are JSON of at most 1 MiB.

## Pages

Lists take \`page\` (from 1) and \`perPage\` (1 to 100, 25 by default) and answer \`{items, total, page, perPage, pageCount}\`. A page
after the last one is the last one.

## Repeated requests

Where \`Idempotency-Key\` is taken, send a new key with each change. The same request with the same key has the same answer for 24
hours, with \`Idempotent-Replayed: true\`, and changes nothing again: repeat it after a lost answer. Bodies are compared as JSON
values. A 422, 429 or 5xx does not use the key up.

## Request ids

Every answer has \`x-request-id\`, and every error has it as \`data.requestId\`. Name it when you ask for help: it is in the log.

## Money and time

Amounts are integers in the currency's smallest unit (\`4900\` is 49.00 USD, \`500\` is 500 JPY), currencies are ISO 4217 codes in
lower case, and different currencies are never added up. Times are ISO 8601 in UTC with milliseconds; days of statistics are UTC days.
`;
}

function tableOf(status: number, reasons: Readonly<Record<string, string>>): string {
  return Object.entries(reasons)
    .map(([reason, cause]) => `| ${status} | \`${reason}\` | ${cause} |`)
    .join("\n");
}
