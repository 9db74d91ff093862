import type { FileChooser, Locator, Page } from "playwright-core";

/** A way to operate a page: by mouse, by touch or by keyboard. */
export interface Input {
  /** Follows a link, presses a button, turns a switch. */
  press(target: Locator): Promise<void>;
  /** Writes into an input, replacing its value. */
  write(target: Locator, text: string): Promise<void>;
  /** Takes an option of a list that opens at the target. */
  choose(target: Locator, option: string): Promise<void>;
}

type File = Parameters<FileChooser["setFiles"]>[0];

/** Gives a file to an input that asks for one. */
export async function giveFile(page: Page, input: Input, target: Locator, file: File): Promise<void> {
  const [asked] = await Promise.all([page.waitForEvent("filechooser"), input.press(target)]);
  await asked.setFiles(file);
}

/** Operates the page by mouse. */
export const mouse: Input = {
  press: (target) => target.click(),
  async write(target, text) {
    await target.click();
    await target.fill(text);
  },
  async choose(target, option) {
    await target.click();
    const named = target.page().getByRole("option", { name: option, exact: true });
    // The browser's own list is outside of the page.
    if ((await target.evaluate((element) => element.tagName)) === "SELECT")
      await target.selectOption({ label: option });
    else await named.click();
  },
};

/** Operates a page of a device with a touch screen by a finger. */
export const touch: Input = {
  ...mouse,
  press: (target) => target.tap(),
  async write(target, text) {
    await target.tap();
    await target.fill(text);
  },
};

/** More than any page has places for the focus. */
const MOST_STEPS = 150;

/** Operates the page by keyboard alone: from the focused element, forward by Tab. */
export const keyboard: Input = {
  async press(target) {
    await reach(target);
    const isToggle = await target.evaluate(
      (element) => element instanceof HTMLInputElement && ["checkbox", "radio"].includes(element.type),
    );
    await target.page().keyboard.press(isToggle ? "Space" : "Enter");
  },
  async write(target, text) {
    await reach(target);
    await target.page().keyboard.press("ControlOrMeta+a");
    await target.page().keyboard.type(text);
  },
  async choose(target, option) {
    await reach(target);
    const { keyboard: keys } = target.page();
    if ((await target.evaluate((element) => element.tagName)) === "SELECT") return await keys.type(option);
    const isChosen = target.page().locator("[data-combobox-selected]").getByText(option, { exact: true });
    await keys.press("ArrowDown");
    for (let step = 0; step < MOST_STEPS && !(await isChosen.isVisible()); step += 1)
      await keys.press("ArrowDown");
    await keys.press("Enter");
  },
};

async function reach(target: Locator): Promise<void> {
  await target.waitFor({ state: "attached" });
  for (let step = 0; step < MOST_STEPS; step += 1) {
    if (await target.evaluate(hasFocus)) return;
    await target.page().keyboard.press("Tab");
  }
  throw new Error(`The focus does not get to ${target} by Tab.`);
}

/** Runs in the page. */
function hasFocus(element: Element): boolean {
  const root = element.getRootNode();
  return (root instanceof ShadowRoot ? root : document).activeElement === element;
}
