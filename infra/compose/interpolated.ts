import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const COMPOSE_FILE = fileURLToPath(new URL("../compose.yaml", import.meta.url));

/** One service of the file, as far as the rules of this repository speak of it. */
export interface ComposeService {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly deploy?: {
    readonly replicas?: string;
    readonly resources?: { readonly limits?: { cpus?: string; memory?: string } };
  };
  readonly ports?: readonly string[];
  readonly networks: readonly string[] | Readonly<Record<string, unknown>>;
  readonly volumes?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly restart?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly command?: readonly string[];
  readonly profiles?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly required?: boolean }>>;
}

export interface ComposeNetwork {
  readonly internal?: boolean;
  readonly ipam?: { readonly config: readonly { readonly subnet: string }[] };
}

export interface ComposeModel {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, ComposeNetwork>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/**
 * infra/compose.yaml with its variables replaced as Compose does it: `${A}`, `${A:-default}` where A is empty or missing,
 * `${A-default}` where it is missing, `${A:?sentence}` and `${A?sentence}` likewise, one within another, and `$$` for a dollar.
 * Throws an error with the sentence where a variable is needed.
 */
export function readCompose(environment: Readonly<Record<string, string>>): ComposeModel {
  return parse(readFileSync(COMPOSE_FILE, "utf8"), {
    merge: true,
    // Twelve services share a few anchors each.
    maxAliasCount: 1_000,
    reviver: (_key, value: unknown) => (typeof value === "string" ? interpolate(value, environment) : value),
  });
}

function interpolate(text: string, environment: Readonly<Record<string, string>>): string {
  const [before, rest] = cutAt(text, text.indexOf("$"));
  if (rest === "") return before;
  if (rest.startsWith("$$")) return `${before}$${interpolate(rest.slice(2), environment)}`;
  const [variable, after] = cutAt(rest, endOfVariable(rest));
  return before + replacementOf(variable, environment) + interpolate(after, environment);
}

/** Behind the brace that closes the one at the beginning. */
function endOfVariable(text: string): number {
  let depth = 0;
  for (const { 0: found, index } of text.matchAll(/\$\{|\}/g)) {
    depth += found === "}" ? -1 : 1;
    if (depth === 0) return index + 1;
  }
  throw new Error(`no variable: ${text}`);
}

function replacementOf(variable: string, environment: Readonly<Record<string, string>>): string {
  const [, name = "", colon = "", operator = "", rest = ""] =
    /^\$\{(\w+)(?:(:?)([-?])(.*))?\}$/s.exec(variable) ?? [];
  const value = environment[name];
  if (value !== undefined && (value !== "" || colon === "")) return value;
  if (operator === "?") throw new Error(`${name}: ${rest}`);
  return operator === "-" ? interpolate(rest, environment) : "";
}

function cutAt(text: string, index: number): [string, string] {
  return index === -1 ? [text, ""] : [text.slice(0, index), text.slice(index)];
}
