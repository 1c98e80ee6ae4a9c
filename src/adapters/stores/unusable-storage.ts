/** The storage cannot be used when the server starts or a command runs; the message is one line for the operator. */
export class UnusableStorage extends Error {
  override readonly name: string = "UnusableStorage";
}
