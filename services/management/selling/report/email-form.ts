import { ADVERTISER_REPORT_EMAILS, type AdvertiserReportEmail } from "#libs/domain/report-emails.ts";
import { type Html, html } from "#libs/html/index.ts";
import { flag } from "../page/layout.ts";

const WORDS: Readonly<Record<AdvertiserReportEmail, string>> = {
  week: "Every week",
  month: "Every month",
  never: "Never",
};

/** What an advertiser has chosen, or that the reader of their address has ended reports. */
export type EmailsShown = AdvertiserReportEmail | "ended by link";

/** Asks how often an advertiser wants reports by email. */
export function emailForm(action: string, publisher: string, choice: EmailsShown, isSaved: boolean): Html {
  if (choice === "ended by link") {
    return html`<section class="card" aria-labelledby="emails"><h2 id="emails">Reports by email</h2>
<p>They were stopped by the link at the end of a report. The same link starts them again.</p></section>`;
  }
  const options = ADVERTISER_REPORT_EMAILS.map(
    (one) => html`<option value="${one}"${flag("selected", one === choice)}>${WORDS[one]}</option>`,
  );
  return html`<section class="card" aria-labelledby="emails"><h2 id="emails">Reports by email</h2>
<p>A report on all your ads on ${publisher}: every Monday for the past week, or on the 1st for the past month.</p>
<form method="post" action="${action}"><div class="field"><label for="choice">Email me</label><select id="choice" name="choice">${options}</select></div>
${isSaved ? html`<p class="hint" role="status">Saved.</p>` : null}
<p class="actions"><button class="second">Save</button></p></form></section>`;
}

/** What the form says; null for anything else. */
export function readChoice(form: URLSearchParams): AdvertiserReportEmail | null {
  const given = form.get("choice");
  return ADVERTISER_REPORT_EMAILS.find((one) => one === given) ?? null;
}
