import { type WorkspaceSettings, workspaceSettings } from "#libs/contract/settings.ts";
import { type Checked, checkInput } from "../components/forms/check-input.ts";

type MediaKit = WorkspaceSettings["mediaKit"];

const shape = workspaceSettings.pick({ mediaKit: true });

/** A media kit as its form has it, where a blank text stands for none. */
export function draftOfMediaKit({ description, audience, ...kit }: MediaKit) {
  return { mediaKit: { ...kit, description: description ?? "", audience: audience ?? "" } };
}

export type MediaKitDraft = ReturnType<typeof draftOfMediaKit>["mediaKit"];

/** Checks a media kit and converts it to what the API takes. A question that is left blank with its answer is dropped. */
export function checkMediaKit({
  mediaKit: { description, audience, faq, ...kit },
}: {
  readonly mediaKit: MediaKitDraft;
}): Checked<{ mediaKit: MediaKit }> {
  const asked = faq.filter(({ question, answer }) => question.trim() !== "" || answer.trim() !== "");
  const values = { ...kit, description: orNull(description), audience: orNull(audience), faq: asked };
  return checkInput(
    shape,
    { mediaKit: values },
    { "mediaKit.faq.*.question": "Enter a question.", "mediaKit.faq.*.answer": "Enter an answer." },
  );
}

function orNull(text: string): string | null {
  return text.trim() === "" ? null : text;
}
