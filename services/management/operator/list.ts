import type { OperatorCommand } from "./command.ts";
import { listPeople, listWorkspaces } from "./queries.ts";

/** Shows who and what there is, the newest first. */
export const list: OperatorCommand = {
  parameters: ["[text]"],
  about: "Shows people and workspaces, or those whose name, address or slug holds the text.",
  async run({ db, say }, [text = ""]) {
    const people = await listPeople(db, text);
    const workspaces = await listWorkspaces(db, text);

    say(`${numberOf(people, "person", "people")}`);
    for (const { id, email, created_at, suspended_at, workspaces: count } of people) {
      say(lineOf([id, email, created(created_at), counted(count, "workspace"), state(suspended_at)]));
    }
    say("");
    say(`${numberOf(workspaces, "workspace", "workspaces")}`);
    for (const { id, slug, created_at, suspended_at, erasing_since, ...counts } of workspaces) {
      const { members, ads, subscriptions } = counts;
      const has = [counted(members, "member"), counted(ads, "ad"), counted(subscriptions, "subscription")];
      say(lineOf([id, slug, created(created_at), ...has, state(suspended_at), erasing(erasing_since)]));
    }
  },
};

function numberOf(rows: readonly { readonly total: number }[], one: string, many: string): string {
  const total = rows[0]?.total ?? 0;
  const said = `${total} ${total === 1 ? one : many}`;
  return total > rows.length ? `${said}, the newest ${rows.length} of them:` : said;
}

function lineOf(parts: readonly (string | null)[]): string {
  return `  ${parts.filter((part) => part !== null).join("  ")}`;
}

function created(at: Date): string {
  return `since ${at.toISOString()}`;
}

function counted(count: number | null, what: string): string {
  return `${count ?? 0} ${count === 1 ? what : `${what}s`}`;
}

function state(suspendedAt: Date | null): string | null {
  return suspendedAt === null ? null : `SUSPENDED since ${suspendedAt.toISOString()}`;
}

function erasing(since: Date | null): string | null {
  return since === null ? null : `BEING DELETED since ${since.toISOString()}`;
}
