/** Texts of places as people write them, each with what it means; also sent to the built program and to the sources. */
// biome-ignore format: several fit on a line
export const FOUND: readonly (readonly [text: string, id: string])[] = [
  ["Zurich Airport (ZRH)", "zurich-airport"], ["ZRH Zurich Airport", "zurich-airport"],
  ["Geneva (GVA)", "geneva-airport"], ["Milan Malpensa", "milan-malpensa-airport"],
  ["Mailand Malpensa", "milan-malpensa-airport"], ["Milano MXP", "milan-malpensa-airport"],
  ["Milano Linate", "milan-linate-airport"], ["Bahnhof Bern", "bern-station"], ["Gare de Berne", "bern-station"],
  ["Basel HB", "basel-sbb"], ["Gare Cornavin", "geneva-cornavin"],
  ["Bahnhof, 7270 Davos Platz", "davos-platz-station"], ["Gare de Viège", "visp-station"],
  ["Stazione di Coira", "chur-station"], ["Freiburg Hbf", "freiburg-im-breisgau-hbf"],
  ["Aéroport de Bâle-Mulhouse", "basel-euroairport"], ["Aeroporto di Zurigo", "zurich-airport"],
  ["Flughafen Mailand-Malpensa", "milan-malpensa-airport"], ["Genève Aéroport Bahnhof", "geneva-airport"],
  ["8050 Oerlikon", "zurich-oerlikon-station"], ["Zug SBB", "zug-station"],
  ["Lausanne, Gare CFF", "lausanne-station"],
  ["Milan Malpensa Airport (MXP), Milan, Italy", "milan-malpensa-airport"],
  ["MXP, Milan, Italy", "milan-malpensa-airport"], ["Munich Airport (MUC), Munich, Germany", "munich-airport"],
  ["ZRH, Zurich, Switzerland", "zurich-airport"], ["Zurich Airport (ZRH), Switzerland", "zurich-airport"],
  ["Belp, Bern", "belp"], ["Agno, Lugano", "agno"], ["Lindau, Canton of Zürich", "lindau-zh"],
  ["Wohlen, Kt. Bern", "wohlen-be"], ["Romont, Canton de Berne", "romont-be"],
  ["Roveredo, Cantone Ticino", "roveredo-ti"], ["Wil, Canton of St. Gallen", "wil-sg"],
  ["Oberwil, Simmental", "oberwil-im-simmental"], ["Sils, Domleschg", "sils-im-domleschg"], ["AT-6764 Lech", "lech"],
  ["3920 Zermatt VS Switzerland", "zermatt"], ["Zermatt, Valais/Wallis, Schweiz/Suisse/Svizzera/Svizra", "zermatt"],
  ["Zürich ZH", "zurich"], ["Lausanne VD", "lausanne"], ["Basel CH", "basel"], ["Buchs 9470", "buchs-sg"],
  ["8000 Zürich", "zurich"], ["6000 Luzern", "lucerne"], ["1211 Genève", "geneva"], ["Val-de-Ruz", "cernier"],
  ["Val-de-Travers", "fleurier"], ["Val de Bagnes", "le-chable"], ["Glarus Nord", "nafels"],
  ["Milan Malpensa T1", "milan-malpensa-airport"], ["Milan, Malpensa Airport Terminal 1", "milan-malpensa-airport"],
  ["ZRH Terminal 1", "zurich-airport"], ["Geneva Airport, Terminal 1", "geneva-airport"],
  ["GVA T2", "geneva-airport"], ["ＺＲＨ", "zurich-airport"], ["T\u2060äsch", "tasch"], ["Zürich\u00a0HB", "zurich-hb"],
  ["Lenzerheide (Lai)", "lenzerheide"], ["crans  montana", "crans-montana"], ["Wengen, 3822 Lauterbrunnen", "wengen"],
];

