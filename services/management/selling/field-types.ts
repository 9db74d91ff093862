import type { Field } from "#libs/contract/fields.ts";
import type { FieldType } from "#libs/domain/field.ts";
import { LONGEST_TEXT, readDefault } from "#libs/domain/field-content.ts";
import { imageRulesWords } from "#libs/domain/image-rules.ts";
import { completeUrl } from "#libs/domain/web-url.ts";
import { type Html, html } from "#libs/html/index.ts";
import type { Uploads } from "#libs/uploads/index.ts";
import { formats } from "../mail/formats.ts";
import { safeHref } from "./page/layout.ts";
import { IMAGE_KINDS } from "./page/shared-words.ts";
import * as controls from "./submission/field-control.ts";

/** What the pages for advertisers do with a type of field. */
interface PageFieldType {
  /** What the value has to be, in a few words; empty for nothing to say. */
  readonly words: (field: Field) => string;
  readonly control: (control: controls.Control, field: Field, upload: controls.UploadTerms) => Html;
  /** The value that a text stands for. What cannot be read stays text, which the contract then refuses. */
  readonly read: (text: string) => unknown;
  /** Asks for a value that is missing. */
  readonly missing: string;
  readonly shown: (value: string, field: Field, uploads: Pick<Uploads, "locate">) => Html;
}

export const ENTER_ADDRESS = "Enter a web address, such as example.com.";
/** No number takes more characters. */
const LONGEST_NUMBER = 400;
/** Each digit matches in one way only, so that a long wrong number is refused without backtracking. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

const TEXT: PageFieldType = {
  words: ({ description }) => description,
  control: (control, { maxLength }) => controls.input(control, "text", controls.mostOf(maxLength)),
  read: (text) => text,
  missing: "Enter a text.",
  shown: (value) => html`${value}`,
};

export const PAGE_FIELD_TYPES: Readonly<Record<FieldType, PageFieldType>> = {
  Text: { ...TEXT, words: ({ maxLength }) => upTo(maxLength ?? LONGEST_TEXT.Text) },
  Textarea: {
    ...TEXT,
    words: ({ maxLength }) => upTo(maxLength ?? LONGEST_TEXT.Textarea),
    control: (control, { maxLength }) => controls.textarea(control, controls.mostOf(maxLength)),
  },
  Url: {
    ...TEXT,
    control: (control) => controls.input(control, "url", html` inputmode="url"`),
    read: completeUrl,
    missing: ENTER_ADDRESS,
    shown: addressOf,
  },
  Email: {
    ...TEXT,
    control: (control) => controls.input(control, "email", html` autocomplete="email"`),
    missing: "Enter an email address, such as you@example.com.",
  },
  Number: {
    ...TEXT,
    words: ({ min, max }) =>
      [min === null ? "" : `At least ${min}.`, max === null ? "" : `At most ${max}.`].join(" ").trim(),
    control: (control) => controls.input(control, "text", html` inputmode="decimal" autocomplete="off"`),
    read: (text) => readNumber(text.trim()),
    missing: "Enter a number.",
  },
  Switch: {
    ...TEXT,
    control: controls.checkbox,
    read: (text) => readDefault("Switch", text.trim()),
    missing: "Choose yes or no.",
    shown: (value) => html`${value === "true" ? "Yes" : "No"}`,
  },
  Select: {
    ...TEXT,
    words: ({ options }) => `One of: ${options.join(", ")}.`,
    control: (control, { options }) => controls.select(control, options),
    missing: "Choose one.",
  },
  Image: {
    ...TEXT,
    words: ({ image }) => [image === null ? "" : imageRulesWords(image), `${IMAGE_KINDS}.`].join(" ").trim(),
    control: (control, { image }, upload) => controls.imageControl(control, image, upload),
    missing: "Choose an image.",
    shown: (value, { name }, uploads) =>
      uploads.locate(value) === null
        ? addressOf(value)
        : html`<img class="value-image" src="${safeHref(value) ?? ""}" alt="${name}">`,
  },
  Date: { ...TEXT, control: (control) => controls.input(control, "date", null), missing: "Choose a day." },
  Color: {
    ...TEXT,
    control: controls.colorControl,
    missing: "Choose a color.",
    shown: (value) =>
      /^#[0-9a-f]{6}$/.test(value)
        ? html`<svg class="swatch" viewBox="0 0 1 1" aria-hidden="true"><rect width="1" height="1" fill="${value}"/></svg> ${value}`
        : html`${value}`,
  },
};

export function upTo(characters: number): string {
  return `Up to ${formats.count(characters)} characters.`;
}

function readNumber(text: string): number | string {
  return text.length <= LONGEST_NUMBER && NUMBER.test(text) ? Number(text) : text;
}

/** A link for a web address, else text. */
export function addressOf(value: string): Html {
  const href = safeHref(value);
  return href === null ? html`${value}` : html`<a href="${href}" rel="noopener nofollow">${value}</a>`;
}
