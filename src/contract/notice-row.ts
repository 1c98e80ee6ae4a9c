/** What pages do with a notice, by its row. */
export interface NoticeAttributes {
  /** It says what the price includes; pages list these together. */
  readonly included?: true;
  /** For those who see no legs and promises: pages show the same by themselves, and have no sentence for it. */
  readonly in_legs?: true;
  /** A traveler has to have read it before paying; pages never fold it. */
  readonly decisive?: true;
}

/** An English sentence, with what pages do with it. */
export type NoticeRow = string | ({ readonly text: string } & NoticeAttributes);
