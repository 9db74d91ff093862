import { CloseButton, Group, List, Stack, Text, Textarea } from "@mantine/core";
import { type WorkspaceSettings, workspaceSettings } from "#libs/contract/settings.ts";
import { MOST } from "#libs/domain/limits.ts";
import { useMay } from "../api/workspace.ts";
import { AddButton } from "../components/forms/add-button.tsx";
import { checkInput } from "../components/forms/check-input.ts";
import { DraftForm } from "../components/forms/draft-form.tsx";
import { Section } from "../components/section.tsx";
import { QueryView } from "../components/states.tsx";
import { useSettings, useSettingsForm } from "./setting-switch.tsx";

/** Notes to advertisers that reviewers can choose instead of typing them again. */
export function RepliesCard() {
  const mayChange = useMay("Owner");
  const settings = useSettings();
  return (
    <Section
      isSplit
      title="Saved replies"
      text="Notes for reviews. Reviewers choose one and can change it before it’s sent."
    >
      <QueryView query={settings}>
        {(found) =>
          mayChange ? (
            <RepliesForm settings={found} />
          ) : found.savedReplies.length === 0 ? (
            <Text size="sm">None</Text>
          ) : (
            <List size="sm">
              {[...new Set(found.savedReplies)].map((reply) => (
                <List.Item key={reply}>{reply}</List.Item>
              ))}
            </List>
          )
        }
      </QueryView>
    </Section>
  );
}

const shape = workspaceSettings.pick({ savedReplies: true });

function draftOf({ savedReplies }: WorkspaceSettings) {
  return { savedReplies };
}

function RepliesForm({ settings }: { readonly settings: WorkspaceSettings }) {
  const state = useSettingsForm(settings, draftOf, {
    check: ({ savedReplies }) =>
      checkInput(shape, { savedReplies: savedReplies.filter((reply) => reply.trim() !== "") }),
    done: "Replies saved",
  });
  const { savedReplies } = state.draft;
  const change = (changed: string[]) => state.change({ savedReplies: changed });
  return (
    <DraftForm state={state} label="Saved replies" action="Save" isDisabled={!state.isDirty}>
      <Stack gap="xs">
        {savedReplies.map((reply, index) => (
          <Group
            // biome-ignore lint/suspicious/noArrayIndexKey: replies may be alike, and inputs hold no state.
            key={index}
            gap="xs"
            wrap="nowrap"
            align="flex-start"
          >
            <Textarea
              aria-label={`Reply ${index + 1}`}
              placeholder="Please use a larger image, at least 600 pixels wide."
              autosize
              minRows={2}
              maxRows={8}
              value={reply}
              error={state.errors[`savedReplies.${index}`]}
              onChange={({ currentTarget }) => change(savedReplies.with(index, currentTarget.value))}
              style={{ flex: 1 }}
            />
            <CloseButton
              size="lg"
              aria-label={`Remove reply ${index + 1}`}
              onClick={() => change(savedReplies.toSpliced(index, 1))}
            />
          </Group>
        ))}
        <AddButton
          label="Add a reply"
          isFull={savedReplies.length >= MOST.savedReplies}
          onAdd={() => change([...savedReplies, ""])}
        />
      </Stack>
    </DraftForm>
  );
}
