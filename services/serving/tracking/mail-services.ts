/**
 * Mail services that fetch the images of an email themselves: when it arrives, or through a proxy that hides who opened
 * it. Neither tells one reader from another, so no such request counts. User agents as these sources have them:
 *
 * - `GoogleImageProxy`: Gmail, https://support.google.com/mail/answer/145919
 * - `YahooMailProxy`: Yahoo and AOL, https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html
 */
const MAIL_PROXIES = /GoogleImageProxy|YahooMailProxy/;

/**
 * The whole user agents of services that fetch images when an email arrives:
 *
 * - Apple Mail Privacy Protection, https://support.apple.com/guide/iphone/iphb9a3a1f7c/ios, says `Mozilla/5.0` alone
 * - Gmail for readers with an open session, https://bird.com/blog/gmail-prefetching-images
 */
const MAIL_PREFETCHERS: ReadonlySet<string> = new Set([
  "Mozilla/5.0",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Mozilla/5.0",
]);

/**
 * Gateways that open the links of an email to look for malware, as far as they say who they are (most do not):
 * https://check.live-direct-marketing.online/blog/bot-clicks-security-scanners-detect. Outlook itself (`ms-office`) is no such
 * gateway: it loads images for a reader.
 */
const LINK_SCANNERS = /barracuda|proofpoint|mimecast|CiscoSecureEmail|\bTMES\b/i;

export function isMailService(userAgent: string): boolean {
  return MAIL_PREFETCHERS.has(userAgent) || MAIL_PROXIES.test(userAgent);
}

export function isLinkScanner(userAgent: string): boolean {
  return LINK_SCANNERS.test(userAgent);
}
