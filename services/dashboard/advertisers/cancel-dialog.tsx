import { Button, Group, List, Textarea } from "@mantine/core";
import { useRef, useState } from "react";
import type { ListedSubscription } from "#libs/contract/subscriptions.ts";
import { LONGEST } from "#libs/domain/limits.ts";
import { countCharacters } from "#libs/domain/storable-text.ts";
import { api, query } from "../api/client.ts";
import { useWorkspace } from "../api/workspace.ts";
import { Dialog } from "../components/dialog.tsx";
import { newKey } from "../components/new-key.ts";
import { RefundChoice } from "../components/refund-choice.tsx";
import { useAction } from "../components/use-action.ts";
import { useRefundOfSale } from "../components/use-refund-offer.ts";

interface CancelDialogProps {
  readonly subscription: ListedSubscription;
  readonly onClose: () => void;
}

/** Says what canceling a subscription does, offers the refund, and cancels it. */
export function CancelDialog({ subscription, onClose }: CancelDialogProps) {
  const { id: workspaceId } = useWorkspace();
  const { id: subscriptionId, adId, tier, tierPrice, advertiser } = subscription;
  const offer = useRefundOfSale({ subscription, adId, canRefund: tierPrice.amount > 0 });
  /** Null until somebody decides. */
  const [isRefunded, setRefunded] = useState<boolean | null>(null);
  const [note, setNote] = useState("");
  const key = useRef(newKey());
  const length = countCharacters(note.trim());
  const refund = offer === "away" ? null : offer;
  const isRefund = refund == null ? false : (isRefunded ?? refund.isUsual);
  const { isBusy, act: cancel } = useAction({
    send: () =>
      api.subscriptions.cancel(
        { workspaceId, subscriptionId, refund: isRefund, ...(length === 0 ? {} : { note: note.trim() }) },
        { context: { idempotencyKey: key.current } },
      ),
    done: ({ refundDueSince }) =>
      refundDueSince === null
        ? "Subscription canceled"
        : "Subscription canceled. The refund is made as soon as the payment processor can.",
    reload: [query.subscriptions.key(), query.advertisers.key(), query.invoices.key(), query.ads.key()],
  });
  return (
    <Dialog title={`Cancel ${tier.name} of ${advertiser.name}?`} size="lg" onClose={onClose}>
      <List size="sm" spacing={6}>
        <List.Item>The subscription ends now, and nothing more is charged.</List.Item>
        {adId === null ? null : <List.Item>The ad isn’t shown anymore.</List.Item>}
        <List.Item>The advertiser gets an email. This can’t be undone.</List.Item>
      </List>
      <RefundChoice offer={offer} act="Canceling" isRefunded={isRefund} onChange={setRefunded} />
      <Textarea
        label="Note to the advertiser"
        description={`Optional. ${length} of ${LONGEST.note} characters`}
        autosize
        minRows={2}
        maxRows={8}
        value={note}
        error={length > LONGEST.note ? `Must have at most ${LONGEST.note} characters.` : null}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose} disabled={isBusy}>
          Keep it
        </Button>
        <Button
          color="red.9"
          loading={isBusy || offer === undefined}
          disabled={length > LONGEST.note}
          onClick={() => void cancel().then((isDone) => (isDone ? onClose() : undefined))}
        >
          {isRefund ? "Cancel and refund" : "Cancel subscription"}
        </Button>
      </Group>
    </Dialog>
  );
}
