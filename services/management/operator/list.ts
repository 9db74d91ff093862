import type { OperatorCommand } from "./command.ts";
import { listPeople, listWorkspaces } from "./queries.ts";

/** Lists people and workspaces, newest first. */
export const list: OperatorCommand = {
  parameters: ["[text]"],
  about: "Lists people and workspaces, or those whose name, address or slug contains the text.",
  async run({ db, say }, [text = ""]) {
    const people = await listPeople(db, text);
    const workspaces = await listWorkspaces(db, text);

    say(numberOf(people, "person", "people"));
    for (const { id, email, created_at, suspended_at, workspaces: count } of people) {
      const has = counted(count, "workspace");
      say(lineOf([id, email, since("", created_at), has, since("SUSPENDED ", suspended_at)]));
    }
    say("");
    say(numberOf(workspaces, "workspace", "workspaces"));
    for (const { id, slug, created_at, suspended_at, erasing_since, ...counts } of workspaces) {
      const { members, ads, subscriptions } = counts;
      const has = [counted(members, "member"), counted(ads, "ad"), counted(subscriptions, "subscription")];
      const states = [since("SUSPENDED ", suspended_at), since("BEING DELETED ", erasing_since)];
      say(lineOf([id, slug, since("", created_at), ...has, ...states]));
    }
  },
};

function numberOf(rows: readonly { readonly total: number }[], one: string, many: string): string {
  const total = rows[0]?.total ?? 0;
  const counted = `${total} ${total === 1 ? one : many}`;
  return total > rows.length ? `${counted}, the newest ${rows.length} of them:` : counted;
}

function lineOf(parts: readonly (string | null)[]): string {
  return `  ${parts.filter((part) => part !== null).join("  ")}`;
}

function counted(count: number, what: string): string {
  return `${count} ${count === 1 ? what : `${what}s`}`;
}

function since(state: string, at: Date | null): string | null {
  return at === null ? null : `${state}since ${at.toISOString()}`;
}
