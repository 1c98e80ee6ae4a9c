/** The largest valid call, with ten stops of full length, has 27 kB in UTF-8, and 54 kB where each character is escaped. */
export const LARGEST_BODY_KIB = 64;

/** Most bytes of a decompressed request body, at every endpoint, and of a message over stdio. */
export const LARGEST_BODY_BYTES = LARGEST_BODY_KIB * 1024;

export const BODY_TOO_LARGE = `The body is larger than ${LARGEST_BODY_KIB} KiB`;
