import { type Html, html } from "#libs/html/index.ts";

/** An attribute that is only there when it has a value; the name is ours. */
export function attribute(name: AttributeName, value: string | null): Html | null {
  return value === null ? null : html` ${name}="${value}"`;
}

/** An attribute that stands for yes by being there. */
export function flag(name: FlagName, isOn: boolean): Html | null {
  return isOn ? html` ${name}` : null;
}

type AttributeName = "aria-current" | "aria-describedby" | "aria-invalid" | "max" | "min" | "placeholder";
type FlagName = "autofocus" | "checked" | "hidden" | "required" | "selected";
