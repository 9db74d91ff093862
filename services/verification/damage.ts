import type { Loss } from "#libs/installation/index.ts";
import type { StatsStore } from "#libs/stats-store/index.ts";

const SHOWN_NAMES = 5;

/** What is damaged in one way. */
export interface Damage {
  /** The damaged things, by the names under which they are recorded once accepted. */
  readonly names: readonly string[];
  readonly loss: (unknown: readonly string[]) => string;
}

/** Damaged parts that ClickHouse detached, and deduplication logs that it lost. */
export async function damageOf(stats: StatsStore, where: string): Promise<Damage[]> {
  const place = `ClickHouse in ${where}`;
  const lostParts = (await stats.brokenParts()).filter(({ isReplaced }) => !isReplaced);
  const forgetful = await stats.forgetfulTables();
  return [
    {
      names: lostParts.map(({ table, name }) => `${table}/${name}`),
      loss: (parts) =>
        `${place} could not read ${parts.length} parts and put them into detached/: ${listOf(parts)}. Their events are missing.`,
    },
    {
      names: forgetful.map((table) => `${table}/deduplication log`),
      loss: (logs) => `${place} has lost ${listOf(logs)}: events that were under way may be counted twice.`,
    },
  ];
}

/** The damage to ClickHouse that nobody has accepted at a start. `where` is the place to name in messages. */
export async function findUnknownDamage(
  stats: StatsStore,
  where: string,
  known: ReadonlySet<string>,
): Promise<Loss[]> {
  return unknownDamage(await damageOf(stats, where), known);
}

/** The part of the damage that nobody has accepted yet, in one sentence per kind. */
export function unknownDamage(damage: readonly Damage[], known: ReadonlySet<string>): Loss[] {
  return damage.flatMap(({ names, loss }): Loss[] => {
    const unknown = names.filter((name) => !known.has(name));
    return unknown.length === 0 ? [] : [{ store: "clickhouse", message: loss(unknown) }];
  });
}

function listOf(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN_NAMES).join(", ");
  return names.length > SHOWN_NAMES ? `${shown} and others` : shown;
}
