import { Card, Group, Stack, Table, Text } from "@mantine/core";
import { formatDate } from "../shell/format.ts";
import { LinkTo } from "../shell/links.tsx";
import { useWorkspace } from "../shell/workspace.tsx";
import classes from "./ad-rows.module.css";
import type { ListedAd } from "./ad-shapes.ts";
import { AdThumbnail } from "./ad-thumbnail.tsx";
import { ReviewBadge, ServingBadge, StateBadge } from "./badges.tsx";
import { priceWords } from "./price-words.ts";
import { whyNotServed } from "./serving-state.ts";
import { shortAddress } from "./web-address.ts";

interface AdRowsProps {
  readonly ads: readonly ListedAd[];
  /** Ads with an edit that waits for a decision. */
  readonly edited: ReadonlySet<string>;
}

/** Ads as a table; on a phone, as what fits beside a thumb. */
export function AdRows({ ads, edited }: AdRowsProps) {
  return (
    <Card withBorder padding={0}>
      <Table verticalSpacing="sm" horizontalSpacing="md" highlightOnHover>
        <Table.Thead visibleFrom="md">
          <Table.Tr>
            <Table.Th>Ad</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Tier</Table.Th>
            <Table.Th visibleFrom="lg">Advertiser</Table.Th>
            <Table.Th visibleFrom="xl">Submitted</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {ads.map((ad) => (
            <AdRow key={ad.id} ad={ad} isEdited={edited.has(ad.id)} />
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}

function AdRow({ ad, isEdited }: { readonly ad: ListedAd; readonly isEdited: boolean }) {
  const { id: workspaceId } = useWorkspace();
  const { tier, tierPrice, advertiser } = ad.subscription;
  return (
    <Table.Tr className={classes.row}>
      <Table.Td>
        <Group gap="sm" wrap="nowrap" align="flex-start">
          <AdThumbnail ad={ad} />
          <Stack gap={4} miw={0}>
            <LinkTo
              to="/w/$workspaceId/ads/$adId"
              params={{ workspaceId, adId: ad.id }}
              className={classes.link ?? ""}
              fw={600}
            >
              <bdi dir="auto">{ad.name}</bdi>
            </LinkTo>
            <Text size="xs" c="dimmed" lineClamp={1} style={{ wordBreak: "break-all" }}>
              {shortAddress(ad.websiteUrl)}
            </Text>
            <Stack gap={4} hiddenFrom="md">
              <States ad={ad} isEdited={isEdited} />
              <Text size="xs" c="dimmed">
                {tier.name}, {priceWords(tierPrice)}
              </Text>
            </Stack>
          </Stack>
        </Group>
      </Table.Td>
      <Table.Td visibleFrom="md">
        <States ad={ad} isEdited={isEdited} />
      </Table.Td>
      <Table.Td visibleFrom="md">
        <Text size="sm">
          <bdi>{tier.name}</bdi>
        </Text>
        <Text size="xs" c="dimmed">
          {priceWords(tierPrice)}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="lg" style={{ overflowWrap: "anywhere" }}>
        <Text size="sm">
          <bdi>{advertiser.name}</bdi>
        </Text>
        <Text size="xs" c="dimmed">
          {advertiser.email}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="xl" style={{ whiteSpace: "nowrap" }}>
        <Text size="sm">{formatDate(ad.createdAt)}</Text>
      </Table.Td>
    </Table.Tr>
  );
}

function States({ ad, isEdited }: { readonly ad: ListedAd; readonly isEdited: boolean }) {
  const isServing = whyNotServed(ad, Date.now()).length === 0;
  return (
    <Group gap={6}>
      <ReviewBadge ad={ad} />
      {ad.status === "Approved" ? <ServingBadge isServing={isServing} /> : null}
      {isEdited ? <StateBadge color="yellow" text="Edit to review" /> : null}
    </Group>
  );
}
