import { Group, Stack, Table, Text } from "@mantine/core";
import classes from "../ads/ad-rows.module.css";
import { ReviewBadge, SubscriptionBadge } from "../ads/badges.tsx";
import { priceWords } from "../ads/price-words.ts";
import { Section } from "../ads/section.tsx";
import { SiteIcon } from "../ads/site-icon.tsx";
import { endWords } from "../ads/subscription-words.ts";
import { formatCount, formatDate, formatPercent } from "../shell/format.ts";
import { LinkTo } from "../shell/links.tsx";
import { useWorkspace } from "../shell/workspace.tsx";
import type { Advertiser } from "./advertiser-state.ts";

type AdvertisersAd = Advertiser["ads"][number];

/** Every ad of an advertiser with the subscription it runs on, newest first. */
export function HistorySection({ ads }: Pick<Advertiser, "ads">) {
  return (
    <Section title="Ads and subscriptions">
      {ads.length === 0 ? (
        <Text size="sm" c="dimmed">
          No ad has been submitted yet.
        </Text>
      ) : (
        <Table verticalSpacing="sm" highlightOnHover>
          <Table.Thead visibleFrom="md">
            <Table.Tr>
              <Table.Th>Ad</Table.Th>
              <Table.Th>Subscription</Table.Th>
              <Table.Th visibleFrom="lg">Bought</Table.Th>
              <Table.Th ta="end">Impressions</Table.Th>
              <Table.Th ta="end">Clicks</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {ads.map((ad) => (
              <HistoryRow key={ad.id} ad={ad} />
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Section>
  );
}

function HistoryRow({ ad }: { readonly ad: AdvertisersAd }) {
  const { id: workspaceId } = useWorkspace();
  const { subscription, stats } = ad;
  return (
    <Table.Tr className={classes.row} style={{ verticalAlign: "top", fontVariantNumeric: "tabular-nums" }}>
      <Table.Td>
        <Group gap="sm" wrap="nowrap" align="flex-start">
          <SiteIcon name={ad.name} faviconUrl={ad.faviconUrl} size={32} />
          <Stack gap={4} miw={0} align="flex-start">
            <LinkTo
              to="/w/$workspaceId/ads/$adId"
              params={{ workspaceId, adId: ad.id }}
              className={classes.link ?? ""}
              fw={600}
            >
              <bdi dir="auto">{ad.name}</bdi>
            </LinkTo>
            <ReviewBadge ad={ad} />
            <Stack gap={4} hiddenFrom="md" align="flex-start">
              <Subscription ad={ad} />
              <Text size="xs">
                {formatCount(stats.impressions)} impressions, {formatCount(stats.clicks)} clicks
              </Text>
            </Stack>
          </Stack>
        </Group>
      </Table.Td>
      <Table.Td visibleFrom="md">
        <Subscription ad={ad} />
      </Table.Td>
      <Table.Td visibleFrom="lg" style={{ whiteSpace: "nowrap" }}>
        {formatDate(subscription.createdAt)}
      </Table.Td>
      <Table.Td ta="end" visibleFrom="md">
        {formatCount(stats.impressions)}
      </Table.Td>
      <Table.Td ta="end" visibleFrom="md">
        {formatCount(stats.clicks)}
        <Text size="xs" c="dimmed">
          {formatPercent(stats.clicks / stats.impressions)}
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}

function Subscription({ ad: { subscription } }: { readonly ad: AdvertisersAd }) {
  const end = endWords(subscription);
  return (
    <Stack gap={4} align="flex-start">
      <SubscriptionBadge subscription={subscription} />
      <Text size="xs" c="dimmed">
        <bdi>{subscription.tier.name}</bdi>, {priceWords(subscription.tierPrice)}
      </Text>
      {end === null ? null : (
        <Text size="xs" c="dimmed">
          {end.name} {formatDate(end.at)}
          {end.why === undefined ? "" : `: ${end.why.toLowerCase()}`}
        </Text>
      )}
    </Stack>
  );
}
