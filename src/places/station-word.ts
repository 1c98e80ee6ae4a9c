const BEFORE =
  /^(?:(?:haupt)?bahnhof|gare|stazione|staziun|(?:railway |train )?station) (?:(?:de la|de|du|des|d|di|da|of) )?(.+)$/;
const AFTER = /^(.+?) (?:(?:haupt)?bahnhof|hbf|hb|gare|stazione|staziun|(?:railway |train )?station)$/;

/** A folded part without the word that only says "station" in front of or behind the place's name. */
export function withoutStationWord(part: string): string {
  return (BEFORE.exec(part) ?? AFTER.exec(part))?.[1] ?? part;
}
