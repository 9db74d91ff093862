import { Button, Code, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { Connection } from "#libs/contract/connect.ts";
import { isWebUrl } from "#libs/domain/web-url.ts";
import { query } from "../api/client.ts";
import { useMay, useWorkspace } from "../api/workspace.ts";
import { StateBadge } from "../components/badges.tsx";
import { Icon } from "../components/icon.tsx";
import { Notice } from "../components/notice.tsx";
import { notifyProblem } from "../components/notify.ts";
import { Section } from "../components/section.tsx";
import { QueryView } from "../components/states.tsx";
import { ChargingCard } from "./charging-card.tsx";
import { type PaymentState, paymentStateOf } from "./payment-state.ts";

interface StateTexts {
  readonly color: string;
  readonly badge: string;
  readonly text: string;
  readonly action: string | null;
}

const STATES: Readonly<Record<PaymentState, StateTexts>> = {
  sandbox: {
    color: "yellow",
    badge: "Sandbox",
    text: "Payments are in sandbox mode: checkout works end to end, but no real money moves.",
    action: null,
  },
  platform: {
    color: "teal",
    badge: "Platform account",
    text: "Sales go to the account of this installation’s operator. Workspaces have no account of their own here.",
    action: null,
  },
  unconnected: {
    color: "gray",
    badge: "Not connected",
    text: "Sales are made in the platform’s account until you set up your own. New sales then go to yours; existing subscriptions stay where they are.",
    action: "Set up payments",
  },
  unfinished: {
    color: "yellow",
    badge: "Not finished",
    text: "The account exists, but the payment processor needs more information. Until then nobody can buy.",
    action: "Continue setup",
  },
  checked: {
    color: "yellow",
    badge: "Under review",
    text: "The payment processor is reviewing your information and may ask for more. Until then nobody can buy.",
    action: "View setup",
  },
  charging: {
    color: "yellow",
    badge: "Payouts not enabled",
    text: "Advertisers can pay, but we can’t pay out to your bank yet.",
    action: "Complete setup",
  },
  ready: {
    color: "teal",
    badge: "Connected",
    text: "Advertisers can pay, and the money is paid out to your bank.",
    action: "Open account",
  },
};

/** The payment account that sales use, and what it is missing. */
export function PaymentsTab() {
  const { id: workspaceId } = useWorkspace();
  const connection = useQuery(query.connect.get.queryOptions({ input: { workspaceId } }));
  return (
    <Stack gap="lg">
      <Section isSplit title="Payments">
        <QueryView query={connection}>{(found) => <PaymentAccount connection={found} />}</QueryView>
      </Section>
      <ChargingCard />
    </Stack>
  );
}

function PaymentAccount({ connection }: { readonly connection: Connection }) {
  const { id: workspaceId } = useWorkspace();
  const isOwner = useMay("Owner");
  const { color, badge, text, action } = STATES[paymentStateOf(connection)];
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
        <Notice color="yellow" icon="flask">
          Payments are in sandbox mode: no real money moves.
        </Notice>
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
            rightSection={<Icon name="external-link" />}
            onClick={leave}
          >
            {action}
          </Button>
        </Group>
      ) : (
        <Text size="sm" c="dimmed">
          Only owners can set this up.
        </Text>
      )}
    </Stack>
  );
}
