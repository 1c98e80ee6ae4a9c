/** Labels of stops with coordinates in Kloten, beside Zurich Airport. */

/** Some part names a place that is far from there. */
// biome-ignore format: several fit on a line
export const HIDING: readonly string[] = [
  "Zermatt", "via Zermatt", "Zermatt (dinner)", "Zermatt - Hotel Monte Rosa", "Hotel Monte Rosa Zermatt",
  "Zermatt/Täsch", "Lugano Spital", "Hotel Monte Rosa, Zermatt", "dinner in Zermatt", "ZERMATT!", "zermatt_dinner",
  "Zermatt – 60 min", "Zermatt Bahnhof, Gleis 2", "Grandma (Zermatt)", "Grandma; Zermatt", "Grandma | Zermatt",
  "Zermatt & Täsch", "Zermatt+Täsch", "Stop 1: Zermatt", "1. Zermatt", "Zermatt, then home", "Zermatt?",
  "Matterhorn (Zermatt)", "3920 Zermatt", "3920 Zermatt, Bahnhofstrasse 1", "St. Moritz Dorf dinner",
  "Lunch at St Moritz", "Sankt Moritz (lunch)", "Genève, hôtel", "Hotel in Genf", "Ginevra centro", "Interlaken Ost, Gleis 1",
  "Verbier chalet 12", "Chalet, Verbier", "pick up Anna in Davos Platz", "Davos Platz – Kongress", "Crans-Montana golf",
  "Milano centro", "Hotel Paris", "Lyon Part-Dieu", "Munich Hbf", "Ｚｅｒｍａｔｔ dinner", "𝐙𝐞𝐫𝐦𝐚𝐭𝐭 dinner", "Zürich, Zermatt",
  "Zurich Airport or Zermatt", "Zermatt: Hotel Bristol", "\"Zermatt\" hotel", "Zermatt\u00a0dinner", "Zermatt…", "Saas-Fee, Parkhaus",
  "Lausanne EPFL", "Luzern KKL", "Gstaad Palace", "Basel Messe", "Andermatt, The Chedi", "Café in Lugano",
];

/** Letters that are invisible, or look like those of another script. */
export const MISLEADING: readonly string[] = [
  "Zer\u200bmatt",
  "Zer\u00admatt",
  "Zer\u2060matt",
  "Zer\u200cmatt",
  "Zer\u200dmatt",
  "\ufeffZermatt",
  "Zer\u034fmatt",
  "Zer\u115fmatt",
  "Zer\u3164matt",
  "Zer\ufe0fmatt",
  "Zermatt\u{e0041}",
  "Zer\u202ematt",
  "Zеrmatt",
  "Zermаtt",
  "Ζermatt",
  "Zerm\u0251tt",
  "\u1d22\u1d07\u0280\u1d0d\u1d00\u1d1b\u1d1b",
  "Ꮓermatt",
];

/** What a place that is shown beside the label contradicts; nobody can list all such spellings. */
export const NAMING: readonly string[] = [
  "Z e r m a t t",
  "Z3rmatt",
  "Zermattt",
  "Zermatterhof",
  "Matterhorn view",
  "СОМО",
];

/** What people call a stop of their own. */
// biome-ignore format: several fit on a line
export const HONEST: readonly string[] = [
  "Grandma", "Oma", "Kita Sonnenschein", "Bäckerei", "Pick up Anna", "Pick up Nancy", "Home", "Zuhause", "chez mamie",
  "Casa", "Praxis Dr. Müller", "Hotel", "Gate 3", "Kloten", "Bahnhof Kloten", "Zürich", "Rue de Berne 12", "Coop",
  "school of Sofia", "Stein & Söhne AG", "Anna ❤️", "Grossmutter (2. Stock)", "Бабушка", "おばあちゃん", "Hotel 東京",
  "Büro", "Garage Egg", "Post", "Rendez-vous", "Café des Alpes", "Oerlikon, Zürich", "47.45, 8.58",
];
