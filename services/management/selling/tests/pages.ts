import { Parser } from "htmlparser2";
import type { ManagementUnderTest } from "../../tests/management.ts";

/** A page as a browser without script would take it apart. */
export interface ParsedPage {
  readonly status: number;
  readonly headers: Headers;
  /** What is read, white space run together. */
  readonly text: string;
  readonly title: string;
  readonly elements: readonly ParsedElement[];
}

export interface ParsedElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** All that is read within. */
  readonly text: string;
}

/** Asks for a page, without following redirects. */
export async function openPage(
  { origin }: Pick<ManagementUnderTest, "origin">,
  path: string,
  form?: URLSearchParams,
): Promise<ParsedPage> {
  const response = await fetch(`${origin}${path}`, {
    redirect: "manual",
    ...(form === undefined ? {} : { method: "POST", body: form }),
  });
  return { status: response.status, headers: response.headers, ...parse(await response.text()) };
}

/** The elements with that name, and with that value of an attribute where one is given. */
export function all(page: ParsedPage, name: string, attribute?: string, value?: string): ParsedElement[] {
  return page.elements.filter(
    (element) =>
      element.name === name &&
      (attribute === undefined || attribute in element.attributes) &&
      (value === undefined || element.attributes[attribute ?? ""] === value),
  );
}

/** The first of them; fails where there is none. */
export function one(page: ParsedPage, name: string, attribute?: string, value?: string): ParsedElement {
  const [found] = all(page, name, attribute, value);
  if (found === undefined) {
    throw new Error(`the page has no ${name} with ${attribute} ${value}: ${page.text.slice(0, 2000)}`);
  }
  return found;
}

function parse(source: string): Pick<ParsedPage, "text" | "title" | "elements"> {
  const elements: { name: string; attributes: Record<string, string>; text: string }[] = [];
  const open: (typeof elements)[number][] = [];
  let text = "";
  const parser = new Parser({
    onopentag(name, attributes) {
      const element = { name, attributes, text: "" };
      elements.push(element);
      open.push(element);
    },
    ontext(data) {
      text += data;
      for (const element of open) element.text += data;
    },
    onclosetag() {
      open.pop();
      text += " ";
    },
  });
  parser.end(source);
  const title = elements.find(({ name }) => name === "title")?.text ?? "";
  return { text: text.replace(/\s+/g, " "), title, elements };
}
