import { ACTOR_KINDS, type ActorKind } from "#libs/domain/audit.ts";
import { oneOf, readPageSearch } from "../components/search.ts";
import { isAuditAction, isAuditedKind } from "./actions.ts";

/** What the audit log shows, as its address says. Without `by`, everything but the payment processor's changes. */
export interface AuditSearch {
  /** `all`, a kind of actor, or a person's id. */
  readonly by?: string;
  /** A kind of resource, or an action. */
  readonly what?: string;
  /** Days of the reader's time zone, both included. */
  readonly from?: string;
  readonly to?: string;
  readonly page?: number;
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const PERSON = /^usr_[0-9a-z]{1,40}$/;

/** Reads what to show from an address. Defaults and invalid values are left out. */
export function readAuditSearch(search: Readonly<Record<string, unknown>>): AuditSearch {
  const { by, what, from, to } = search;
  const isActor = typeof by === "string" && (by === "all" || isActorKind(by) || PERSON.test(by));
  const isWhat = typeof what === "string" && (isAuditedKind(what) || isAuditAction(what));
  return {
    ...(isActor ? { by } : {}),
    ...(isWhat ? { what } : {}),
    ...(isDay(from) ? { from } : {}),
    ...(isDay(to) ? { to } : {}),
    ...readPageSearch(search),
  };
}

/** The input of the API. */
export function auditInput(workspaceId: string, { by, what, from, to, page = 1 }: AuditSearch) {
  return {
    workspaceId,
    page,
    ...actorInput(by),
    ...(what === undefined ? {} : isAuditedKind(what) ? { resourceKind: what } : { action: what }),
    ...(from === undefined ? {} : { from: startOf(from, 0) }),
    ...(to === undefined ? {} : { until: startOf(to, 1) }),
  };
}

function actorInput(by: string | undefined): {
  readonly actorKind?: ActorKind | "notProcessor";
  readonly actorId?: string;
} {
  if (by === undefined) return { actorKind: "notProcessor" };
  if (by === "all") return {};
  const kind = oneOf(ACTOR_KINDS, by);
  return kind === null ? { actorId: by } : { actorKind: kind };
}

function isActorKind(text: string): boolean {
  return oneOf(ACTOR_KINDS, text) !== null;
}

function isDay(given: unknown): given is string {
  return typeof given === "string" && DAY.test(given) && !Number.isNaN(Date.parse(given));
}

/** The first moment of a day of the reader's time zone, or of a later one. */
function startOf(day: string, daysLater: number): string {
  const start = new Date(`${day}T00:00:00`);
  start.setDate(start.getDate() + daysLater);
  return start.toISOString();
}
