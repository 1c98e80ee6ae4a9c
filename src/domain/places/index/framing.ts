import { fold } from "./names.ts";
import type { Words } from "./words.ts";

/** A text without the words around the name of a place. */
interface Unframed {
  readonly text: string;
  /** The words belong to an airport, a station or a site: nobody writes "the", "am" or "arrivals" beside a town. */
  readonly needsSite: boolean;
}

/** A text of more words is a question; those that people write have up to ten, and an address in a sentence twenty. */
const MOST_WORDS = 32;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** The number of a hall or an exit. */
const FIGURE = /^\d{1,2}$/;

/**
 * The text without such words, first with the last of those before it, which may begin the name: "to La Clusaz". Empty
 * where the text has none, or nothing else.
 */
export function withoutFraming(text: string, { before, beforeSite, after, afterSite }: Words): readonly Unframed[] {
  const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
    word: fold(word),
    from: index,
    to: index + word.length,
  }));
  const wordAt = (at: number) => words[at]?.word ?? "";
  const isAfter = (at: number) => after.has(wordAt(at)) || afterSite.has(wordAt(at));
  const first = words.findIndex(({ word }) => !before.has(word) && !beforeSite.has(word));
  let last = words.length - 1;
  while (last > first && (isAfter(last) || (FIGURE.test(wordAt(last)) && afterSite.has(wordAt(last - 1))))) last -= 1;
  const isAfterSite = words.slice(last + 1).some(({ word }) => afterSite.has(word));
  return [first - 1, first].flatMap((start) => {
    const [from, to] = [words[start]?.from, words[last]?.to];
    if (first < 0 || from === undefined || to === undefined || (start === 0 && last === words.length - 1)) return [];
    return [{ text: text.slice(from, to), needsSite: isAfterSite || beforeSite.has(wordAt(start - 1)) }];
  });
}

/** As much of a text as is read. */
export function firstWordsOf(text: string): string {
  const last = [...text.matchAll(WORD)][MOST_WORDS - 1];
  const end = last === undefined ? text.length : last.index + last[0].length;
  return /[\p{L}\p{N}]/u.test(text.slice(end)) ? text.slice(0, end) : text;
}
