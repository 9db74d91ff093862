import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { trackingLimits } from "#libs/domain/tracking-limits.ts";

/** The files that tell the proxy where to listen. */
const LISTENING = [
  "../compose.yaml",
  "../kubernetes/base/proxy.yaml",
  "../native/run/nginx",
  "../proxy/nginx.conf.template",
];
const TEMPLATE = new URL("../proxy/nginx.conf.template", import.meta.url);
const { clickWindowMs, impressionWindowMs } = trackingLimits({ impressionsPerMinute: 0, clicksPerMinute: 0 });

/** A time of a directive, in milliseconds; only seconds and milliseconds are written. */
function timeOf(directive: string, text: string): number {
  const [, number = "", unit] = new RegExp(`\\b${directive} (\\d+)(ms|s);`).exec(text) ?? [];
  return Number(number) * (unit === "s" ? 1_000 : 1);
}

it("asks a second process for a link, or an image, while the visitor's event can still be known for a duplicate", async () => {
  const template = await readFile(TEMPLATE, "utf8");
  const [, links = ""] = /location ~ \S+\/click\$ \{(.*?)\n {4}\}/s.exec(template) ?? [];

  expect(timeOf("proxy_read_timeout", links)).toBeGreaterThan(0);
  expect(timeOf("proxy_read_timeout", links)).toBeLessThan(clickWindowMs);
  expect(timeOf("proxy_next_upstream_timeout", template)).toBeGreaterThan(0);
  expect(timeOf("proxy_next_upstream_timeout", template)).toBeLessThan(impressionWindowMs);
});

it.each(LISTENING)(
  "gives the kernel little of an answer that nobody reads, so that time limits see it: %s",
  async (file) => {
    const text = await readFile(new URL(file, import.meta.url), "utf8");
    const listens = text.match(/\blisten [\d.$PORT:]+[^;]*;/g) ?? [];

    expect(listens).not.toEqual([]);
    expect(listens.filter((listen) => !listen.includes(" sndbuf=64k"))).toEqual([]);
  },
);
