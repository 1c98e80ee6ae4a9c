/** The storage cannot be used at a start or by a command; the message is one line for the operator. */
export class UnusableStorage extends Error {
  override readonly name: string = "UnusableStorage";
}
