import type { FastifyReply } from "fastify";
import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { conflict, httpError, invalidInput, notFound, tooManyRequests } from "#libs/http/index.ts";
import type { Limits, RateRule } from "#libs/limits/index.ts";
import type { StatsStore } from "#libs/stats-store/index.ts";
import type { People } from "../accounts/people/people.ts";
import { findAdvertiser } from "../ads/advertisers/queries.ts";
import { api, forMembers, forMembersUnscoped, forSignedIn } from "../api/api.ts";
import type { RemovalPorts } from "../media/uploads/removal.ts";
import { eraseAdvertiser } from "./erase-advertiser.ts";
import { erasePerson } from "./erase-person.ts";
import { beginErasure, lockForErasure } from "./erase-workspace.ts";
import { type ExportHead, streamExport } from "./export.ts";
import type { Subject } from "./tables.ts";

/** An export reads all of a subject's rows, so it is not for polling. */
const EXPORTS_OF_A_PERSON: RateRule = { name: "export", points: 10, durationSeconds: 60 * 60 };
const EXPORTS_OF_ADVERTISERS: RateRule = { name: "export-advertiser", points: 60, durationSeconds: 60 * 60 };

interface ExportPorts {
  readonly limits: Pick<Limits, "consume">;
  readonly now: () => number;
}

interface AccountPorts extends ExportPorts {
  readonly people: Pick<People, "confirm">;
}

interface WorkspaceExportPorts extends ExportPorts {
  readonly stats: Pick<StatsStore, "dailyOfWorkspace">;
}

/** Limits guesses of the password with a stolen session. */
const DELETE_RATE: RateRule = { name: "account-delete", points: 10, durationSeconds: 60 * 60 };

/** Deleting and exporting one's own account. */
export const accountRoutes = (ports: AccountPorts) => ({
  delete: forSignedIn(api.account.delete, async ({ input, context: { db, reply, access } }) => {
    const { personId } = access.actor;
    const rate = await ports.limits.consume(DELETE_RATE, personId);
    if (!rate.allowed) throw tooManyRequests(rate.resetMs);
    const confirmation = await ports.people.confirm(reply.request.headers, personId, input.password);
    if (confirmation === "wrong-password") {
      throw invalidInput("WRONG_CONFIRMATION", { fieldErrors: { password: ["This is not your password."] } });
    }
    if (confirmation === "sign-in-again") {
      throw httpError("FORBIDDEN", "Sign in again, then delete your account within ten minutes.");
    }
    const ownerless = await db.transaction().execute((trx) => erasePerson(trx, personId));
    if (ownerless.length > 0) {
      const names = ownerless.map((name) => `“${name}”`).join(", ");
      throw conflict("LAST_OWNER", {
        formErrors: [
          `You are the only Owner of ${names}. Delete each of these workspaces or make another member its Owner first.`,
        ],
      });
    }
    return { success: true };
  }),

  export: forSignedIn(api.account.export, async ({ context: { db, reply, access } }) => {
    const { personId } = access.actor;
    return await sendExport(db, ports, reply, personId, { kind: "person", id: personId });
  }),
});

/** Every day that can have counts. */
const ALL_DAYS = { from: "2020-01-01", to: "2099-12-31" };

/** Deleting and exporting a workspace. */
export const workspacePrivacyRoutes = (ports: WorkspaceExportPorts) => ({
  delete: forMembers(api.workspaces.delete, async ({ input, context: { db, access } }) => {
    await db.transaction().execute(async (trx) => {
      const workspace = await lockForErasure(trx, access.workspaceId);
      if (workspace === undefined) throw notFound("Workspace");
      if (workspace.name !== input.name) {
        throw invalidInput("WRONG_CONFIRMATION", {
          fieldErrors: { name: ["This is not the name of the workspace."] },
        });
      }
      await beginErasure(trx, workspace, new Date(ports.now()), input.refund);
    });
    return { success: true };
  }),

  export: forMembersUnscoped(api.workspaces.export, async ({ context: { db, reply, access } }) => {
    const { workspaceId: id } = access;
    return await sendExport(db, ports, reply, access.actor.personId, { kind: "workspace", id }, async () => ({
      dailyCounts: await ports.stats.dailyOfWorkspace(id, ALL_DAYS),
    }));
  }),
});

/** Erasing and exporting an advertiser's data. */
export const advertiserPrivacyRoutes = (ports: ExportPorts & Omit<RemovalPorts, "db">) => ({
  erase: forMembersUnscoped(api.advertisers.erase, async ({ input, context: { db, access } }) => {
    const target = { workspaceId: access.workspaceId, advertiserId: input.advertiserId };
    await eraseAdvertiser({ ...ports, db }, access.actor, target);
    return { success: true };
  }),

  export: forMembersUnscoped(api.advertisers.export, async ({ input, context: { db, reply, access } }) => {
    const { workspaceId } = access;
    const advertiser = await findAdvertiser(db, workspaceId, input.advertiserId);
    if (advertiser === undefined) throw notFound("Advertiser");
    const subject = { kind: "advertiser", id: advertiser.id, workspaceId } as const;
    return await sendExport(db, ports, reply, workspaceId, subject);
  }),
});

/** Answers with the export of a subject as a file. Throws 429 if `caller` has requested too many. */
async function sendExport(
  db: Kysely<Tables>,
  { limits, now }: ExportPorts,
  reply: FastifyReply,
  caller: string,
  subject: Subject,
  head: () => Promise<ExportHead> = async () => ({}),
): Promise<ReadableStream<Uint8Array>> {
  const rule = subject.kind === "advertiser" ? EXPORTS_OF_ADVERTISERS : EXPORTS_OF_A_PERSON;
  const rate = await limits.consume(rule, caller);
  if (!rate.allowed) throw tooManyRequests(rate.resetMs);
  const exportedAt = new Date(now()).toISOString();
  const file = streamExport(db, subject, { exportedAt, ...(await head()) });
  reply.headers({
    "content-type": "application/json; charset=utf-8",
    "content-disposition": `attachment; filename="${subject.kind}-${exportedAt.slice(0, 10)}.json"`,
  });
  return file;
}
