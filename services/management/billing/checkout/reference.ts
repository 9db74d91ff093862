import { LONGEST, MOST } from "#libs/domain/limits.ts";
import { isNoLongerThan, isStorable } from "#libs/domain/storable-text.ts";

/** What the page that begins a purchase gives with it, to find the purchase again. */
export interface Reference {
  readonly clientReference?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

const CLIENT_REFERENCE = "clientReference";
/** Before each key of the page: it must not write those that say what was sold and how it is charged. */
const PREFIX = "x_";

/** A reference as metadata of the payment processor's, which carries it from the checkout to the subscription. */
export function processorMetadata({ clientReference, metadata = {} }: Reference): Record<string, string> {
  const given = Object.entries(metadata).map(([key, value]) => [`${PREFIX}${key}`, value]);
  return {
    ...Object.fromEntries(given),
    ...(clientReference === undefined ? {} : { [CLIENT_REFERENCE]: clientReference }),
  };
}

/** The reference in a subscription's metadata as columns of ours. What the processor's owner wrote there may be anything. */
export function referenceColumns(metadata: Readonly<Record<string, string>>) {
  const reference = metadata[CLIENT_REFERENCE] ?? "";
  const given = Object.entries(metadata)
    .filter(([key, value]) => key.startsWith(PREFIX) && isStorable(key) && isStorable(value))
    .slice(0, MOST.metadata)
    .map(([key, value]) => [key.slice(PREFIX.length), value]);
  const isSound = reference !== "" && isStorable(reference) && isNoLongerThan(LONGEST.reference, reference);
  return {
    client_reference: isSound ? reference : null,
    metadata: JSON.stringify(Object.fromEntries(given)),
  };
}

/** `session_id` is appended to an address as the processor fills it in: its placeholder must not be encoded. */
export function withSessionId(address: string): string {
  const url = new URL(address);
  const { hash } = url;
  url.hash = "";
  return `${url.href}${url.search === "" ? "?" : "&"}session_id={CHECKOUT_SESSION_ID}${hash}`;
}
