import { Box, Group, Skeleton, Table } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { query } from "../api/client.ts";
import { useWorkspace } from "../api/workspace.ts";
import { AdThumbnail } from "../components/ad-thumbnail.tsx";
import type { Days } from "../components/days.tsx";
import { Dimmed } from "../components/dimmed.tsx";
import { formatClickRate, formatCount } from "../components/format.ts";
import { LinkTo } from "../components/links.tsx";
import { Section } from "../components/section.tsx";

interface TopAdsProps {
  /** Most impressions first. */
  readonly ads: readonly { readonly adId: string; readonly impressions: number; readonly clicks: number }[];
  readonly days: Days;
}

const SHOWN = 5;

/** The ads with the most impressions. */
export function TopAds({ ads, days }: TopAdsProps) {
  const { id: workspaceId } = useWorkspace();
  const top = ads.slice(0, SHOWN);
  const known = useQueries({
    queries: top.map(({ adId }) => query.ads.get.queryOptions({ input: { workspaceId, adId } })),
  });
  return (
    <Section
      title="Top ads"
      actions={
        <LinkTo to="/w/$workspaceId/ads" params={{ workspaceId }} size="sm">
          All ads
        </LinkTo>
      }
    >
      {top.length === 0 ? (
        <Dimmed>No impressions or clicks in this period.</Dimmed>
      ) : (
        <Table aria-label="Top ads" className="figures tight" verticalSpacing="sm" horizontalSpacing="xs">
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
                  {formatClickRate(ad)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Section>
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
      <Box visibleFrom="xs">
        <AdThumbnail ad={{ ...ad, id: adId }} size={32} />
      </Box>
      <LinkTo
        to="/w/$workspaceId/ads/$adId"
        params={{ workspaceId, adId }}
        search={{ days }}
        size="sm"
        lineClamp={2}
        style={{ overflowWrap: "anywhere" }}
      >
        {ad.name}
      </LinkTo>
    </Group>
  );
}
