import { expect, it } from "vitest";
import { createUserAgents } from "./user-agents.ts";

const userAgents = createUserAgents();

it.each([
  "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
  "YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html",
  "Mozilla/5.0 (compatible; YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html)",
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/118.0.5993.117 Safari/537.36 FastmailUA/1.0",
  "hey.com/imageproxy Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/134.0.0.0 Safari/537.36",
  "Mozilla/5.0 (compatible; SeznamEmailProxy/3.0.53)",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Mozilla/5.0",
  "Mozilla/5.0",
])("takes a mail service that hides its readers for one: %s", (userAgent) => {
  expect(userAgents.judge(userAgent)).toBe("prefetch");
});

it.each([
  // Gateways that scan links.
  "Barracuda Sentinel (EE)",
  "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36 Barracuda",
  "Mozilla/5.0 (compatible; Proofpoint URL Defense)",
  "Mimecast-Link-Protect",
  "CiscoSecureEmail/15.0",
  "Mozilla/5.0 (compatible; TMES)",
  "Microsoft Office Existence Discovery",
  "Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/534+ (KHTML, like Gecko) BingPreview/1.0b",
  "python-requests/2.32.3",
  "Python/3.9 aiohttp/3.8.1",
  "lua-resty-http/0.10 (Lua) ngx_lua/10019",
  "Java/17.0.2",
  "",
  // Previews of links in messengers and social networks.
  "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
  "Slack-ImgProxy (+https://api.slack.com/robots)",
  "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
  "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com",
  "TelegramBot (like TwitterBot)",
  "WhatsApp/2.23.20.0 A",
  "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
  "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
  "Twitterbot/1.0",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0",
  "Snap URL Preview Service; bot; snapchat; https://developers.snap.com/robots",
  "Mastodon/4.2.1 (http.rb/5.1.1; +https://mastodon.social/) Bot",
  "Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)",
  "Synapse (bot; +https://github.com/matrix-org/synapse)",
  "GoogleMessages/20",
  // What fetches feeds, and the images of README files.
  "github-camo (4ad21c9b)",
  "GitLab-Camo",
  "Feedly/1.0 (+http://www.feedly.com/fetcher.html; like FeedFetcher-Google)",
  "Feedbin feed-id:1 - 1 subscribers",
  "Mozilla/5.0 (compatible; inoreader.com-like FeedFetcher-Google; http://www.inoreader.com)",
  "Mozilla/5.0 (compatible; Miniflux/2.0.50; +https://miniflux.app)",
])("takes a program for a bot: %s", (userAgent) => {
  expect(userAgents.judge(userAgent)).toBe("bot");
});

it.each([
  // Mail programs as they load images and open links.
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Thunderbird/140.1.0",
  "Mozilla/4.0 (compatible; ms-office; MSOffice 16)",
  "Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; WOW64; Trident/8.0; .NET4.0C; .NET4.0E; ms-office; MSOffice 16)",
  "Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.12026; Pro)",
  "Outlook-iOS/709.2226530.prod.iphone (3.24.1)",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
  "Mozilla/5.0 (Linux; Android 14; SM-S911B; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/120.0.6099.210 Mobile Safari/537.36",
  // Browsers, some of them inside of apps, and the oldest Edge, whose name Gmail borrowed.
  "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/430.0.0.23.113]",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/80.0.3987.165 Safari/537.36 Teams/1.3.00.28779",
])("counts a reader: %s", (userAgent) => {
  expect(userAgents.judge(userAgent)).toBe(null);
});
