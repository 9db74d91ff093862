import { Group, Paper, Skeleton, Table, Text, Title } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { SiteIcon } from "../ads/site-icon.tsx";
import { query } from "../shell/client.ts";
import type { Days } from "../shell/days.tsx";
import { formatCount, formatPercent } from "../shell/format.ts";
import { LinkTo } from "../shell/links.tsx";
import { useWorkspace } from "../shell/workspace.tsx";
import { clickThroughRate } from "./totals.ts";

interface TopAdsProps {
  /** Most impressions first. */
  readonly ads: readonly { readonly adId: string; readonly impressions: number; readonly clicks: number }[];
  readonly days: Days;
}

const SHOWN = 5;

/** The ads that were seen most. */
export function TopAds({ ads, days }: TopAdsProps) {
  const { id: workspaceId } = useWorkspace();
  const top = ads.slice(0, SHOWN);
  const known = useQueries({
    queries: top.map(({ adId }) => query.ads.get.queryOptions({ input: { workspaceId, adId } })),
  });
  return (
    <Paper withBorder p={{ base: "md", sm: "lg" }} component="section" aria-labelledby="top-ads">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h5" id="top-ads">
          Top ads
        </Title>
        <LinkTo to="/w/$workspaceId/ads" params={{ workspaceId }} size="sm">
          All ads
        </LinkTo>
      </Group>
      {top.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nothing was counted in this period.
        </Text>
      ) : (
        <Table className="figures" verticalSpacing="sm" horizontalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="100%">Ad</Table.Th>
              <Table.Th ta="right">Impressions</Table.Th>
              <Table.Th ta="right">Clicks</Table.Th>
              <Table.Th ta="right" visibleFrom="xs" style={{ whiteSpace: "nowrap" }}>
                CTR
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {top.map((ad, index) => (
              <Table.Tr key={ad.adId}>
                <Table.Td>
                  <AdName workspaceId={workspaceId} adId={ad.adId} days={days} ad={known[index]?.data} />
                </Table.Td>
                <Table.Td ta="right">{formatCount(ad.impressions)}</Table.Td>
                <Table.Td ta="right">{formatCount(ad.clicks)}</Table.Td>
                <Table.Td ta="right" visibleFrom="xs">
                  {formatPercent(clickThroughRate(ad))}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Paper>
  );
}

interface AdNameProps {
  readonly workspaceId: string;
  readonly adId: string;
  readonly days: Days;
  readonly ad: { readonly name: string; readonly faviconUrl: string | null } | undefined;
}

function AdName({ workspaceId, adId, days, ad }: AdNameProps) {
  if (ad === undefined) return <Skeleton h={20} w={140} />;
  return (
    <Group gap="xs" wrap="nowrap">
      <SiteIcon name={ad.name} faviconUrl={ad.faviconUrl} size={20} />
      <LinkTo
        to="/w/$workspaceId/ads/$adId"
        params={{ workspaceId, adId }}
        search={{ days }}
        size="sm"
        lineClamp={2}
      >
        {ad.name}
      </LinkTo>
    </Group>
  );
}
