/** The most ads that a request for ads is answered with. */
export const MOST_ADS = 50;
/** The most ads that it may exclude. */
export const MOST_EXCLUDED = 200;
