// What stands where a name or an address was. The act is kept, who it was is not.
export const DELETED_PERSON = "Deleted person";
export const ERASED_ADVERTISER = "Erased advertiser";
export const ERASED_AD = "Erased ad";
/** Nobody's, by definition (RFC 2606). */
export const ERASED_WEBSITE = "https://erased.invalid/";
