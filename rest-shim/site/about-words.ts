/** The words of the pages about the service for travelers, in the languages of the traveler's page. */

export const PAGE_LANGUAGES = ["en", "de", "fr", "it"] as const;
export type PageLanguage = (typeof PAGE_LANGUAGES)[number];
type Words = Readonly<Record<PageLanguage, string>>;

// biome-ignore format: the languages of a text stand below each other
export const ABOUT_WORDS = {
  language: { en: "English", de: "Deutsch", fr: "Français", it: "Italiano" },
  languages: { en: "Languages", de: "Sprachen", fr: "Langues", it: "Lingue" },
  privacy: { en: "Privacy", de: "Datenschutz", fr: "Protection des données", it: "Protezione dei dati" },
  support: { en: "Support", de: "Hilfe", fr: "Aide", it: "Assistenza" },
  terms: { en: "Terms", de: "Allgemeine Geschäftsbedingungen", fr: "Conditions générales", it: "Condizioni generali" },
  register: { en: "Register {number}", de: "Handelsregister {number}", fr: "Registre du commerce {number}", it: "Registro di commercio {number}" },
  phone_hours: { en: "Phone", de: "Telefon", fr: "Téléphone", it: "Telefono" },
  labeled: { en: "{term}: {text}", de: "{term}: {text}", fr: "{term} : {text}", it: "{term}: {text}" },
  payment_methods: { en: "Payment", de: "Zahlung", fr: "Paiement", it: "Pagamento" },

  intro: {
    en: "This service prices journeys for AI assistants. It asks for places, times and the size of a party. It does not ask for names, phone numbers or payment data, sets no cookies, and its pages load nothing from other servers.",
    de: "Dieser Dienst berechnet Preise von Fahrten für KI-Assistenten. Er fragt nach Orten, Zeiten und der Grösse der Gruppe. Er fragt nicht nach Namen, Telefonnummern oder Zahlungsdaten, setzt keine Cookies, und seine Seiten laden nichts von anderen Servern.",
    fr: "Ce service calcule le prix de trajets pour des assistants d’IA. Il demande des lieux, des heures et la taille du groupe. Il ne demande ni nom, ni numéro de téléphone, ni données de paiement, ne pose aucun cookie, et ses pages ne chargent rien depuis d’autres serveurs.",
    it: "Questo servizio calcola i prezzi di tragitti per assistenti IA. Chiede luoghi, orari e il numero di persone. Non chiede nomi, numeri di telefono o dati di pagamento, non usa cookie e le sue pagine non caricano nulla da altri server.",
  },
  why: { en: "Why, and on which basis", de: "Wozu, und auf welcher Grundlage", fr: "Pourquoi, et sur quelle base", it: "Perché, e su quale base" },
  purpose: { en: "Purpose", de: "Zweck", fr: "Finalité", it: "Scopo" },
  basis: { en: "Legal basis", de: "Rechtsgrundlage", fr: "Base légale", it: "Base giuridica" },
  why_offer: {
    en: "To price your journey, to show you the offer, and to hand it over to booking",
    de: "Ihre Fahrt berechnen, Ihnen das Angebot zeigen und es zur Buchung weitergeben",
    fr: "Calculer votre trajet, vous montrer l’offre et la transmettre pour la réservation",
    it: "Calcolare il suo tragitto, mostrarle l’offerta e trasmetterla per la prenotazione",
  },
  basis_offer: {
    en: "steps before a contract that you have asked for: Art. 6(1)(b) GDPR, Art. 31(2)(a) of the Swiss FADP",
    de: "vorvertragliche Massnahmen auf Ihre Anfrage: Art. 6 Abs. 1 Bst. b DSGVO, Art. 31 Abs. 2 Bst. a DSG",
    fr: "mesures précontractuelles à votre demande : art. 6, par. 1, let. b RGPD, art. 31, al. 2, let. a LPD",
    it: "misure precontrattuali su sua richiesta: art. 6 par. 1 lett. b RGPD, art. 31 cpv. 2 lett. a LPD",
  },
  why_safe: {
    en: "To answer questions about a request, and to protect the service from abuse",
    de: "Fragen zu einer Anfrage beantworten und den Dienst vor Missbrauch schützen",
    fr: "Répondre aux questions sur une demande et protéger le service contre les abus",
    it: "Rispondere a domande su una richiesta e proteggere il servizio da abusi",
  },
  basis_safe: {
    en: "legitimate interest: Art. 6(1)(f) GDPR, Art. 31(1) of the Swiss FADP",
    de: "berechtigtes Interesse: Art. 6 Abs. 1 Bst. f DSGVO, Art. 31 Abs. 1 DSG",
    fr: "intérêt légitime : art. 6, par. 1, let. f RGPD, art. 31, al. 1 LPD",
    it: "interesse legittimo: art. 6 par. 1 lett. f RGPD, art. 31 cpv. 1 LPD",
  },

  kept: { en: "What is kept", de: "Was gespeichert wird", fr: "Ce qui est conservé", it: "Che cosa viene conservato" },
  data: { en: "Data", de: "Daten", fr: "Données", it: "Dati" },
  where: { en: "Where", de: "Wo", fr: "Où", it: "Dove" },
  how_long: { en: "How long", de: "Wie lange", fr: "Combien de temps", it: "Per quanto tempo" },

  who: { en: "Who receives it", de: "Wer sie erhält", fr: "Qui les reçoit", it: "Chi li riceve" },
  to_operator: {
    en: "{operator}, and whoever runs this server for it.",
    de: "{operator} und wer diesen Server in dessen Auftrag betreibt.",
    fr: "{operator} et l’exploitant de ce serveur pour son compte.",
    it: "{operator} e chi gestisce questo server per suo conto.",
  },
  to_geocoder: {
    en: "A geocoder receives the texts of addresses, and nothing about the caller.",
    de: "Ein Geocoder erhält die Texte von Adressen und nichts über den Aufrufer.",
    fr: "Un géocodeur reçoit les textes des adresses, et rien sur l’appelant.",
    it: "Un geocodificatore riceve i testi degli indirizzi e nulla sul chiamante.",
  },
  to_router: {
    en: "A routing engine receives the positions of a journey, and nothing about the caller.",
    de: "Ein Routendienst erhält die Positionen einer Fahrt und nichts über den Aufrufer.",
    fr: "Un moteur d’itinéraires reçoit les positions d’un trajet, et rien sur l’appelant.",
    it: "Un servizio di itinerari riceve le posizioni di un tragitto e nulla sul chiamante.",
  },
  to_events: {
    en: "When a checkout link is created or opened, the operator’s own systems receive the journey that it shows.",
    de: "Wird ein Buchungslink erstellt oder geöffnet, so erhalten die eigenen Systeme des Transportunternehmens die Fahrt, die er zeigt.",
    fr: "Lorsqu’un lien de réservation est créé ou ouvert, les systèmes de l’entreprise de transport reçoivent le trajet qu’il montre.",
    it: "Quando un link di prenotazione viene creato o aperto, i sistemi dell’impresa di trasporto ricevono il tragitto che mostra.",
  },
  to_checkout: {
    en: "If you go on to booking, the operator’s checkout reads the offer from this service.",
    de: "Wenn Sie zur Buchung weitergehen, liest die Buchungsseite des Transportunternehmens das Angebot von diesem Dienst.",
    fr: "Si vous poursuivez vers la réservation, la page de réservation de l’entreprise lit l’offre auprès de ce service.",
    it: "Se prosegue con la prenotazione, la pagina di prenotazione dell’impresa legge l’offerta da questo servizio.",
  },
  to_nobody: {
    en: "Nobody else receives it. What your assistant and its provider keep of the conversation is governed by their terms.",
    de: "Sonst erhält sie niemand. Was Ihr Assistent und sein Anbieter vom Gespräch behalten, richtet sich nach deren Bedingungen.",
    fr: "Personne d’autre ne les reçoit. Ce que votre assistant et son fournisseur gardent de la conversation relève de leurs conditions.",
    it: "Nessun altro li riceve. Ciò che il suo assistente e il relativo fornitore conservano della conversazione è regolato dalle loro condizioni.",
  },

  rights: { en: "Your rights", de: "Ihre Rechte", fr: "Vos droits", it: "I suoi diritti" },
  rights_list: {
    en: "You may ask for access to your data, a copy of them, their correction or deletion, have their processing restricted, or object to it. Name the reference of your offer or the link: nothing else here says whose journey it is. Journeys are deleted by themselves within two days.",
    de: "Sie können Auskunft über Ihre Daten, eine Kopie, deren Berichtigung oder Löschung verlangen, die Bearbeitung einschränken lassen oder ihr widersprechen. Nennen Sie die Referenz Ihres Angebots oder den Link: Nichts anderes hier sagt, wessen Fahrt es ist. Fahrten werden innerhalb von zwei Tagen von selbst gelöscht.",
    fr: "Vous pouvez demander l’accès à vos données, une copie, leur rectification ou leur effacement, faire limiter leur traitement ou vous y opposer. Indiquez la référence de votre offre ou le lien : rien d’autre ici ne dit à qui est le trajet. Les trajets sont effacés d’eux-mêmes en moins de deux jours.",
    it: "Può chiedere di accedere ai suoi dati, riceverne una copia, farli rettificare o cancellare, farne limitare il trattamento oppure opporvisi. Indichi il riferimento dell’offerta o il link: nient’altro qui dice di chi è il tragitto. I tragitti vengono cancellati da soli entro due giorni.",
  },
  rights_complaint: {
    en: "You may complain to an authority: in Switzerland the Federal Data Protection and Information Commissioner (FDPIC), in the EU the authority where you live.",
    de: "Sie können sich bei einer Aufsichtsbehörde beschweren: in der Schweiz beim Eidgenössischen Datenschutz- und Öffentlichkeitsbeauftragten (EDÖB), in der EU bei der Behörde Ihres Wohnorts.",
    fr: "Vous pouvez vous adresser à une autorité : en Suisse le Préposé fédéral à la protection des données et à la transparence (PFPDT), dans l’UE l’autorité de votre domicile.",
    it: "Può rivolgersi a un’autorità: in Svizzera l’Incaricato federale della protezione dei dati e della trasparenza (IFPDT), nell’UE l’autorità del suo domicilio.",
  },
  responsible: { en: "Who is responsible", de: "Wer verantwortlich ist", fr: "Qui est responsable", it: "Chi è responsabile" },
  own_policy: {
    en: "How {operator} treats your data when you book",
    de: "Wie {operator} Ihre Daten bei einer Buchung behandelt",
    fr: "Comment {operator} traite vos données lors d’une réservation",
    it: "Come {operator} tratta i suoi dati in caso di prenotazione",
  },

  before: { en: "Before you ask", de: "Bevor Sie fragen", fr: "Avant de demander", it: "Prima di chiedere" },
  about: { en: "About", de: "Worum es geht", fr: "Sujet", it: "Argomento" },
  answer: { en: "Answer", de: "Antwort", fr: "Réponse", it: "Risposta" },
  reference_question: { en: "Your offer", de: "Ihr Angebot", fr: "Votre offre", it: "La sua offerta" },
  reference_answer: {
    en: "Have the reference ready that stands at the top of the page of your offer.",
    de: "Halten Sie die Referenz bereit, die oben auf der Seite Ihres Angebots steht.",
    fr: "Préparez la référence qui figure en haut de la page de votre offre.",
    it: "Tenga pronto il riferimento che si trova in alto nella pagina della sua offerta.",
  },
  link_question: { en: "A checkout link shows no offer", de: "Ein Link zeigt kein Angebot", fr: "Un lien ne montre aucune offre", it: "Un link non mostra alcuna offerta" },
  link_answer: {
    en: "Links expire 30 minutes after the quote was issued. Ask your assistant for a new one.",
    de: "Links laufen 30 Minuten nach dem Angebot ab. Bitten Sie Ihren Assistenten um einen neuen.",
    fr: "Les liens expirent 30 minutes après l’offre. Demandez-en un nouveau à votre assistant.",
    it: "I link scadono 30 minuti dopo l’offerta. Ne chieda uno nuovo al suo assistente.",
  },
  booking_question: {
    en: "A booking, payment, refund or lost property",
    de: "Eine Buchung, Zahlung, Rückerstattung oder Fundsache",
    fr: "Une réservation, un paiement, un remboursement ou un objet trouvé",
    it: "Una prenotazione, un pagamento, un rimborso o un oggetto smarrito",
  },
  booking_answer: {
    en: "Ask {operator}. This service takes no payments and stores no bookings.",
    de: "Fragen Sie {operator}. Dieser Dienst nimmt keine Zahlungen entgegen und speichert keine Buchungen.",
    fr: "Demandez à {operator}. Ce service n’encaisse aucun paiement et ne conserve aucune réservation.",
    it: "Chieda a {operator}. Questo servizio non incassa pagamenti e non conserva prenotazioni.",
  },
  call_question: { en: "For developers: a call fails", de: "Für Entwickler: ein Aufruf schlägt fehl", fr: "Pour les développeurs : un appel échoue", it: "Per sviluppatori: una chiamata fallisce" },
  call_answer: {
    en: "The problem’s code has a page of its own; give its request_id when you ask.",
    de: "Der Code des Problems hat eine eigene Seite (auf Englisch); nennen Sie die request_id, wenn Sie fragen.",
    fr: "Le code du problème a sa propre page (en anglais) ; indiquez son request_id dans votre demande.",
    it: "Il codice del problema ha una pagina propria (in inglese); indichi il request_id quando chiede.",
  },
  host_question: { en: "For developers: a host does not connect", de: "Für Entwickler: ein Host verbindet sich nicht", fr: "Pour les développeurs : un hôte ne se connecte pas", it: "Per sviluppatori: un host non si connette" },
  host_answer: {
    en: "The 401 answer names the authorization server; llms.txt has the addresses.",
    de: "Die Antwort 401 nennt den Autorisierungsserver; llms.txt hat die Adressen (auf Englisch).",
    fr: "La réponse 401 nomme le serveur d’autorisation ; llms.txt contient les adresses (en anglais).",
    it: "La risposta 401 indica il server di autorizzazione; llms.txt contiene gli indirizzi (in inglese).",
  },
} satisfies Readonly<Record<string, Words>>;

