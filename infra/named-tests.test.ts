import { glob, readFile } from "node:fs/promises";
import { beforeAll, expect, it } from "vitest";

/** What was decided, row by row, with the sentence of a test that proves it. Sections are those of the decisions. */
const PROVEN_BY: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "1 conventions": {
    "one base": "describes exactly the contract's endpoints, by the tags that are promised (section 11",
    https: "redirects what reached a trusted proxy by plain http, with method and query (section 1)",
    "prefixed ids": "gives everything a prefixed id of its kind (section 1: ids)",
    "malformed ids, 404":
      "answers 404 to a malformed id as to one that does not exist, naming what is missing",
    timestamps: "writes every instant in UTC with milliseconds (section 1: timestamps)",
    "unknown keys": "ignores keys of bodies and queries that it does not know (section 1: unknown keys)",
    "malformed JSON, 415, 413, 404, 405": "answers %s with %i in the envelope (section 1)",
    "error envelope": "names what is wrong by its dotted path (section 1: error envelope)",
    "500": "answers 500 without a detail, and logs the error with the request's id and the route (section 1)",
    "x-request-id": "has an id of the request on every answer, never one that the caller chose (section 1",
    integers: "takes no text for a number in a body, and digits for one in a query (section 1: integers)",
    money: "takes amounts from 0 to the largest safe integer (section 1: money)",
    "free tier": "completes a free tier without a card (section 1)",
    currency: "takes any ISO 4217 code in lower case, those without a smaller unit included (section 1",
  },
  "2 lists": {
    perPage: "$name has 25 rows a page unless 1 to 100 are asked for (section 2)",
    page: "$name refuses a page that is none, and clamps one over the last (section 2)",
    pageCount: "$name has one page where there is nothing (section 2)",
    "order of ads": "lists ads newest first and by review status, without their field values (endpoint 6)",
    "order of advertisers":
      "lists advertisers newest first, with the totals of what they have bought (section 2)",
    "order of tiers":
      "lists tiers by order and then by id, archived ones included (endpoint 13, decisions 2)",
    "order of fields": "lists fields by order and then by id, a page at a time (endpoint 17, decisions 2)",
  },
  "6 review and subscription": {
    approve: "takes an ad from submission by approval to serving, and tells serving of it (section 6)",
    reject: "rejects with a note, cancels the subscription and takes no further submission (section 6)",
    "request-changes":
      "keeps a note with requested changes and clears it with the next submission (endpoint 10)",
    "pause, resume": "pauses a serving ad with its billing and resumes it (endpoints 8 and 9)",
    "resume in a trial": "resumes to Trialing inside a trial (endpoint 9, section 6)",
    "a revision keeps the ad on air":
      "keeps the approved creative on air while a submission is proposed as a revision",
    "a revision is approved":
      "serves an approved revision within a second and keeps the publisher's own values",
    "a revision is rejected": "drops a rejected revision and leaves the ad as it is (section 6)",
    "one open revision":
      "replaces the open revision and its note by a newer submission: one an ad (section 6)",
    eligibility: "names the review, the subscription or both (section 6)",
    "409 for a missed precondition":
      "refuses what the state does not allow with 409 and one sentence (section 6)",
    "one of two racing calls":
      "lets one of racing approvals win and answers the others with a conflict (section 6)",
    "502": "answers pause, resume and reject with 502 and changes nothing while it is %s (section 6)",
    "each event once": "applies a doubled delivery once (section 6)",
    "newest state wins":
      "ends in the processor's current state when events come late and out of order (section 6)",
    totals: "adds up an advertiser's ads, counts and money (endpoint 12, section 6)",
    currencies: "bills in another currency than the workspace's where nothing is bought in that (section 6)",
    cancellation: "tells of a cancellation to come and of the churn after it (endpoint 12, section 6)",
  },
  "7 stats": {
    days: "takes 30 days by default and 1 to 365, and refuses the rest with 422 (section 7)",
    rows: "counts valid events a UTC day, oldest first, zero-filled, today included (endpoint 11, section 7)",
    workspace: "sums a workspace's ads by day and by ad, and no other workspace's (section 7)",
    traffic: "shows what was not counted, and why (section 7)",
  },
  "8 tiers, prices, fields": {
    tier: "creates a tier with what is left out as decided (endpoint 14, decisions 8)",
    "bad tiers": "answers 422 to a new tier at %s and creates nothing (endpoint 14)",
    "change of a tier":
      "changes what is sent and leaves the rest, and serving sees a new weight and name (section 8)",
    "length of a period": "takes a price of three years in units of a %s and no longer one (section 8)",
    "one price a shape":
      "answers 409 at interval for a second active price of one shape, whatever its amount",
    "further prices":
      "adds a price after those there are, by the month where nothing else is said (section 8)",
    "archiving twice": "returns the tier as it is when a price is archived or unarchived twice (section 8)",
    field: "creates a field with what is left out as decided (decisions 8)",
    "required of a field": "asks a new field for its name and type and no more (section 8)",
    "key of a field": "answers 409 at key for one that is taken, also to all but one of a race (section 8)",
    "values of each type": "takes a value of every type of field in its stored form (sections 5 and 8)",
    "deletion of a field":
      "leaves the order of the other fields as it is when one is deleted, and its key free (section 8)",
    "rules of reordering": "moves %s (endpoint 18, rules 1 to 4)",
    "dense sequence": "renumbers to a dense sequence whatever numbers there were (section 8, rule 4)",
    "unknown field": "answers 404 for an id that is none of the workspace's and moves nothing (rule 5)",
    "bad targets": "answers 422 at %s for %j and moves nothing (decisions 8)",
  },
  "9 uploads": {
    grant: "takes nothing but what was granted: size, type, signature (section 9)",
    types: "grants $who images alone, never SVG or HTML (section 9)",
    size: "refuses $who a file over the limit with 422 at contentLength (section 9)",
    "file name": "keeps of $who's file name the extension alone (section 9)",
    "stored files": "stores what $who sends with a grant, and serves it locked down (section 9)",
  },
  "10 people, workspaces, keys": {
    "verified address":
      "asks for a verified address where mail is sent: no session before the link was followed (section 10)",
    cookie: "gives a session cookie that scripts cannot read and other sites cannot send (section 10)",
    "Secure cookie": "gives a cookie for https alone where the installation is reached by https (section 10)",
    "CSRF-safe": "takes POSTs from its own pages and from programs that name no origin (section 10)",
    "sign-out everywhere": "signs out everywhere at once (section 10)",
    workspace: "shows a workspace to any member, by session and by key, and to nobody else (section 10)",
    slug: "answers a slug that is taken with a conflict at `slug`, one of two racing ones winning (section 10)",
    "change of a workspace": "changes what is sent and leaves the rest (section 10)",
    roles: "$name lets our own people and key do what their role allows",
    members: "lets an Owner alone change members (section 10)",
    invitations:
      "invites by a mail, and whoever is signed in with that address joins with its token (section 10)",
    "permissions of a key": "acts with its maker's current role, in every process (section 10)",
    "end of a membership":
      "ends a removed member's session rights and keys with the next request (section 10)",
    "keys for people alone": "keeps keys away from what is for people alone (section 10)",
    "shown once": "shows a key once and keeps its SHA-256 (section 10)",
    checksum: "refuses a mistyped key by its checksum, with no look-up (section 10)",
    "401, 403": "$name refuses whoever is not known, and whoever is not theirs",
    "order of checks":
      "checks in the order 401, 403, 429, 422, 404, 409, whatever else is wrong with a request",
    rate: "lets exactly 120 requests of a key pass in a window, and says on every answer what is left",
    revocation: "revokes a key for the next request, in every process (section 10)",
  },
  "11 interface description": {
    "openapi.json":
      "serves the description to any site, in the version that is promised (section 11: openapi.json)",
    tags: "describes exactly the contract's endpoints, by the tags that are promised (section 11: tags, beta)",
    "errors, examples": "has an example of every error, and names for what answers share (section 11",
    "errors of every endpoint": "describes every endpoint of the contract with its errors and who may call",
    docs: "shows the reference as a page that loads from its own site alone (section 11: docs)",
  },
};
const ENDPOINTS = 19;

