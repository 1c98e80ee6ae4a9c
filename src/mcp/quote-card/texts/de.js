/** The words of the quote card in German. */
export const texts = {
  pricing: "Der Preis wird berechnet …",
  estimate: "Schätzung, kein fester Preis",
  estimate_rest: "Für einen festen Preis bitten Sie Ihren Assistenten um ein Angebot.",
  fixed_until: "Preis fest bis {time}",
  passengers: { one: "{count} Person", other: "{count} Personen" },
  offer: "Fahrzeuge und Preise",
  way: "{km} km, {time}",
  room: { one: "{count} Gepäckstück", other: "{count} Gepäckstücke" },
  more: { one: "{count} weiteres Fahrzeug", other: "{count} weitere Fahrzeuge" },
  full: "Ganzer Bildschirm",
  choose: "Wählen",
  choose_named: "Wählen: {vehicle}, {price}",
  manual: "Anbieter muss bestätigen",
  no_options: "Für diese Fahrt gibt es kein Fahrzeug.",

  approval_title: "Sind Sie mit Fahrzeug und Preis einverstanden?",
  approval_text:
    "Ihr Ja erstellt einen Link zur Buchung. Damit ist nichts gebucht und nichts belastet: Sie prüfen die Fahrt und zahlen auf der Seite des Anbieters.",
  approve: "Ja, einverstanden mit {price}",
  approving: "Der Link wird erstellt …",
  retry: "Noch einmal",
  back: "Zurück",

  handoff_title: "Ihr Link zur Buchung",
  opening: "Die Seite zur Buchung wird geöffnet …",
  opened: "Die Seite zur Buchung öffnet sich in Ihrem Browser. Sonst kopieren Sie den Link.",
  not_opened: "Ihre App hat den Link nicht geöffnet. Kopieren Sie ihn in Ihren Browser.",
  link: "Link zur Buchung",
  copy: "Kopieren",
  copied: "Kopiert",
  open: "Zur Buchung",
  other: "Anderes Fahrzeug",

  failed_title: "Kein Preis für diese Anfrage",
  failed_text: "Ihr Assistent kennt den Grund und kann die Anfrage ändern.",
  expired_text:
    "Ihr Preis gilt nicht mehr; gebucht oder belastet wurde nichts. Bitten Sie Ihren Assistenten um ein neues Angebot.",
  canceled_title: "Die Anfrage wurde abgebrochen",
  canceled_text: "Bitten Sie Ihren Assistenten noch einmal um einen Preis.",
  not_connected_title: "Nicht verbunden",
  not_connected_text: "Diese Karte zeigt ein Angebot in der App eines Assistenten. Sie ist mit keiner verbunden.",
  unreadable_title: "Es gibt kein Angebot zu zeigen",
  unreadable_text: "Der Preis steht in der Antwort Ihres Assistenten.",

  refused_manual: "Der Anbieter muss diese Fahrt zuerst bestätigen. Wen Sie anrufen, steht beim Angebot.",
  refused_access:
    "Ihre App ist für Buchungen nicht angemeldet. Melden Sie sich neu an oder bitten Sie Ihren Assistenten um den Link.",
  refused_wrong: "Dieses Angebot ist nicht mehr bekannt. Bitten Sie Ihren Assistenten um ein neues.",
  refused_busy: "Zurzeit gibt es zu viele Anfragen. Warten Sie kurz und versuchen Sie es noch einmal.",
  refused_unavailable: "Der Dienst antwortet zurzeit nicht. Versuchen Sie es gleich noch einmal.",
  refused_host:
    "Ihre App lässt diese Karte den Link nicht erstellen. Sagen Sie Ihrem Assistenten, dass Sie mit {vehicle} für {price} einverstanden sind.",
};
