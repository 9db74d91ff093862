/** The most ads that a request for ads is answered with. */
export const MOST_ADS = 50;
/** The most bytes of ads in an answer, which always has the first: further ones that would go beyond it are left out. */
export const MOST_ANSWER_BYTES = 1024 * 1024;
/** The most bytes of the tiers on sale in a workspace with their prices, which each visitor of its offer gets. */
export const MOST_SALE_BYTES = 256 * 1024;
/** The most ads that it may exclude. */
export const MOST_EXCLUDED = 200;
/** The most tiers that it may name: with as many ads to exclude, its address still fits into a request. */
export const MOST_TIERS = 100;
/** The most impressions that a page may report in one request: of as many ads as one request hands out. */
export const MOST_REPORTED = MOST_ADS;
