import { Button, Group } from "@mantine/core";
import type { Advertiser } from "#libs/contract/advertisers.ts";
import { api } from "../api/client.ts";
import { useMay, useWorkspace } from "../api/workspace.ts";
import { Dimmed } from "../components/dimmed.tsx";
import { DownloadButton } from "../components/download-button.tsx";
import { Section } from "../components/section.tsx";
import { useAction } from "../components/use-action.ts";

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
  if (!mayErase) return null;
  return (
    <Section title="Personal data">
      <Dimmed mb="md">
        For advertisers who ask what you store about them, or want it removed. An advertiser with an active
        subscription can’t be erased: reject the ad first.
      </Dimmed>
      <Group gap="sm">
        <DownloadButton
          href={`/v1/workspaces/${encodeURIComponent(workspaceId)}/advertisers/${encodeURIComponent(advertiserId)}/export`}
        >
          Export
        </DownloadButton>
        <Button color="red.9" loading={isBusy} onClick={() => void erase()}>
          Erase
        </Button>
      </Group>
    </Section>
  );
}
