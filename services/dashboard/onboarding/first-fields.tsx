import { Checkbox, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Workspace } from "#libs/contract/workspaces.ts";
import { api, query } from "../api/client.ts";
import { fieldsQuery } from "../api/queries.ts";
import { DraftForm } from "../components/forms/draft-form.tsx";
import { useDraft } from "../components/forms/use-draft.ts";
import { LinkTo } from "../components/links.tsx";
import { StepFrame } from "./step-frame.tsx";
import { useOnce } from "./use-once.ts";

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

const ALL: string[] = PROPOSED.map(({ field }) => field.key);

/** The third step: what advertisers submit besides their name and website. */
export function FirstFields({ workspace }: { readonly workspace: Workspace }) {
  const { id: workspaceId } = workspace;
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const state = useDraft({ keys: ALL });
  const { isBusy, run } = useOnce(state.refuseBy);

  const submit = () =>
    void run(async () => {
      // A second attempt makes only what the first did not.
      const known = await queryClient.fetchQuery({ ...fieldsQuery(workspaceId), staleTime: 0 });
      const taken = new Set(known.map(({ key }) => key));
      for (const { field } of PROPOSED) {
        if (state.draft.keys.includes(field.key) && !taken.has(field.key)) {
          await api.fields.create({ workspaceId, ...field });
        }
      }
      await queryClient.invalidateQueries({ queryKey: query.fields.key() });
      await navigate({ to: "/w/$workspaceId/welcome", params: { workspaceId }, search: { step: "tag" } });
    });

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
      <DraftForm state={{ ...state, isBusy, submit }} action="Continue">
        <Checkbox.Group
          value={state.draft.keys}
          onChange={(keys) => state.change({ keys })}
          aria-label="Fields"
        >
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
