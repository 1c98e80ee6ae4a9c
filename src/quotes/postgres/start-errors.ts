/** This process's checkout secrets are not those of its siblings; the message is one line for the operator. */
export class ForeignCheckoutSecret extends Error {
  override readonly name = "ForeignCheckoutSecret";
}

/** The database cannot be used at start; the message is one line for the operator. */
export class UnusableDatabase extends Error {
  override readonly name = "UnusableDatabase";
}
