import { z } from "zod";

/** The address of a Redis, or those of several nodes of a Redis Cluster, joined by commas. */
export const redisAddresses = z
  .string()
  .transform((given) =>
    given
      .split(",")
      .map((one) => one.trim())
      .filter((one) => one !== "")
      .join(","),
  )
  .superRefine((given, context) => {
    const message = problemOf(given.split(","));
    if (message !== null) context.addIssue({ code: "custom", message });
  });

function problemOf(addresses: readonly string[]): string | null {
  const nodes = addresses.map((address) => URL.parse(address));
  const [first = null, ...others] = nodes;
  for (const node of nodes) {
    if (node === null || !/^rediss?:$/.test(node.protocol) || node.hostname === "")
      return "must be redis:// or rediss://, several nodes of a cluster joined by commas";
  }
  if (others.length === 0) return null;
  if (nodes.some((node) => node?.protocol !== first?.protocol))
    return "must be redis:// for all nodes of a cluster, or rediss:// for all";
  if (nodes.some((node) => !/^\/?0?$/.test(node?.pathname ?? "")))
    return "must name no database where it names several nodes, as a cluster has only one";
  if (nodes.some((node) => node?.username !== first?.username || node?.password !== first?.password))
    return "must have the same user and password for all nodes of a cluster";
  return null;
}
