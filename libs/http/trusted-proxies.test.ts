import { expect, it } from "vitest";
import { trustedProxies } from "./trusted-proxies.ts";

it("trusts addresses and ranges of both families, and nobody else", () => {
  const isTrusted = trustedProxies(["10.1.0.0/16", "192.0.2.7", "fd00::/8", "::1"]);

  for (const address of ["10.1.0.0", "10.1.255.255", "192.0.2.7", "fd12::1", "::1", "::ffff:10.1.2.3"]) {
    expect([address, isTrusted(address), isTrusted(address)]).toEqual([address, true, true]);
  }
  for (const address of [
    "10.2.0.1",
    "192.0.2.8",
    "fe00::1",
    "::2",
    "::ffff:10.2.0.1",
    "",
    "unix",
    "10.1.0.0/16",
  ]) {
    expect([address, isTrusted(address), isTrusted(address)]).toEqual([address, false, false]);
  }
});

it.each(["", "proxy.example", "10.0.0.0/33", "::/129", "10.0.0.0/8/8", "10.0.0.0/x", "10.0.0/8"])(
  "refuses %j, which is no address and no range",
  (proxy) => {
    expect(() => trustedProxies([proxy])).toThrow(
      `TRUST_PROXY: "${proxy}" is no address and no range of addresses.`,
    );
  },
);
