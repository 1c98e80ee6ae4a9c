/** The words of the quote card in Italian. */
export const texts = {
  pricing: "Calcolo del prezzo …",
  estimate: "Stima, non un prezzo fisso",
  estimate_rest: "Per un prezzo fisso, chieda un’offerta al suo assistente.",
  fixed_until: "prezzo fisso fino alle {time}",
  passengers: { one: "{count} persona", other: "{count} persone" },
  offer: "Veicoli e prezzi",
  way: "{km} km, {time}",
  room: { one: "{count} bagaglio", other: "{count} bagagli" },
  more: { one: "{count} altro veicolo", other: "{count} altri veicoli" },
  full: "Schermo intero",
  choose: "Scegli",
  choose_named: "Scegli: {vehicle}, {price}",
  manual: "Da confermare dal vettore",
  no_options: "Non c’è un veicolo per questo viaggio.",

  approval_title: "Accetta questo veicolo e questo prezzo?",
  approval_text:
    "Il suo sì crea un link per l’ordine. Nulla viene prenotato né addebitato: verifica il viaggio e paga sulla pagina del vettore.",
  approve: "Sì, accetto {price}",
  approving: "Creazione del link …",
  retry: "Riprova",
  back: "Indietro",

  handoff_title: "Il suo link per l’ordine",
  opening: "Apertura della pagina dell’ordine …",
  opened: "La pagina dell’ordine si apre nel suo browser. Altrimenti copi il link.",
  not_opened: "La sua app non ha aperto il link. Lo copi nel suo browser.",
  link: "Link per l’ordine",
  copy: "Copia",
  copied: "Copiato",
  open: "Vai all’ordine",
  other: "Altro veicolo",

  failed_title: "Nessun prezzo per questa richiesta",
  failed_text: "Il suo assistente conosce il motivo e può modificare la richiesta.",
  expired_text:
    "Il suo prezzo non è più valido; nulla è stato prenotato o addebitato. Chieda una nuova offerta al suo assistente.",
  canceled_title: "La richiesta è stata annullata",
  canceled_text: "Chieda di nuovo un prezzo al suo assistente.",
  not_connected_title: "Nessuna connessione",
  not_connected_text: "Questa scheda mostra un’offerta nell’app di un assistente. Non è collegata a nessuna.",
  unreadable_title: "Non c’è un’offerta da mostrare",
  unreadable_text: "Il prezzo è nella risposta del suo assistente.",

  refused_manual: "Il vettore deve prima confermare questo viaggio. Le note dell’offerta dicono chi chiamare.",
  refused_access: "La sua app non è autorizzata agli ordini. Acceda di nuovo o chieda il link al suo assistente.",
  refused_wrong: "Questa offerta non è più nota. Ne chieda una nuova al suo assistente.",
  refused_busy: "Troppe richieste al momento. Attenda un po’, poi riprovi.",
  refused_unavailable: "Il servizio non risponde al momento. Riprovi tra poco.",
  refused_host:
    "La sua app non permette a questa scheda di creare il link. Dica al suo assistente che accetta {vehicle} per {price}.",
};
