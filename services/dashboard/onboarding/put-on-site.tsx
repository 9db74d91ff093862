import { Anchor, Stack, Text, Title } from "@mantine/core";
import { CodeToCopy } from "../shell/code-to-copy.tsx";
import { embedTag } from "../shell/embed-tag.ts";
import { ButtonTo } from "../shell/links.tsx";
import type { Workspace } from "../shell/workspace.tsx";
import { advertiseLink } from "../tiers/advertise-link.ts";
import { StepFrame } from "./step-frame.tsx";

/** The last step: the tag for the publisher's site, and the page where advertisers buy. */
export function PutOnSite({ workspace }: { readonly workspace: Workspace }) {
  const { id: workspaceId } = workspace;
  const link = advertiseLink(workspace);
  return (
    <StepFrame
      step={3}
      title="Put it on your site"
      text="Paste this where ads are to show. It shows nothing until the first one is approved."
    >
      <Stack gap="lg">
        <CodeToCopy code={embedTag(location.origin, workspaceId)} label="Embed tag" action="Copy tag" />
        <div>
          <Title order={2} size="h5">
            Where advertisers buy
          </Title>
          <Text size="sm" c="dimmed" mt={4}>
            Link to this page from your site, or send it to whoever asks.
          </Text>
          <Anchor href={link} target="_blank" rel="noreferrer" size="sm" style={{ wordBreak: "break-all" }}>
            {link}
          </Anchor>
        </div>
        <ButtonTo to="/w/$workspaceId/overview" params={{ workspaceId }} variant="default">
          Go to the overview
        </ButtonTo>
      </Stack>
    </StepFrame>
  );
}
