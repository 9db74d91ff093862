import { z } from "zod";
import { NetworkListError, readNetworks } from "./network-list.ts";

/** Where clouds publish the addresses that their customers' machines have. */
export const CLOUD_RANGES = [
  // https://docs.aws.amazon.com/vpc/latest/userguide/aws-ip-syntax.html
  "https://ip-ranges.amazonaws.com/ip-ranges.json",
  "https://www.gstatic.com/ipranges/cloud.json",
  "https://docs.oracle.com/en-us/iaas/tools/public_ip_ranges.json",
  "https://digitalocean.com/geo/google.csv",
  "https://geoip.linode.com/",
] as const;

/** Of Amazon's services the machines of customers: people's browsers are behind others, such as its VPN. */
const AMAZON_MACHINES = "EC2";
/** Azure's tag of all its addresses. */
const ALL_OF_AZURE = "AzureCloud";

const amazon = z
  .object({
    prefixes: z.array(z.object({ ip_prefix: z.string(), service: z.string() })),
    ipv6_prefixes: z.array(z.object({ ipv6_prefix: z.string(), service: z.string() })),
  })
  .transform(({ prefixes, ipv6_prefixes }) => [
    ...prefixes.filter(({ service }) => service === AMAZON_MACHINES).map(({ ip_prefix }) => ip_prefix),
    ...ipv6_prefixes
      .filter(({ service }) => service === AMAZON_MACHINES)
      .map(({ ipv6_prefix }) => ipv6_prefix),
  ]);
const google = z
  .object({
    prefixes: z.array(
      z.union([
        z.object({ ipv4Prefix: z.string() }).transform(({ ipv4Prefix }) => ipv4Prefix),
        z.object({ ipv6Prefix: z.string() }).transform(({ ipv6Prefix }) => ipv6Prefix),
      ]),
    ),
  })
  .transform(({ prefixes }) => prefixes);
const oracle = z
  .object({ regions: z.array(z.object({ cidrs: z.array(z.object({ cidr: z.string() })) })) })
  .transform(({ regions }) => regions.flatMap(({ cidrs }) => cidrs.map(({ cidr }) => cidr)));
const azure = z
  .object({
    values: z.array(
      z.object({ name: z.string(), properties: z.object({ addressPrefixes: z.array(z.string()) }) }),
    ),
  })
  .transform(({ values }) =>
    values
      .filter(({ name }) => name === ALL_OF_AZURE)
      .flatMap(({ properties }) => properties.addressPrefixes),
  );
const ranges = z.union([amazon, google, oracle, azure]);

/** A source has no list of networks. */
export class CloudRangesError extends Error {
  override readonly name = "CloudRangesError";
}

/**
 * The networks in what a cloud publishes: JSON as Amazon, Google, Oracle or Azure write it, or a line for each, as in a list of networks or
 * in a geofeed (RFC 8805), whose first column it is. Throws `CloudRangesError` if there is none.
 */
export async function readCloudRanges(source: string, text: string): Promise<string[]> {
  const networks = text.trimStart().startsWith("{") ? readJson(source, text) : readLines(text);
  if (networks.length === 0) throw new CloudRangesError(`${source} has no networks.`);
  try {
    await readNetworks(networks.join("\n"));
  } catch (error) {
    if (!(error instanceof NetworkListError)) throw error;
    throw new CloudRangesError(`${source} is no list of networks: ${error.message}.`);
  }
  return networks;
}

function readJson(source: string, text: string): string[] {
  try {
    return ranges.parse(JSON.parse(text));
  } catch (error) {
    throw new CloudRangesError(`${source} has a form that is not known.`, { cause: error });
  }
}

function readLines(text: string): string[] {
  return text
    .split("\n")
    .map(
      (line) =>
        line
          .replace(/[#;].*$/s, "")
          .split(",")[0]
          ?.trim() ?? "",
    )
    .filter((network) => network !== "");
}

/** A list for `BLOCKED_NETWORKS_FILE`, each network once. Throws `NetworkListError` if it is too long. */
export async function listOfNetworks(
  sources: readonly { readonly source: string; readonly networks: readonly string[] }[],
  now: Date,
): Promise<string> {
  const known = new Set<string>();
  const lines = [`# Networks of clouds, ${now.toISOString().slice(0, 10)}`];
  for (const { source, networks } of sources) {
    const added = networks.filter((network) => !known.has(network));
    for (const network of added) known.add(network);
    lines.push("", `# ${source}`, ...new Set(added));
  }
  const text = `${lines.join("\n")}\n`;
  await readNetworks(text);
  return text;
}
