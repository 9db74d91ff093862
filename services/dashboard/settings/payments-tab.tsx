import { Alert, Button, Code, Group, Stack, Text } from "@mantine/core";
import { IconExternalLink, IconFlask } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { isWebUrl } from "#libs/domain/web-url.ts";
import { StateBadge } from "../ads/badges.tsx";
import { Section } from "../editing/section.tsx";
import { query } from "../shell/client.ts";
import { notifyProblem } from "../shell/notify.ts";
import { QueryView } from "../shell/states.tsx";
import { useMay, useWorkspace } from "../shell/workspace.tsx";
import { type Connection, type PaymentState, paymentStateOf } from "./payment-state.ts";

interface StateWords {
  readonly color: string;
  readonly badge: string;
  readonly text: string;
  /** What the button says that leads to the processor; null for none. */
  readonly action: string | null;
}

const WORDS: Readonly<Record<PaymentState, StateWords>> = {
  sandbox: {
    color: "yellow",
    badge: "Sandbox",
    text: "Payments are a sandbox here. Checkouts work from beginning to end, but no card is asked for and no money moves.",
    action: null,
  },
  platform: {
    color: "teal",
    badge: "Platform's account",
    text: "Sales are made in the account of whoever runs this installation. Workspaces have none of their own here.",
    action: null,
  },
  unconnected: {
    color: "gray",
    badge: "Not connected",
    text: "Sales are made in the platform's account until you set up your own. From then on new sales come to you; subscriptions that exist stay where they are.",
    action: "Set up payments",
  },
  unfinished: {
    color: "yellow",
    badge: "Not finished",
    text: "The account is made, but the payment processor needs more about you. Until then nobody can buy.",
    action: "Continue the setup",
  },
  checked: {
    color: "yellow",
    badge: "Being checked",
    text: "The payment processor is checking what you have told it, and may ask for more. Until then nobody can buy.",
    action: "Look at the setup",
  },
  charging: {
    color: "yellow",
    badge: "Charges only",
    text: "Advertisers can pay, but the money cannot go on to your bank yet.",
    action: "Complete the setup",
  },
  ready: {
    color: "teal",
    badge: "Connected",
    text: "Advertisers can pay, and the money goes on to your bank.",
    action: "Open the account",
  },
};

/** Whose account sales are made in, and what is missing there. */
export function PaymentsTab() {
  const { id: workspaceId } = useWorkspace();
  const connection = useQuery(query.connect.get.queryOptions({ input: { workspaceId } }));
  return (
    <Stack gap="lg" maw={760}>
      <Section title="Payments">
        <QueryView query={connection}>{(found) => <PaymentAccount connection={found} />}</QueryView>
      </Section>
    </Stack>
  );
}

function PaymentAccount({ connection }: { readonly connection: Connection }) {
  const { id: workspaceId } = useWorkspace();
  const isOwner = useMay("Owner");
  const { color, badge, text, action } = WORDS[paymentStateOf(connection)];
  const start = useMutation(
    query.connect.start.mutationOptions({
      onSuccess: ({ url }) => {
        if (isWebUrl(url)) location.assign(url);
      },
      onError: notifyProblem,
    }),
  );
  const leave = () => start.mutate({ workspaceId, returnUrl: location.href, refreshUrl: location.href });
  return (
    <Stack gap="md" align="flex-start">
      <StateBadge color={color} text={badge} />
      <Text size="sm">{text}</Text>
      {connection.sandbox && connection.available ? (
        <Alert color="yellow" icon={<IconFlask />}>
          Payments are a sandbox here: no money moves.
        </Alert>
      ) : null}
      {connection.accountId === null ? null : (
        <Text size="sm" c="dimmed">
          Account <Code>{connection.accountId}</Code>
        </Text>
      )}
      {action === null ? null : isOwner ? (
        <Group>
          <Button
            loading={start.isPending || start.isSuccess}
            rightSection={<IconExternalLink size={16} aria-hidden />}
            onClick={leave}
          >
            {action}
          </Button>
        </Group>
      ) : (
        <Text size="sm" c="dimmed">
          An Owner can set this up.
        </Text>
      )}
    </Stack>
  );
}
