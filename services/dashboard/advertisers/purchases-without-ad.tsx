import { Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ListedSubscription } from "#libs/contract/subscriptions.ts";
import { hasEnded } from "#libs/domain/subscription.ts";
import { api, query } from "../api/client.ts";
import { useMoment } from "../api/processor-clock.ts";
import { useMay, useWorkspace } from "../api/workspace.ts";
import { SubscriptionBadge } from "../components/badges.tsx";
import { Dimmed } from "../components/dimmed.tsx";
import { formatDate, priceWords } from "../components/format.ts";
import { Rows } from "../components/lists.tsx";
import { newKey } from "../components/new-key.ts";
import { endWords, paidTimeWords } from "../components/subscription-words.ts";
import { useAction } from "../components/use-action.ts";
import { CancelDialog } from "./cancel-dialog.tsx";

/** The subscriptions of one advertiser, newest first. */
export function subscriptionsOfQuery(workspaceId: string, advertiserId: string) {
  return query.subscriptions.list.queryOptions({ input: { workspaceId, advertiserId, perPage: 100 } });
}

/** What an advertiser has bought without submitting an ad. Nothing if there is none. */
export function PurchasesWithoutAd({ advertiserId }: { readonly advertiserId: string }) {
  const { id: workspaceId } = useWorkspace();
  const { data } = useQuery(subscriptionsOfQuery(workspaceId, advertiserId));
  const adless = data?.items.filter(({ adId }) => adId === null) ?? [];
  if (adless.length === 0) return null;
  return (
    <Rows label="Subscriptions without an ad">
      {adless.map((subscription) => (
        <PurchaseRow key={subscription.id} subscription={subscription} />
      ))}
    </Rows>
  );
}

function PurchaseRow({ subscription }: { readonly subscription: ListedSubscription }) {
  const { tier, tierPrice, createdAt, status, advertiser } = subscription;
  const mayAct = useMay("Manager");
  const isOver = hasEnded(status);
  const end = endWords(subscription);
  const paid = paidTimeWords(subscription, useMoment().atProcessor);
  return (
    <Group component="li" justify="space-between" gap="sm">
      <Stack gap={4} miw={0} align="flex-start" style={{ overflowWrap: "anywhere" }}>
        <Text fw={600}>
          <bdi>{tier.name}</bdi>
        </Text>
        <SubscriptionBadge subscription={subscription} />
        <Dimmed size="xs">
          <bdi>{priceWords(tierPrice)}</bdi>. Bought {formatDate(createdAt)}.{" "}
          {isOver ? "No ad was submitted." : "No ad yet."}
          {end === null ? "" : ` ${end.name} ${formatDate(end.at)}.`}
          {paid === null ? "" : ` ${paid}`}
        </Dimmed>
      </Stack>
      {mayAct && !isOver ? (
        <Group gap="xs">
          {advertiser.email === "" ? null : <RemindButton subscription={subscription} />}
          <CancelButton subscription={subscription} />
        </Group>
      ) : null}
    </Group>
  );
}

function RemindButton({ subscription: { id, advertiser } }: { readonly subscription: ListedSubscription }) {
  const { id: workspaceId } = useWorkspace();
  const { isBusy, act: remind } = useAction({
    send: () =>
      api.subscriptions.remind(
        { workspaceId, subscriptionId: id },
        { context: { idempotencyKey: newKey() } },
      ),
    done: `Link sent to ${advertiser.email}`,
  });
  return (
    <Button variant="default" size="xs" loading={isBusy} onClick={() => void remind()}>
      Resend link
    </Button>
  );
}

/** Opens the dialog that cancels a subscription. */
export function CancelButton({ subscription }: { readonly subscription: ListedSubscription }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpen(true)}>
        {subscription.tierPrice.amount > 0 ? "Cancel and refund" : "Cancel subscription"}
      </Button>
      {isOpen ? <CancelDialog subscription={subscription} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
