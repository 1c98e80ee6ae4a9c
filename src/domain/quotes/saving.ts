/** A change with which the cheapest vehicle class costs less. Exactly one of the three is set. */
export interface Saving {
  readonly text: string;
  /** Of that class. */
  readonly totalRappen: number;
  readonly pickupAt?: string | undefined;
  readonly returnAt?: string | undefined;
  /** A hire ends where it starts, with its destination as the last stop. */
  readonly isBackAtStart?: true | undefined;
}
