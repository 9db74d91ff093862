import { CloseButton, Group, Input, Paper, Stack, TagsInput, Textarea, TextInput } from "@mantine/core";
import type { WorkspaceSettings } from "#libs/contract/settings.ts";
import { type KitQuestion, MOST_IN_KIT } from "#libs/domain/media-kit.ts";
import { useMay } from "../api/workspace.ts";
import { AddButton } from "../components/forms/add-button.tsx";
import { DraftForm } from "../components/forms/draft-form.tsx";
import { type DraftErrors, errorsBelow } from "../components/forms/use-draft.ts";
import { Fact, Facts } from "../components/lists.tsx";
import { Section } from "../components/section.tsx";
import { LogoInput } from "./logo-input.tsx";
import { checkMediaKit, draftOfMediaKit, type MediaKitDraft } from "./media-kit-draft.ts";
import { useSettingsForm } from "./setting-switch.tsx";

interface MediaKitProps {
  readonly settings: WorkspaceSettings;
}

/** What the advertising page tells about the site and its readers. */
export function MediaKitCard({ settings }: MediaKitProps) {
  const mayChange = useMay("Owner");
  const { description, audience, topics, faq } = settings.mediaKit;
  return (
    <Section
      isSplit
      title="Media kit"
      text="What advertisers want to know before they buy. Empty parts aren’t shown."
    >
      {mayChange ? (
        <MediaKitForm settings={settings} />
      ) : (
        <Facts>
          <Fact name="Description">{description ?? "None"}</Fact>
          <Fact name="Audience">{audience ?? "None"}</Fact>
          <Fact name="Topics">{topics.length === 0 ? "None" : topics.join(", ")}</Fact>
          <Fact name="Questions">
            {faq.length === 0 ? "None" : faq.map(({ question }) => question).join(" ")}
          </Fact>
        </Facts>
      )}
    </Section>
  );
}

function MediaKitForm({ settings }: MediaKitProps) {
  const state = useSettingsForm(settings, ({ mediaKit }) => draftOfMediaKit(mediaKit), {
    check: checkMediaKit,
    done: "Media kit saved",
  });
  const { mediaKit } = state.draft;
  const errors = errorsBelow(state.errors, "mediaKit");
  const change = (patch: Partial<MediaKitDraft>) => state.change({ mediaKit: { ...mediaKit, ...patch } });
  const longText = (key: "description" | "audience", label: string, hint: string, example: string) => (
    <Textarea
      label={label}
      description={hint}
      placeholder={example}
      autosize
      minRows={3}
      maxRows={12}
      value={mediaKit[key]}
      error={errors[key]}
      onChange={({ currentTarget }) => change({ [key]: currentTarget.value })}
    />
  );
  return (
    <DraftForm state={state} label="Media kit" action="Save" isDisabled={!state.isDirty}>
      <LogoInput url={mediaKit.logoUrl} error={errors.logoUrl} onChange={(logoUrl) => change({ logoUrl })} />
      {longText("description", "Description", "What your site is about.", "A weekly letter about ceramics.")}
      {longText(
        "audience",
        "Audience",
        "Who reads it, and how many.",
        "8,000 potters, most of them in Europe.",
      )}
      <TagsInput
        label="Topics"
        description={`Press Enter after each. At most ${MOST_IN_KIT.topics}.`}
        splitChars={[","]}
        maxTags={MOST_IN_KIT.topics}
        value={[...mediaKit.topics]}
        error={firstOf(errors, "topics")}
        onChange={(topics) => change({ topics })}
      />
      <QuestionInputs questions={mediaKit.faq} errors={errors} onChange={(faq) => change({ faq })} />
    </DraftForm>
  );
}

function firstOf(errors: DraftErrors, part: string): string | undefined {
  return errors[part] ?? Object.values(errorsBelow(errors, part))[0];
}

interface QuestionInputsProps {
  readonly questions: readonly KitQuestion[];
  readonly errors: DraftErrors;
  readonly onChange: (questions: KitQuestion[]) => void;
}

function QuestionInputs({ questions, errors, onChange }: QuestionInputsProps) {
  return (
    <Input.Wrapper label="Questions and answers" labelElement="div" error={errors.faq}>
      <Stack gap="sm" mt={4}>
        {questions.map((asked, index) => {
          const change = (patch: Partial<KitQuestion>) =>
            onChange(questions.with(index, { ...asked, ...patch }));
          return (
            <Paper
              // biome-ignore lint/suspicious/noArrayIndexKey: questions may be alike, and inputs hold no state.
              key={index}
              withBorder
              p="sm"
            >
              <Group gap="xs" wrap="nowrap" align="flex-start">
                <Stack gap="xs" flex={1} miw={0}>
                  <TextInput
                    aria-label={`Question ${index + 1}`}
                    placeholder="When does the next issue come out?"
                    value={asked.question}
                    error={errors[`faq.${index}.question`]}
                    onChange={({ currentTarget }) => change({ question: currentTarget.value })}
                  />
                  <Textarea
                    aria-label={`Answer ${index + 1}`}
                    placeholder="Every Thursday at 8."
                    autosize
                    minRows={2}
                    maxRows={12}
                    value={asked.answer}
                    error={errors[`faq.${index}.answer`]}
                    onChange={({ currentTarget }) => change({ answer: currentTarget.value })}
                  />
                </Stack>
                <CloseButton
                  size="lg"
                  aria-label={`Remove question ${index + 1}`}
                  onClick={() => onChange(questions.toSpliced(index, 1))}
                />
              </Group>
            </Paper>
          );
        })}
        <AddButton
          label="Add a question"
          isFull={questions.length >= MOST_IN_KIT.questions}
          onAdd={() => onChange([...questions, { question: "", answer: "" }])}
        />
      </Stack>
    </Input.Wrapper>
  );
}
