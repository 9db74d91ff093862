import type pg from "pg";
import { newKey } from "#libs/domain/api-key.ts";
import { seedId } from "./seed-ids.ts";

/**
 * Gives workspaces an owner and `each` keys; returns the keys of each workspace, in the order of `workspaces`. They take
 * 120 requests a minute each, so a load takes them in turn. Keys and owners are numbered by their workspace: at most once.
 */
export async function seedKeys(
  client: pg.Client,
  workspaces: readonly number[],
  each: number,
): Promise<string[][]> {
  const all: string[][] = [];
  for (const number of workspaces) {
    const ids = {
      workspace: seedId("ws", number),
      person: seedId("usr", number),
      member: seedId("mem", number),
    };
    const keys = Array.from({ length: each }, () => newKey("api"));
    await client.query(
      "insert into people (id, name, email, email_verified) values ($1, 'Owner', $2, true)",
      [ids.person, `owner-${number}@example.com`],
    );
    await client.query(
      "insert into members (id, workspace_id, person_id, role) values ($1, $2, $3, 'Owner')",
      [ids.member, ids.workspace, ids.person],
    );
    await client.query(
      `insert into api_keys (id, workspace_id, member_id, name, prefix, hash)
       select key.id, $1, $2, 'Load test', key.prefix, decode(key.hash, 'hex')
       from json_to_recordset($3) as key(id text, prefix text, hash text)`,
      [
        ids.workspace,
        ids.member,
        JSON.stringify(
          keys.map(({ prefix, hash }, nth) => ({
            id: seedId("key", number * each + nth),
            prefix,
            hash: hash.toString("hex"),
          })),
        ),
      ],
    );
    all.push(keys.map(({ key }) => key));
  }
  return all;
}
