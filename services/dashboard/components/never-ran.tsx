import { Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Ad } from "#libs/contract/ad.ts";
import { hasEnded } from "#libs/domain/subscription.ts";
import { query } from "../api/client.ts";
import { neverRanQuery } from "../api/queries.ts";
import { useMay, useWorkspace } from "../api/workspace.ts";
import { Dimmed } from "./dimmed.tsx";
import { formatCount, formatDate, priceWords } from "./format.ts";
import { LinkTo } from "./links.tsx";
import { Rows } from "./lists.tsx";
import { Notice } from "./notice.tsx";
import { Section } from "./section.tsx";
import { endWords } from "./subscription-words.ts";
import { useRefundOffer } from "./use-refund-offer.ts";

/** Ads that were paid and ended before they ran, whose refund nobody has decided. Nothing if there are none. */
export function NeverRan() {
  const { id: workspaceId } = useWorkspace();
  const mayDecide = useMay("Manager");
  const { data } = useQuery({ ...neverRanQuery(workspaceId), enabled: mayDecide });
  if (!mayDecide || data === undefined || data.total === 0) return null;
  const others = data.total - data.items.length;
  return (
    <Section title="Ended before they ran: refund?">
      <Rows label="Ads that never ran">
        {data.items.map(({ id, name, subscription }) => {
          const end = endWords(subscription);
          return (
            <Group key={id} component="li" justify="space-between" gap="xs">
              <Stack gap={2} miw={0} style={{ overflowWrap: "anywhere" }}>
                <LinkTo to="/w/$workspaceId/ads/$adId" params={{ workspaceId, adId: id }} fw={600}>
                  <bdi dir="auto">{name}</bdi>
                </LinkTo>
                <Dimmed>
                  <bdi>{subscription.tier.name}</bdi>, <bdi>{priceWords(subscription.tierPrice)}</bdi>
                </Dimmed>
              </Stack>
              {end === null ? null : (
                <Dimmed>
                  {end.name} {formatDate(end.at)}
                </Dimmed>
              )}
            </Group>
          );
        })}
      </Rows>
      {others <= 0 ? null : (
        <Text size="sm" mt="md">
          {formatCount(others)} more.{" "}
          <LinkTo
            to="/w/$workspaceId/ads"
            params={{ workspaceId }}
            search={{ subscription: "NeverRan" }}
            size="sm"
          >
            Show all
          </LinkTo>
        </Text>
      )}
    </Section>
  );
}

/** Says of a paid ad that its subscription ended before it ran, and how to decide about the refund. */
export function NeverRanNotice({ ad }: { readonly ad: Ad }) {
  const { id: workspaceId } = useWorkspace();
  const mayDecide = useMay("Manager");
  const offer = useRefundOffer(ad);
  const eligibility = useQuery(query.ads.eligibility.queryOptions({ input: { workspaceId, adId: ad.id } }));
  const { status, refundDueSince } = ad.subscription;
  const isUndecided = ad.status !== "Rejected" && hasEnded(status) && refundDueSince === null;
  const isUnseen = eligibility.data?.servingSince === null;
  if (!mayDecide || !isUndecided || !isUnseen || offer == null || offer === "away") return null;
  return (
    <Notice color="orange" icon="coin-off" title="This ad never ran">
      Its subscription ended before it was on the air, and the payment isn’t refunded automatically.{" "}
      {ad.status === "Approved" ? "Take it down" : "Reject it"} to refund the payment, or to close it without
      a refund.
    </Notice>
  );
}
