import { Checkbox, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Workspace } from "#libs/contract/workspaces.ts";
import { api, query } from "../api/client.ts";
import { messageOf } from "../api/problems.ts";
import { fieldsQuery } from "../api/queries.ts";
import { DraftForm } from "../components/forms/draft-form.tsx";
import { LinkTo } from "../components/links.tsx";
import { StepFrame } from "./step-frame.tsx";

const IMAGE = { width: 600, height: 500, ratio: "6:5", minWidth: 300, minHeight: 250 };

/** What the embed's card shows besides the name. */
const PROPOSED = [
  {
    words: "One line, up to 60 characters. Required.",
    field: { key: "tagline", name: "Tagline", type: "Text", isRequired: true, maxLength: 60 },
  },
  {
    words: "Recommended size 600 × 500 pixels, at least 300 × 250. Fits a 300 × 250 placement.",
    field: { key: "image", name: "Image", type: "Image", image: IMAGE },
  },
  {
    words: "Up to 20 characters, such as “Learn more”.",
    field: { key: "button", name: "Button label", type: "Text", maxLength: 20 },
  },
] as const;

const ALL = PROPOSED.map(({ field }) => field.key);

/** The third step: what advertisers submit besides their name and website. */
export function FirstFields({ workspace }: { readonly workspace: Workspace }) {
  const { id: workspaceId } = workspace;
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [keys, setKeys] = useState<string[]>(ALL);
  const [state, setState] = useState<{ isBusy: boolean; problem: string | null; refusals: number }>({
    isBusy: false,
    problem: null,
    refusals: 0,
  });

  const create = async () => {
    setState({ ...state, isBusy: true, problem: null });
    try {
      // A second attempt makes only what the first did not.
      const known = await queryClient.fetchQuery({ ...fieldsQuery(workspaceId), staleTime: 0 });
      const taken = new Set(known.map(({ key }) => key));
      for (const { field } of PROPOSED) {
        if (keys.includes(field.key) && !taken.has(field.key)) {
          await api.fields.create({ workspaceId, ...field });
        }
      }
      await queryClient.invalidateQueries({ queryKey: query.fields.key() });
      await navigate({ to: "/w/$workspaceId/welcome", params: { workspaceId }, search: { step: "tag" } });
    } catch (error) {
      setState({ isBusy: false, problem: messageOf(error), refusals: state.refusals + 1 });
    }
  };

  return (
    <StepFrame
      step={3}
      title="What do advertisers submit?"
      text="Besides their name and website. You can change this and add more fields at any time."
      footer={
        <LinkTo to="/w/$workspaceId/welcome" params={{ workspaceId }} search={{ step: "tag" }}>
          Skip
        </LinkTo>
      }
    >
      <DraftForm state={{ ...state, submit: () => void create() }} action="Continue">
        <Checkbox.Group value={keys} onChange={setKeys} aria-label="Fields">
          <Stack gap="md">
            {PROPOSED.map(({ field, words }) => (
              <Checkbox key={field.key} value={field.key} label={field.name} description={words} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Text size="sm" c="dimmed">
          These are the parts that ads show on your site.
        </Text>
      </DraftForm>
    </StepFrame>
  );
}
