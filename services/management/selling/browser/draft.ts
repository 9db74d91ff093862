import { showCounts } from "./inputs.ts";
import { forgetDraft, type KeptDraft, keepDraft, readDraft } from "./kept-draft.ts";
import { keepPreview } from "./preview.ts";
import { type FileRules, problemWith, sizeProblem } from "./send-file.ts";

/** Lets an ad be typed, seen and kept before it is paid for (`offer/draft-form.ts`). */
export function draftAds(root: ParentNode): void {
  for (const form of root.querySelectorAll<HTMLFormElement>("form[data-draft]")) void draftAd(form);
}

async function draftAd(form: HTMLFormElement): Promise<void> {
  const workspaceId = form.dataset.draft ?? "";
  const files = new Map<string, File>();
  const images = new Map<string, string>();
  form.hidden = false;
  const showPreview = keepPreview(form, images);
  const setFile = (name: string, file: File | null) => {
    URL.revokeObjectURL(images.get(name) ?? "");
    files.delete(name);
    images.delete(name);
    if (file !== null) {
      files.set(name, file);
      images.set(name, URL.createObjectURL(file));
    }
    showPreview();
  };
  const keep = async () => {
    const values = textsOf(form);
    if (values.size + files.size === 0) await forgetDraft(workspaceId);
    else await keepDraft(workspaceId, { values, files });
  };
  showCounts(form);

  const kept = await readDraft(workspaceId);
  if (kept !== null) {
    fillIn(form, kept.values);
    for (const [name, file] of kept.files) if (fileInput(form, name) !== null) setFile(name, file);
  }
  form.addEventListener("input", (event) => {
    if (!isFileInput(event.target)) void keep();
  });
  form.addEventListener("change", ({ target }) => {
    if (isFileInput(target)) void chooseFile(target, setFile).then(keep);
  });
  form.addEventListener("reset", () => {
    for (const name of [...files.keys()]) setFile(name, null);
    // The inputs are emptied after this event.
    setTimeout(() => {
      for (const control of form.elements) control.dispatchEvent(new Event("input", { bubbles: true }));
      void keep();
    });
  });
  // There is nowhere to send it: the Enter key leads to the placements.
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    location.hash = "placements";
  });
}

/** Takes the file of an input if the field accepts it, and says beside it why not. */
async function chooseFile(
  input: HTMLInputElement,
  setFile: (name: string, file: File | null) => void,
): Promise<void> {
  const file = input.files?.[0] ?? null;
  const rules: FileRules = JSON.parse(input.dataset.local ?? "");
  const problem = file === null ? null : (problemWith(file, rules) ?? (await sizeProblem(file, rules.image)));
  const status = input.parentElement?.querySelector<HTMLElement>("[data-status]") ?? null;
  status?.classList.toggle("error", problem !== null);
  if (status !== null) status.textContent = problem ?? "";
  setFile(input.name, problem === null ? file : null);
}

/** Fills a first submission in with the draft from before the payment; `takeFile` uploads an image of it. */
export async function continueDraft(
  form: HTMLFormElement,
  takeFile: (name: string, file: File) => void,
): Promise<void> {
  const workspaceId = form.dataset.draftOf;
  const kept = workspaceId === undefined ? null : await readDraft(workspaceId);
  if (kept === null) return;
  fillIn(form, kept.values);
  for (const [name, file] of kept.files) takeFile(name, file);
  form.querySelector("[data-restored]")?.toggleAttribute("hidden", false);
}

/** Forgets the draft of an ad that is submitted. */
export function forgetSubmitted(root: ParentNode): void {
  const place = root.querySelector<HTMLElement>("[data-forget-draft]");
  if (place !== null) void forgetDraft(place.dataset.forgetDraft ?? "");
}

function textsOf(form: HTMLFormElement): KeptDraft["values"] {
  const texts = [...new FormData(form)].filter((entry): entry is [string, string] => entry[1] !== "");
  return new Map(texts.filter(([, value]) => typeof value === "string"));
}

/** Leaves what is already written, and controls of other kinds, as they are. */
function fillIn(form: HTMLFormElement, values: KeptDraft["values"]): void {
  for (const [name, value] of values) {
    const control = form.elements.namedItem(name);
    if (!isTextControl(control) || isFileInput(control) || control.value !== startOf(control)) continue;
    control.value = value;
    control.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

function startOf(control: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement): string {
  return control instanceof HTMLSelectElement ? "" : control.defaultValue;
}

function isTextControl(
  control: Element | RadioNodeList | null,
): control is HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement {
  return (
    control instanceof HTMLInputElement ||
    control instanceof HTMLTextAreaElement ||
    control instanceof HTMLSelectElement
  );
}

function isFileInput(target: EventTarget | null): target is HTMLInputElement {
  return target instanceof HTMLInputElement && target.type === "file";
}

function fileInput(form: HTMLFormElement, name: string): HTMLInputElement | null {
  const control = form.elements.namedItem(name);
  return control instanceof HTMLInputElement && isFileInput(control) ? control : null;
}
