import { type PlaceOf, statement } from "#libs/database/statement.ts";

/** In seconds: the lifetime of a session from its last renewal, and the age at which the next request renews it. */
export const SESSION_TIMES = { expiresIn: 30 * 24 * 60 * 60, updateAge: 24 * 60 * 60 };

/** The session with that token, its person, and their membership in a workspace; none where the person is suspended. */
export const findSession = statement(
  "session",
  (db, place: PlaceOf<{ readonly token: string; readonly workspaceId: string | null }>) =>
    db
      .selectFrom("sessions")
      .innerJoin("people", "people.id", "sessions.person_id")
      .leftJoin("members", (join) =>
        join
          .onRef("members.person_id", "=", "people.id")
          .on("members.workspace_id", "=", place("workspaceId")),
      )
      .leftJoin("workspaces", "workspaces.id", "members.workspace_id")
      .where("people.suspended_at", "is", null)
      .where("sessions.token", "=", place("token"))
      .select([
        "sessions.expires_at",
        "people.id",
        "people.name",
        "people.email",
        "members.id as member_id",
        "members.role",
        "workspaces.suspended_at as workspace_suspended_at",
      ]),
);

/** Whether better-auth has to see a session: to renew it, or to end it. */
export function isDue(expiresAt: Date, shortLived: boolean, now: number): boolean {
  const renewed = shortLived ? 0 : SESSION_TIMES.expiresIn - SESSION_TIMES.updateAge;
  return expiresAt.getTime() - renewed * 1000 <= now;
}
