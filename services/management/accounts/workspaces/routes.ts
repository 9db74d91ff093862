import { randomInt } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { onePage } from "#libs/contract/query.ts";
import { violatedConstraint } from "#libs/database/errors.ts";
import { slugFromName } from "#libs/domain/slug.ts";
import { conflict, type HttpError, notFound, tooManyRequests } from "#libs/http/index.ts";
import type { Limits } from "#libs/limits/index.ts";
import { api, forMembers, forSignedIn } from "../../api/api.ts";
import { requireMatch } from "../../api/preconditions.ts";
import { recordChange } from "../../audit/record.ts";
import { enqueue } from "../../queue/enqueue.ts";
import { enforceWorkspaceQuota } from "../../store/quotas.ts";
import {
  auditedWorkspace,
  findWorkspace,
  insertWorkspace,
  listWorkspacesOf,
  lockWorkspace,
  type NewWorkspace,
  presentWorkspace,
  updateWorkspace,
} from "./queries.ts";

/** Endings of a slug made from a name, tried until one is free: none, then a number, then a random text. */
const NUMBERED = ["", ...Array.from({ length: 8 }, (_, index) => String(index + 2))];
const RANDOM_TRIES = 3;

/** How often a person may make as many as they may own: each that is deleted is work for those of others to wait for. */
const QUOTAS_PER_DAY = 5;

export interface WorkspacePorts {
  readonly limits: Pick<Limits, "consume">;
  /** The most that one person may own. */
  readonly workspacesPerPerson: number;
  readonly now: () => number;
}

export const workspaceRoutes = ({ limits, workspacesPerPerson, now }: WorkspacePorts) => ({
  list: forSignedIn(api.workspaces.list, async ({ context }) => {
    const rows = await listWorkspacesOf(context.db, context.access.actor.personId);
    return onePage(rows.map((row) => presentWorkspace(row, row.role)));
  }),

  create: forSignedIn(api.workspaces.create, async ({ input, context }) => {
    const { name, currency, websiteUrl = null } = input;
    const owner = context.access.actor;
    const points = QUOTAS_PER_DAY * workspacesPerPerson;
    const rule = { name: "workspaces-made", points, durationSeconds: 24 * 60 * 60 };
    const rate = await limits.consume(rule, owner.personId);
    if (!rate.allowed) throw tooManyRequests(rate.resetMs);
    const create = (workspace: NewWorkspace) =>
      context.db.transaction().execute(async (trx) => {
        const row = await insertWorkspace(trx, workspace, owner.personId);
        if (row === undefined) return undefined;
        await enforceWorkspaceQuota(trx, owner.personId, workspacesPerPerson);
        if (row.website_url !== null)
          await enqueue(trx, "favicon", { workspaceId: row.id, adId: null, attempt: 1 });
        await recordChange(trx, owner, {
          workspaceId: row.id,
          action: "workspace.create",
          resourceId: row.id,
          after: auditedWorkspace(row),
        });
        return row;
      });
    const slugs = input.slug === undefined ? slugsFor(name) : [input.slug];
    for (const slug of slugs) {
      const row = await create({ name, slug, websiteUrl, currency });
      if (row !== undefined) return presentWorkspace(row, "Owner");
    }
    throw slugTaken();
  }),

  get: forMembers(api.workspaces.get, async ({ context: { db, access } }) => {
    const row = await findWorkspace(db, access.workspaceId);
    if (row === undefined) throw notFound("Workspace");
    return presentWorkspace(row, access.role);
  }),

  update: forMembers(api.workspaces.update, async ({ input, context }) => {
    const { workspaceId, role } = context.access;
    const { db } = context;
    try {
      return await db.transaction().execute(async (trx) => {
        const before = await lockWorkspace(trx, workspaceId);
        if (before === undefined) throw notFound("Workspace");
        await requireMatch(context.reply.request, () => presentWorkspace(before, role));
        const asked = { ...auditedWorkspace(before), ...input };
        if (isDeepStrictEqual(asked, auditedWorkspace(before))) return presentWorkspace(before, role);
        const after = await updateWorkspace(trx, before, input, new Date(now()));
        if (after.website_url !== before.website_url)
          await enqueue(trx, "favicon", { workspaceId, adId: null, attempt: 1 });
        await recordChange(trx, context.access.actor, {
          workspaceId,
          action: "workspace.update",
          resourceId: workspaceId,
          before: auditedWorkspace(before),
          after: auditedWorkspace(after),
        });
        return presentWorkspace(after, role);
      });
    } catch (error) {
      if (violatedConstraint(error) === "workspaces_slug_key") throw slugTaken();
      throw error;
    }
  }),
});

function* slugsFor(name: string): Generator<string> {
  for (const ending of NUMBERED) yield slugFromName(name, ending);
  // Two in 10^12 are alike, so the second is never needed.
  for (let attempt = 0; attempt < RANDOM_TRIES; attempt += 1) {
    yield slugFromName(
      name,
      randomInt(36 ** 8)
        .toString(36)
        .padStart(8, "0"),
    );
  }
}

function slugTaken(): HttpError {
  return conflict("SLUG_TAKEN", { fieldErrors: { slug: ["This slug is taken."] } });
}