let tests = "";
beforeAll(async () => {
  const root = new URL("..", import.meta.url).pathname;
  for await (const file of glob("{libs,services}/**/*.test.ts", { cwd: root })) {
    tests += await readFile(`${root}${file}`, "utf8");
  }
});

/** The numbers in every mention such as `endpoint 6`, `endpoints 8 and 9`, `endpoints 1 to 4`. */
function mentioned(word: string): Set<number> {
  const numbers = new Set<number>();
  for (const [, list = ""] of tests.matchAll(
    new RegExp(`\\b${word}s? (\\d+(?:(?:, | and | to )\\d+)*)`, "g"),
  )) {
    const [from = 0, to = 0] = list.split(" to ").map(Number);
    if (list.includes(" to ")) for (let n = from; n <= to; n += 1) numbers.add(n);
    else for (const n of list.split(/, | and /)) numbers.add(Number(n));
  }
  return numbers;
}

it("has a test that names each of the endpoints 1 to 19", () => {
  const named = mentioned("endpoint");

  const missing = Array.from({ length: ENDPOINTS }, (_, n) => n + 1).filter((n) => !named.has(n));
  expect(missing).toEqual([]);
});

it.each(Object.entries(PROVEN_BY))("has a test for every decision of section %s", (_section, rows) => {
  const missing = Object.entries(rows).filter(([, sentence]) => !tests.includes(sentence));

  expect(missing).toEqual([]);
});
