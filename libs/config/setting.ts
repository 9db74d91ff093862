import type { z } from "zod";

/** One setting: the environment variable, the schema of its value with its default, and its text in the manual. */
export interface Setting<T> {
  readonly variable: string;
  readonly schema: z.ZodType<T>;
  /** Effect and cost, in the operator's words, for the manual. */
  readonly about: string;
  /** Follows the schema's default in the manual; without one it says what an absent value means. */
  readonly usual: string;
  /** Whether messages and logs leave the value out. */
  readonly secret: boolean;
}

export type SettingGroup = Readonly<Record<string, Setting<unknown>>>;
export type ConfigOf<G extends SettingGroup> = {
  readonly [K in keyof G]: G[K] extends Setting<infer T> ? T : never;
};

/** Declares a setting that may be shown. */
export function setting<T>(variable: string, schema: z.ZodType<T>, about: string, usual = ""): Setting<T> {
  return { variable, schema, about, usual, secret: false };
}

/** Declares a setting whose value is never shown. */
export function secret<T>(variable: string, schema: z.ZodType<T>, about: string, usual = ""): Setting<T> {
  return { variable, schema, about, usual, secret: true };
}

/** The environment holds invalid values; the message has a line per value. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/**
 * Reads a group of settings. An empty variable counts as absent.
 * Throws a `ConfigError` that names every invalid variable and repeats no secret's value.
 */
export function readConfig<G extends SettingGroup>(
  group: G,
  environment: Readonly<Record<string, string | undefined>>,
): ConfigOf<G> {
  const problems: string[] = [];
  const entries = Object.entries(group).map(([key, { variable, schema, secret: hidden }]) => {
    const given = environment[variable];
    const parsed = schema.safeParse(given === "" ? undefined : given);
    if (parsed.success) return [key, parsed.data] as const;
    const reason = parsed.error.issues[0]?.message ?? "is not allowed";
    problems.push(
      `${variable}${given === undefined || given === "" || hidden ? "" : ` ("${given}")`}: ${reason}`,
    );
    return [key, undefined] as const;
  });
  if (problems.length > 0) throw new ConfigError(problems.join("\n"));
  return Object.fromEntries(entries) as ConfigOf<G>;
}
