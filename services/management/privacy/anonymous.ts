// Placeholders for erased names and addresses: what was done is kept, who did it is not.
export const DELETED_PERSON = "Deleted person";
export const ERASED_ADVERTISER = "Erased advertiser";
export const ERASED_AD = "Erased ad";
/** `.invalid` never resolves (RFC 2606). */
export const ERASED_WEBSITE = "https://erased.invalid/";
