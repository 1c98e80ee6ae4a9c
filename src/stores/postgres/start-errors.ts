/** This process's checkout secrets are not those of its siblings; the message is one line for the operator. */
export class ForeignCheckoutSecret extends Error {
  override readonly name = "ForeignCheckoutSecret";
}

/** The database cannot be used at start or for a report; the message is one line for the operator. */
export class UnusableDatabase extends Error {
  override readonly name = "UnusableDatabase";
}

export function unusableDatabase(error: unknown): UnusableDatabase {
  const { message, code } = error as NodeJS.ErrnoException;
  return new UnusableDatabase(`TRANSFER_DATABASE_URL: the database cannot be used: ${message || code}`, {
    cause: error,
  });
}
