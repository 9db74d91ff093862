import { LONGEST_EMAIL } from "#libs/domain/email-address.ts";
import { type Html, html } from "#libs/html/index.ts";
import { attribute, flag, offerPath, type ShownPublisher } from "../page/layout.ts";

/** Where the form goes, and where it is a page of its own. */
function linkPath(publisher: Pick<ShownPublisher, "slug">): string {
  return `${offerPath(publisher)}/link`;
}

/** A form that has the link to an advertiser's ads sent to their address; `refused` is what was typed, if it is no address. */
export function linkForm(publisher: ShownPublisher, refused: string | null = null): Html {
  const isRefused = refused !== null;
  const error = isRefused
    ? html`<p class="error" id="link-error">Enter an email address, such as you@example.com.</p>`
    : null;
  return html`<form class="lost-link" method="post" action="${linkPath(publisher)}" data-once novalidate>
<div class="field"><label for="link-email">Email</label>
${error}<input type="email" id="link-email" name="email" autocomplete="email" required maxlength="${String(LONGEST_EMAIL)}" value="${refused ?? ""}"${attribute("aria-invalid", isRefused ? "true" : null)}${attribute("aria-describedby", isRefused ? "link-error" : null)}${flag("autofocus", isRefused)}></div>
<button class="second">Send me my link</button>
</form>`;
}

/** The form with its heading, as a part of another page. */
export function lostLink(publisher: ShownPublisher): Html {
  return html`<section class="card lost" aria-labelledby="lost"><h2 id="lost">Already advertising here?</h2>
<p>Lost the link to your ad? We'll email it to you.</p>
${linkForm(publisher)}</section>`;
}