// biome-ignore format: the languages of a text stand on a line
const QUOTE_STORE: Words = { en: "the quote store", de: "Speicher der Angebote", fr: "stockage des offres", it: "archivio delle offerte" };
// biome-ignore format: the languages of a text stand on a line
const SALES_DAYS: Words = { en: "{salesDays} days", de: "{salesDays} Tage", fr: "{salesDays} jours", it: "{salesDays} giorni" };

/** Data that the service keeps about callers and travelers: what, where and for how long. */
// biome-ignore format: the languages of a text stand below each other
export const KEPT_DATA: readonly (readonly [what: Words, where: Words, howLong: Words])[] = [
  [
    {
      en: "Quotes: places and stop names as the agent sent them, times, party, luggage, prices, the subject of the access token",
      de: "Angebote: Orte und Namen von Halten, wie der Assistent sie gesendet hat, Zeiten, Reisende, Gepäck, Preise, die Kennung im Zugriffstoken",
      fr: "Offres : lieux et noms d’arrêts tels que l’assistant les a envoyés, heures, voyageurs, bagages, prix, l’identifiant du jeton d’accès",
      it: "Offerte: luoghi e nomi di fermate come li ha inviati l’assistente, orari, viaggiatori, bagagli, prezzi, l’identificativo del token di accesso",
    },
    QUOTE_STORE,
    {
      en: "24 hours past the quote's expiry",
      de: "24 Stunden nach Ablauf des Angebots",
      fr: "24 heures après l’expiration de l’offre",
      it: "24 ore dopo la scadenza dell’offerta",
    },
  ],
  [
    {
      en: "Answers under an idempotency key, with digests of key, subject and arguments",
      de: "Antworten unter einem Wiederholungsschlüssel, mit Prüfsummen von Schlüssel, Kennung und Angaben",
      fr: "Réponses sous une clé d’idempotence, avec des empreintes de la clé, de l’identifiant et des données",
      it: "Risposte sotto una chiave di idempotenza, con impronte di chiave, identificativo e dati",
    },
    QUOTE_STORE,
    { en: "24 hours", de: "24 Stunden", fr: "24 heures", it: "24 ore" },
  ],
  [
    {
      en: "Rate limits: the subject or network address, with a count",
      de: "Begrenzung der Anfragen: die Kennung oder Netzwerkadresse, mit einer Zahl",
      fr: "Limites de débit : l’identifiant ou l’adresse réseau, avec un compteur",
      it: "Limiti di richieste: l’identificativo o l’indirizzo di rete, con un conteggio",
    },
    { en: "memory or Redis", de: "Arbeitsspeicher oder Redis", fr: "mémoire vive ou Redis", it: "memoria o Redis" },
    { en: "5 minutes at most", de: "höchstens 5 Minuten", fr: "5 minutes au plus", it: "al massimo 5 minuti" },
  ],
  [
    {
      en: "Log lines: time, operation, outcome, the client's name and a keyed hash of the subject; no places, tokens or links",
      de: "Protokollzeilen: Zeit, Vorgang, Ergebnis, Name des Programms und eine verschlüsselte Prüfsumme der Kennung; keine Orte, Tokens oder Links",
      fr: "Lignes de journal : heure, opération, résultat, nom du programme et empreinte chiffrée de l’identifiant ; ni lieux, ni jetons, ni liens",
      it: "Righe di log: ora, operazione, esito, nome del programma e un’impronta cifrata dell’identificativo; né luoghi, né token, né link",
    },
    { en: "the operator's logs", de: "Protokolle des Betreibers", fr: "journaux de l’exploitant", it: "log del gestore" },
    {
      en: "as long as the operator keeps its logs",
      de: "solange der Betreiber seine Protokolle aufbewahrt",
      fr: "aussi longtemps que l’exploitant garde ses journaux",
      it: "finché il gestore conserva i suoi log",
    },
  ],
  [
    {
      en: "Calls: request id, time, operation, the client's name, outcome and quote id",
      de: "Aufrufe: Kennung der Anfrage, Zeit, Vorgang, Name des Programms, Ergebnis und Kennung des Angebots",
      fr: "Appels : identifiant de la demande, heure, opération, nom du programme, résultat et identifiant de l’offre",
      it: "Chiamate: identificativo della richiesta, ora, operazione, nome del programma, esito e identificativo dell’offerta",
    },
    QUOTE_STORE,
    { en: "{callDays} days", de: "{callDays} Tage", fr: "{callDays} jours", it: "{callDays} giorni" },
  ],
  [
    {
      en: "Refused prices: request id, time, code, the client's name, place or corridor ids; nothing about the traveler",
      de: "Abgelehnte Preisanfragen: Kennung der Anfrage, Zeit, Code, Name des Programms, Kennungen von Orten oder Strecken; nichts über die Reisenden",
      fr: "Demandes de prix refusées : identifiant de la demande, heure, code, nom du programme, identifiants de lieux ou de trajets ; rien sur les voyageurs",
      it: "Richieste di prezzo rifiutate: identificativo della richiesta, ora, codice, nome del programma, identificativi di luoghi o tragitti; nulla sui viaggiatori",
    },
    QUOTE_STORE,
    SALES_DAYS,
  ],
  [
    {
      en: "Sales figures: place or corridor ids, kilometers, vehicle class, total and outcome; nothing about the traveler",
      de: "Verkaufszahlen: Kennungen von Orten oder Strecken, Kilometer, Fahrzeugklasse, Betrag und Ergebnis; nichts über die Reisenden",
      fr: "Chiffres de vente : identifiants de lieux ou de trajets, kilomètres, catégorie de véhicule, montant et résultat ; rien sur les voyageurs",
      it: "Dati di vendita: identificativi di luoghi o tragitti, chilometri, classe di veicolo, importo ed esito; nulla sui viaggiatori",
    },
    QUOTE_STORE,
    SALES_DAYS,
  ],
];

/** A text in a language, with its values filled in. */
export function worded(
  words: Words,
  language: PageLanguage,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return words[language].replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}
