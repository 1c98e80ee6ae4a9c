import { fold } from "./names.ts";

/** A text without the words around the name of a place. */
interface Unframed {
  readonly text: string;
  /** The words belong to an airport, a station or a site: nobody writes "the", "am" or "arrivals" beside a town. */
  readonly needsSite: boolean;
}

/** Words before a name that say what happens there: "please pick me up from", "wir fahren nach", "depuis". */
const BEFORE = wordSet(
  "please pick pickup me us up drop dropoff off collect take bring drive get from to at in into of going go headed " +
    "heading travel traveling travelling transfer ride taxi need want would like i we my our are will be m re ll stay " +
    "staying start starting end ending destination origin location somewhere right back return returning a an " +
    "bitte abholen abholung absetzen ab von nach zu bis aus ich wir brauche brauchen mochte mochten will wollen fahrt " +
    "fahren reise reisen start ziel richtung unser unsere mein meine sind wohne wohnen ubernachten " +
    "s il vous plait svp prise en charge depuis de vers pour jusqu jusque je nous on partons partir va vais allons aller " +
    "besoin ai avons un une transfert sommes suis loge logeons notre mon ma " +
    "per favore prelevare prelievo da ad fino verso siamo sono andiamo andare vado trasferimento nostro mio",
);
const BEFORE_SITES = wordSet(
  "the am an vom zum zur beim der dem den die das im au aux du des d l le la lo il al all alla allo dal dall dalla " +
    "arrive arriving arrival arrivons arriver arriviamo ankommen ankunft landing land departing departure abflug",
);
/** Words after a name that are polite, or say what happens there. */
const AFTER = wordSet("pick up pickup please bitte svp s il vous plait thanks thank you merci danke grazie per favore");
const AFTER_SITES = wordSet(
  "arrival arrivals departure departures hall meeting point entrance exit ankunft ankunftshalle abflug abflughalle " +
    "eingang ausgang haupteingang arrivee arrivees depart departs entree sortie arrivi partenze",
);
export const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** The number of a hall or an exit. */
const FIGURE = /^\d{1,2}$/;

/**
 * The text without such words, first with the last of those before it, which may begin the name: "to La Clusaz". Empty
 * where the text has none, or nothing else.
 */
export function withoutFraming(text: string): readonly Unframed[] {
  const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
    word: fold(word),
    from: index,
    to: index + word.length,
  }));
  const wordAt = (at: number) => words[at]?.word ?? "";
  const isAfter = (at: number) => AFTER.has(wordAt(at)) || AFTER_SITES.has(wordAt(at));
  const first = words.findIndex(({ word }) => !BEFORE.has(word) && !BEFORE_SITES.has(word));
  let last = words.length - 1;
  while (last > first && (isAfter(last) || (FIGURE.test(wordAt(last)) && AFTER_SITES.has(wordAt(last - 1))))) last -= 1;
  const isAfterSite = words.slice(last + 1).some(({ word }) => AFTER_SITES.has(word));
  return [first - 1, first].flatMap((start) => {
    const [from, to] = [words[start]?.from, words[last]?.to];
    if (first < 0 || from === undefined || to === undefined || (start === 0 && last === words.length - 1)) return [];
    return [{ text: text.slice(from, to), needsSite: isAfterSite || BEFORE_SITES.has(wordAt(start - 1)) }];
  });
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(" ").map(fold));
}
