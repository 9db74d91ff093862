import { Button, Group, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Section } from "../ads/section.tsx";
import { api } from "../shell/client.ts";
import { useConfirm } from "../shell/confirm.tsx";
import { notifyDone, notifyProblem } from "../shell/notify.ts";
import { useMay, useWorkspace } from "../shell/workspace.tsx";
import type { Advertiser } from "./advertiser-state.ts";

/** What is stored about an advertiser as one file, and the way to erase who they are. For Managers and Owners. */
export function PersonalDataSection({ advertiser }: { readonly advertiser: Advertiser }) {
  const { id: workspaceId } = useWorkspace();
  const mayErase = useMay("Manager");
  const confirm = useConfirm();
  const queryClient = useQueryClient();
  const { id: advertiserId, name } = advertiser;
  const erasure = useMutation({
    mutationFn: () => api.advertisers.erase({ workspaceId, advertiserId }),
    onSuccess: async () => {
      notifyDone("Advertiser erased");
      await queryClient.invalidateQueries();
    },
    onError: notifyProblem,
  });
  if (!mayErase) return null;

  const erase = async () => {
    const isMeant = await confirm({
      title: `Erase ${name}?`,
      text: "The name, the e-mail address, the contents of the ads and their images are removed. Invoices and stats stay, without a name. This cannot be undone.",
      action: "Erase advertiser",
      isDangerous: true,
    });
    if (isMeant) erasure.mutate();
  };
  return (
    <Section title="Personal data">
      <Text size="sm" c="dimmed" mb="md">
        For an advertiser who asks what you store about them, or wants it gone. An advertiser with a live
        subscription cannot be erased: reject the ad first.
      </Text>
      <Group gap="sm">
        <Button
          component="a"
          href={`/v1/workspaces/${encodeURIComponent(workspaceId)}/advertisers/${encodeURIComponent(advertiserId)}/export`}
          download
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          Export
        </Button>
        <Button color="red.9" loading={erasure.isPending} onClick={() => void erase()}>
          Erase
        </Button>
      </Group>
    </Section>
  );
}
