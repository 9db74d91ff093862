import { expect, it } from "vitest";
import { addressKey, siteOf } from "./address-key.ts";

it.each([
  ["203.0.113.7", "net 203.0.113.7"],
  ["::ffff:203.0.113.7", "net 203.0.113.7"],
  ["::FFFF:cb00:7107", "net 203.0.113.7"],
  ["0:0:0:0:0:ffff:203.0.113.7", "net 203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "net 2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::9", "net 2001:db8:1:2::/64"],
  ["2001:db8:1::", "net 2001:db8:1:0::/64"],
  ["2001:db8::5:6:7:8:9", "net 2001:db8:0:5::/64"],
  ["fe80::1%eth0", "net fe80:0:0:0::/64"],
  ["::1", "net 0:0:0:0::/64"],
  ["::", "net 0:0:0:0::/64"],
  ["", "net "],
  ["1.2.3.4:80", "net 1.2.3.4:80"],
  ["1::2::3", "net 1::2::3"],
  ["1:2:3", "net 1:2:3"],
  ["1:2:3:4:5:6:7:8:9", "net 1:2:3:4:5:6:7:8:9"],
  ["unknown:x", "net unknown:x"],
])("counts %j as %j", (address, key) => {
  expect(addressKey(address)).toBe(key);
});

it.each([
  ["2001:db8:1:2:3:4:5:6", "net 2001:db8:1::/48"],
  ["2001:0DB8:0001:ffff::9", "net 2001:db8:1::/48"],
  ["::1", "net 0:0:0::/48"],
  ["203.0.113.7", null],
  ["::ffff:203.0.113.7", null],
  ["unknown:x", null],
])("counts %j with the site %j", (address, site) => {
  expect(siteOf(addressKey(address))).toBe(site);
});
