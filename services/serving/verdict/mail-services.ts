/**
 * Mail services that fetch the images of an email themselves: when it arrives, or through a proxy that hides who opened
 * it. Neither tells one reader from another, so no such request counts. User agents as these sources have them:
 *
 * - `GoogleImageProxy`: Gmail, https://www.scientiamobile.com/what-is-google-image-proxy/
 * - `YahooMailProxy`: Yahoo and AOL, https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html
 * - `FastmailUA`: Fastmail, https://darkvisitors.com/agents/fastmailua; "our servers always proxy the images",
 *   https://www.fastmail.help/hc/en-us/articles/1500000278102-Blocking-remote-images
 * - `hey.com/imageproxy`: HEY, https://www.hey.com/features/spy-pixel-blocker/
 * - `SeznamEmailProxy`: Seznam, https://github.com/matomo-org/device-detector/blob/master/regexes/bots.yml
 */
const MAIL_PROXIES = /GoogleImageProxy|YahooMailProxy|FastmailUA|hey\.com\/imageproxy|SeznamEmailProxy/;

/**
 * The whole user agents of services that fetch images when an email arrives:
 *
 * - Apple Mail Privacy Protection says `Mozilla/5.0` alone. What it does: https://support.apple.com/guide/iphone/iphb9a3a1f7c/ios.
 *   Its addresses are those of iCloud Private Relay, behind which people browse
 *   (https://wordtothewise.com/2021/09/apple-mpp-reporting-and-geolocation/), so they say nothing
 * - Gmail for readers with an open session, https://www.sparkpost.com/blog/gmail-prefetching-images/
 */
const MAIL_PREFETCHERS: ReadonlySet<string> = new Set([
  "Mozilla/5.0",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Mozilla/5.0",
]);

/**
 * Gateways that open the links of an email to look for malware, as far as they say who they are:
 * https://check.live-direct-marketing.online/blog/bot-clicks-security-scanners-detect. Most do not: Microsoft Defender, for one,
 * says that it is Chrome (https://check.live-direct-marketing.online/blog/microsoft-defender-link-click-pattern). No list of
 * addresses is kept either, since vendors promise none: https://campus.barracuda.com/product/sentinel/doc/498468311/unwanted-link-clicks.
 *
 * Office (`ms-office`) is no such gateway. Outlook loads images with it for a reader, and the other programs follow a link to
 * its end and open only that in a browser (https://stackoverflow.com/questions/2653626), so theirs is the click that there is.
 */
const LINK_SCANNERS = /barracuda|proofpoint|mimecast|CiscoSecureEmail|\bTMES\b/i;

export function isMailService(userAgent: string): boolean {
  return MAIL_PREFETCHERS.has(userAgent) || MAIL_PROXIES.test(userAgent);
}

export function isLinkScanner(userAgent: string): boolean {
  return LINK_SCANNERS.test(userAgent);
}
