import { expect, it } from "vitest";
import { z } from "zod";
import { ConfigError, readConfig, secret, setting } from "./setting.ts";

const group = {
  port: setting(
    "PORT",
    z.coerce.number("must be a number").int().max(65535, "must be at most 65535").default(8080),
    "The port.",
  ),
  token: secret("TOKEN", z.string().min(8, "must have at least 8 characters").optional(), "A token."),
};

it("reads values and fills in defaults, an empty variable counting as absent", () => {
  expect(readConfig(group, { PORT: "", TOKEN: "long-enough" })).toEqual({ port: 8080, token: "long-enough" });
});

it("says each bad value in a sentence that names the variable, and never repeats a secret", () => {
  const read = () => readConfig(group, { PORT: "99999", TOKEN: "short" });

  expect(read).toThrow(ConfigError);
  expect(read).toThrow('PORT ("99999"): must be at most 65535\nTOKEN: must have at least 8 characters');
});
