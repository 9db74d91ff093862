import { Anchor, Paper, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { IconCheck, IconCircle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { CodeToCopy } from "../shell/code-to-copy.tsx";
import { embedTag } from "../shell/embed-tag.ts";
import { ButtonTo } from "../shell/links.tsx";
import { useMay, useWorkspace } from "../shell/workspace.tsx";
import { advertiseLink } from "../tiers/advertise-link.ts";
import { tiersQuery } from "../tiers/tiers-query.ts";

/** What leads to the first ad. */
export function GettingStarted() {
  const workspace = useWorkspace();
  const { id: workspaceId } = workspace;
  const mayChange = useMay("Manager");
  const tiers = useQuery(tiersQuery(workspaceId));
  const hasTier = tiers.data?.some(({ isActive }) => isActive) ?? false;
  const link = advertiseLink(workspace);
  return (
    <Paper withBorder p="xl">
      <Title order={2} size="h4">
        Nothing has been bought yet
      </Title>
      <Text c="dimmed" size="sm" mt={4} mb="lg">
        Three steps lead to your first ad. Impressions, clicks and revenue show here from then on.
      </Text>
      <ol className="steps">
        <Step
          isDone={hasTier}
          title="Offer a tier"
          text={hasTier ? "It is on sale." : "What you sell, and for how much."}
        >
          {hasTier || !mayChange ? null : (
            <ButtonTo to="/w/$workspaceId/welcome" params={{ workspaceId }} w="fit-content">
              Create a tier
            </ButtonTo>
          )}
        </Step>
        <Step
          isDone={false}
          title="Put the tag on your site"
          text="It shows nothing until an ad is approved."
        >
          <CodeToCopy code={embedTag(location.origin, workspaceId)} label="Embed tag" action="Copy tag" />
        </Step>
        <Step isDone={false} title="Tell advertisers where to buy" text="Link to this page from your site.">
          <Anchor href={link} target="_blank" rel="noreferrer" size="sm" style={{ wordBreak: "break-all" }}>
            {link}
          </Anchor>
        </Step>
      </ol>
    </Paper>
  );
}

interface StepProps {
  readonly isDone: boolean;
  readonly title: string;
  readonly text: string;
  readonly children?: ReactNode;
}

function Step({ isDone, title, text, children }: StepProps) {
  const icon = isDone ? (
    <ThemeIcon color="teal.9" size={24} radius="xl">
      <IconCheck size={16} aria-label="Done" />
    </ThemeIcon>
  ) : (
    <ThemeIcon variant="default" size={24} radius="xl">
      <IconCircle size={12} aria-hidden />
    </ThemeIcon>
  );
  return (
    <li>
      {icon}
      <Stack gap={6} miw={0}>
        <Text fw={600}>{title}</Text>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
        {children}
      </Stack>
    </li>
  );
}