/** The ids of the candidates, in order. */
// biome-ignore format: several fit on a line
export const UNCLEAR: readonly (readonly [text: string, ids: string])[] = [
  ["St Moritz, Zermatt", "st-moritz zermatt"], ["Davos, Zuerich", "davos zurich"],
  ["Gare de Genève, Lausanne", "geneva-cornavin lausanne"], ["Zurich GVA", ""], ["Zermatt Inn", ""],
  ["Zurich T2", "zurich zurich-airport"], ["Intrlakn", "interlaken"], ["Zermat", "zermatt"], ["Zermtat", "zermatt"],
  ["Zermat, Germany", ""], ["Flughafen Zurch", "zurich-airport"], ["Sankt Morits", "st-moritz"],
  ["Gstad Bahnhoff", ""], ["Hilton Munich Airport, Munich", "munich munich-airport"], ["Airport, Zermatt", "zermatt"],
  ["Zurich Airport, Zug", "zug zurich-airport"], ["Geneva Airport, Lausanne", "geneva-airport lausanne"],
  ["Bergamo, Milan", "bergamo milan"], ["Spiez, Interlaken", "interlaken spiez"], ["Sion, Arc 1950", "arc-1950 sion"],
  ["Nordallee 25, 85356 München", "munich-airport"], ["Bahnhofstrasse 1, 8400 Zürich", ""], ["Les Arcs 1700", ""],
  ["Villeneuve, Haute-Savoie", ""], ["Cham, Bayern", ""], ["Geneva, Illinois", ""], ["Montana, USA", ""],
  ["Baden bei Wien", ""], ["Zermatt, Canton of Bern", ""],
];

// biome-ignore format: several fit on a line
export const OUTSIDE: readonly string[] = [
  "CDG", "Paris Airport", "Flughafen Wien", "Aéroport de Nice", "LHR", "FRA", "STR", "VIE", "75001 Paris",
  "Hotel Ritz, 75001 Paris", "Ancona", "Washington D.C.",
];

/** Names that were resolved wrongly before. */
// biome-ignore format: several fit on a line
export const WRONG_BEFORE: readonly (readonly [text: string, id: string])[] = [
  ["GVA", "geneva-airport"], ["gva", "geneva-airport"], ["Genf", "geneva"], ["Genève", "geneva"],
  ["Ginevra", "geneva"], ["Flughafen Zürich", "zurich-airport"], ["Zürich Flughafen", "zurich-airport"],
  ["Aéroport de Genève", "geneva-airport"], ["Täsch", "tasch"], ["Taesch", "tasch"], ["Basel", "basel"],
  ["Bâle", "basel"], ["Mailand", "milan"], ["Coira", "chur"], ["Sankt Moritz", "st-moritz"],
  ["Saint-Moritz", "st-moritz"], ["Sitten", "sion"], ["Luzern", "lucerne"],
  ["Freiburg, Deutschland", "freiburg-im-breisgau"], ["Freiburg, CH", "fribourg"], ["1700 Freiburg", "fribourg"],
  ["Wil, SG", "wil-sg"], ["9500 Wil", "wil-sg"], ["Zürich HB", "zurich-hb"],
  ["Bahnhofplatz 1, 6003 Luzern, Schweiz", "lucerne"], ["Lenzerheide/Lai", "lenzerheide"],
  ["Brienz/Brinzauls", "brienz-gr"], ["Gare de Verbier", "verbier"], ["Laax station", "laax"],
  ["Stazione di Faido", "faido"],
];

export const WITHOUT_PLACE: Readonly<Record<string, string>> = {
  empty: "",
  blank: " \t\u00a0\u3000 ",
  "512 letters": "x".repeat(512),
  "512 spaces": " ".repeat(512),
  "512 commas": ",".repeat(512),
  "512 digits": "8".repeat(512),
  "170 words": "ab ".repeat(170),
  "128 comma parts": "ab, ".repeat(128),
  "128 postcodes": "800, ".repeat(102),
  "NUL and control characters": "\u0000\u0001\u001b[31m",
  emoji: "🚕✈️🏔️",
  "right to left": "\u202eمطار زيورخ\u202c",
  "a lone surrogate": "\ud83d",
  "names of object members": "constructor",
  "a prototype": "__proto__",
  punctuation: "'; DROP TABLE places; --",
  "a path": "../../etc/passwd",
  "combining marks": `a${"\u0301".repeat(511)}`,
};
