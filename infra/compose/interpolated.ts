import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const COMPOSE_FILE = fileURLToPath(new URL("../compose.yaml", import.meta.url));

/** One service of the file, as far as the rules of this repository speak of it. */
export interface ComposeService {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly deploy?: { readonly resources?: { readonly limits?: { cpus?: string; memory?: string } } };
  readonly ports?: readonly string[];
  readonly networks: readonly string[] | Readonly<Record<string, unknown>>;
  readonly volumes?: readonly string[];
  readonly restart?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly command?: readonly string[];
}

export interface ComposeModel {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/**
 * infra/compose.yaml with its variables replaced as Compose does it: `${A:-default}`, `${A:?sentence}`, and `$$` for a
 * dollar. Throws an error with the sentence where a variable is empty that must not be.
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
  return text.replaceAll(
    /\$(?:\$|\{(\w+)(?:(:[-?])([^{}]*))?\})/g,
    (found, name?: string, operator?: string, rest = "") => {
      if (found === "$$") return "$";
      const value = environment[name ?? ""] ?? "";
      if (value !== "") return value;
      if (operator === ":?") throw new Error(`${name}: ${rest}`);
      return operator === ":-" ? interpolate(rest, environment) : "";
    },
  );
}
