/** An ordinary browser's user agent: what names a program is taken for a bot. */
export const BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

/** What tracking answers to an event that is durable. */
export const ACCEPTED = '{"success":true}';
