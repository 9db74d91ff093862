import type { z } from "zod";

/** One setting: the environment variable, what values it takes, and what the manual says of it. */
export interface Setting<T> {
  readonly variable: string;
  readonly schema: z.ZodType<T>;
  /** Effect, cost and default, in the operator's words; the settings table is made of these. */
  readonly about: string;
  /** Never shown, neither in a message nor in a log. */
  readonly secret: boolean;
}

export type SettingGroup = Readonly<Record<string, Setting<unknown>>>;
export type ConfigOf<G extends SettingGroup> = {
  readonly [K in keyof G]: G[K] extends Setting<infer T> ? T : never;
};

/** Declares a setting that may be shown. */
export function setting<T>(variable: string, schema: z.ZodType<T>, about: string): Setting<T> {
  return { variable, schema, about, secret: false };
}

/** Declares a setting whose value is never shown. */
export function secret<T>(variable: string, schema: z.ZodType<T>, about: string): Setting<T> {
  return { variable, schema, about, secret: true };
}

/** The environment holds values that are not allowed; the message has one sentence for each. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/**
 * Reads a group of settings. An empty variable counts as absent.
 * Throws `ConfigError` that names every bad variable; a secret's value is not repeated in it.
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
