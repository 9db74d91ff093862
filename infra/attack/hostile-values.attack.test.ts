import { afterAll, expect, it, vi } from "vitest";
import { isAlive, openArena } from "./arena.ts";
import {
  type AttackedRequest,
  contractRequests,
  type InterfaceDescription,
  pageRequests,
  peopleRequests,
} from "./attacked-requests.ts";
import { Findings } from "./findings.ts";
import { type Place, placesOf } from "./mutations.ts";
import { sendRaw } from "./raw-request.ts";
import { startSecondClient } from "./second-client.ts";
import { HOSTILE_STRINGS, WRONG_TYPES } from "./strings.ts";

const arena = await openArena();
const { service, ours, theirs } = arena;
const findings = new Findings();
const second = await startSecondClient(`${service.origin}/v1/checkout-sessions/${theirs.ids.sessionId}`);
const strings = Object.values(HOSTILE_STRINGS).flat();
/** Without the checkout session's id, which is a secret: anybody who has it acts as the advertiser. */
const { sessionId: _secret, ...known } = theirs.ids;
const foreignIds = Object.values(known);
const offer = await sendRaw(service.origin, { method: "GET", target: `/advertise/${theirs.workspace.slug}` });
/** Not leaks: ids that the attack itself sends and may store, and what a publisher's public offer shows. */
const openTexts = new Set([...foreignIds, ...arena.leaksIn(offer.text, "")]);
/** The longest that one request may delay another client. */
const LONGEST_WAIT_MS = 250;
const WORKERS = 8;
let longestWait = 0;
let longestAnswer = 0;

afterAll(async () => {
  process.stdout.write(
    `${findings.summary("hostile values")}; ${second.answers()} answers to the second client, the longest after ${Math.round(longestWait)} ms; the longest of all after ${Math.round(longestAnswer)} ms\n`,
  );
  await second.close();
});

/** Puts every hostile value into one place. A value that delays the second client repeatedly is a finding. */
async function attack(request: AttackedRequest, place: Place): Promise<void> {
  const values = [...strings, ...(request.encoding === "json" ? WRONG_TYPES : []), ...foreignIds].values();
  await Promise.all(
    Array.from({ length: WORKERS }, async () => {
      for (const value of values) await send(request, place, value);
    }),
  );
  const waited = await waitOfSecondClient();
  if (waited > LONGEST_WAIT_MS) await nameTheSlow(request, place);
  findings.count("places");
}

async function send(
  { name, method, encoding }: AttackedRequest,
  place: Place,
  value: unknown,
): Promise<void> {
  const { target, body } = place.put(value);
  const type = encoding === "json" ? "application/json" : "application/x-www-form-urlencoded";
  const { status, text, tookMs } = await sendRaw(service.origin, {
    method,
    target,
    headers: {
      ...arena.owner,
      ...(body === null ? {} : { "content-type": type }),
    },
    ...(body === null ? {} : { body }),
  });
  findings.count("requests");
  longestAnswer = Math.max(longestAnswer, tookMs);
  const said = `${name} at ${place.name} with ${JSON.stringify(value).slice(0, 60)}: ${status}`;
  if (status >= 500) {
    findings.add(`${name} at ${place.name} answers ${status}`, `${said} ${text.slice(0, 200)}`);
    findings.count("answers of 500 and above");
  }
  const leaks = arena
    .leaksIn(text, `${target} ${body ?? ""} ${JSON.stringify(value)}`)
    .filter((leak) => !openTexts.has(leak));
  if (leaks.length > 0) {
    findings.add(`${name} at ${place.name} tells what is theirs`, `${said} ${leaks.slice(0, 3).join(", ")}`);
  }
  if (text.startsWith("<!doctype") && /<script>alert|<img src=x|<svg onload/i.test(text)) {
    findings.add(`${name} at ${place.name} has it as markup`, said);
  }
}

/** How long the second client has waited since the last call, its answers of now included. */
async function waitOfSecondClient(): Promise<number> {
  const before = second.answers();
  await vi.waitFor(() => expect(second.answers()).toBeGreaterThan(before + 1), {
    timeout: 60_000,
    interval: 2,
  });
  const waited = second.takeLongestWait();
  longestWait = Math.max(longestWait, waited);
  return waited;
}

/** On a busy machine every client waits now and then. A hostile value makes it wait every time, and longer than when idle. */
async function nameTheSlow(request: AttackedRequest, place: Place): Promise<void> {
  for (const value of strings) {
    const waits: number[] = [];
    for (let attempt = 0; attempt < 5 && waits.every((wait) => wait > LONGEST_WAIT_MS); attempt += 1) {
      await send(request, place, value);
      const waited = await waitOfSecondClient();
      const idle = await waitOfSecondClient();
      waits.push(waited - idle);
    }
    const shortest = Math.min(...waits);
    if (shortest > LONGEST_WAIT_MS) {
      findings.add(
        `${request.name} at ${place.name} keeps others waiting`,
        `${Math.round(shortest)} ms with ${JSON.stringify(value).slice(0, 60)}`,
      );
    }
  }
}

/** Removes what an attack has created, so that later attacks do not stop at a limit on the number of rows. */
async function sweep(): Promise<void> {
  const { pool } = service.database;
  const kept = Object.values(ours.ids);
  for (const table of ["invitations", "api_keys", "fields"]) {
    await pool.query(`delete from ${table} where workspace_id = $1 and not id = any($2)`, [
      ours.workspace.id,
      kept,
    ]);
  }
  await pool.query(
    "delete from prices p where workspace_id = $1 and not exists (select from subscriptions s where s.price_id = p.id) and not exists (select from checkout_sessions c where c.price_id = p.id) and not id = any($2)",
    [ours.workspace.id, kept],
  );
  await pool.query(
    "delete from tiers t where workspace_id = $1 and not exists (select from prices p where p.tier_id = t.id) and not id = any($2)",
    [ours.workspace.id, kept],
  );
  await pool.query(
    "delete from workspaces w where w.id <> $1 and exists (select from members m join people p on p.id = m.person_id where m.workspace_id = w.id and p.email = $2)",
    [ours.workspace.id, ours.person.email],
  );
}

function fill(name: string): string {
  if (name === "workspace") return ours.workspace.id;
  return Object.entries(ours.ids).find(([key]) => key === name)?.[1] ?? "x";
}

async function attackAll(requests: readonly AttackedRequest[]): Promise<void> {
  for (const request of requests) {
    for (const place of placesOf(request, fill)) {
      await attack(request, place);
      await sweep();
    }
    findings.count("endpoints");
  }
}

it("takes hostile values in every field of every endpoint of the contract", async () => {
  const answer = await sendRaw(service.origin, { method: "GET", target: "/v1/openapi.json" });
  const description: InterfaceDescription = JSON.parse(answer.text);
  findings.count("hostile values", strings.length + WRONG_TYPES.length + foreignIds.length);

  await attackAll(contractRequests(arena, description));

  expect(findings.take()).toEqual([]);
  expect(await arena.changeOfTheirs()).toBe(null);
});

it("takes hostile values in every field that people sign up and sign in with", async () => {
  await attackAll(peopleRequests());

  expect(findings.take()).toEqual([]);
});

it("takes hostile values in every form and parameter of its pages", async () => {
  await attackAll(pageRequests(arena));

  expect(findings.take()).toEqual([]);
  expect(await arena.changeOfTheirs()).toBe(null);
  expect(await isAlive(arena)).toBe(true);
});
