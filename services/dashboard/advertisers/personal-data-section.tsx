import { Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Advertiser } from "#libs/contract/advertisers.ts";
import { hasEnded } from "#libs/domain/subscription.ts";
import { api } from "../api/client.ts";
import { useMay, useWorkspace } from "../api/workspace.ts";
import { Dialog } from "../components/dialog.tsx";
import { Dimmed } from "../components/dimmed.tsx";
import { DownloadButton } from "../components/download-button.tsx";
import { priceWords } from "../components/format.ts";
import { Rows } from "../components/lists.tsx";
import { Section } from "../components/section.tsx";
import { useAction } from "../components/use-action.ts";
import { CancelButton, subscriptionsOfQuery } from "./purchases-without-ad.tsx";

/** Exports and erases the personal data of an advertiser. For managers and owners. */
export function PersonalDataSection({ advertiser }: { readonly advertiser: Advertiser }) {
  const { id: workspaceId } = useWorkspace();
  const mayErase = useMay("Manager");
  const { id: advertiserId, name } = advertiser;
  const { isBusy, act: erase } = useAction({
    question: () => ({
      title: `Erase ${name}?`,
      text: "Their name, email address, ad content and images are removed. Invoices and stats stay, without a name. This can’t be undone.",
      action: "Erase advertiser",
    }),
    send: () => api.advertisers.erase({ workspaceId, advertiserId }),
    done: "Advertiser erased",
    onDone: (_result, client) => client.invalidateQueries(),
  });
  const [isBlocked, setBlocked] = useState(false);
  const { data } = useQuery(subscriptionsOfQuery(workspaceId, advertiserId));
  const live = data?.items.filter(({ status }) => !hasEnded(status)) ?? [];
  if (!mayErase) return null;
  return (
    <Section title="Personal data">
      <Dimmed mb="md">
        For advertisers who ask what you store about them, or want it removed. Subscriptions have to be
        canceled first.
      </Dimmed>
      <Group gap="sm">
        <DownloadButton
          href={`/v1/workspaces/${encodeURIComponent(workspaceId)}/advertisers/${encodeURIComponent(advertiserId)}/export`}
        >
          Export
        </DownloadButton>
        <Button
          color="red.9"
          loading={isBusy}
          onClick={() => (live.length === 0 ? void erase() : setBlocked(true))}
        >
          Erase
        </Button>
      </Group>
      {isBlocked ? (
        <Dialog title={`Erase ${name}?`} size="lg" onClose={() => setBlocked(false)}>
          <Dimmed>
            {live.length === 0
              ? "All subscriptions have ended. You can erase this advertiser now."
              : "Cancel these subscriptions first. You choose what is refunded."}
          </Dimmed>
          <Rows label="Subscriptions that haven’t ended">
            {live.map((subscription) => (
              <Group key={subscription.id} component="li" justify="space-between" gap="sm">
                <Text style={{ overflowWrap: "anywhere" }}>
                  <bdi>{subscription.tier.name}</bdi>, <bdi>{priceWords(subscription.tierPrice)}</bdi>
                </Text>
                <CancelButton subscription={subscription} />
              </Group>
            ))}
          </Rows>
          <Group justify="flex-end">
            <Button
              color="red.9"
              loading={isBusy}
              disabled={live.length > 0}
              onClick={() => {
                setBlocked(false);
                void erase();
              }}
            >
              Erase
            </Button>
          </Group>
        </Dialog>
      ) : null}
    </Section>
  );
}
