/** Path under which the REST operations of this version are served. */
export const API_BASE = "/api/public/v1";
