/** The words of the quote card in French. */
export const texts = {
  pricing: "Calcul du prix …",
  estimate: "Estimation, sans prix ferme",
  estimate_rest: "Pour un prix ferme, demandez une offre à votre assistant.",
  fixed_until: "prix ferme jusqu’à {time}",
  passengers: { one: "{count} personne", other: "{count} personnes" },
  offer: "Véhicules et prix",
  way: "{km} km, {time}",
  room: { one: "{count} bagage", other: "{count} bagages" },
  more: { one: "{count} autre véhicule", other: "{count} autres véhicules" },
  full: "Plein écran",
  choose: "Choisir",
  choose_named: "Choisir : {vehicle}, {price}",
  manual: "À confirmer par le transporteur",
  no_options: "Il n’y a pas de véhicule pour ce trajet.",

  approval_title: "Acceptez-vous ce véhicule et ce prix ?",
  approval_text:
    "Votre oui crée un lien de commande. Rien n’est réservé ni débité : vous vérifiez le trajet et payez sur la page du transporteur.",
  approve: "Oui, j’accepte {price}",
  approving: "Création du lien …",
  retry: "Réessayer",
  back: "Retour",

  handoff_title: "Votre lien de commande",
  opening: "Ouverture de la page de commande …",
  opened: "La page de commande s’ouvre dans votre navigateur. Sinon, copiez le lien.",
  not_opened: "Votre application n’a pas ouvert le lien. Copiez-le dans votre navigateur.",
  link: "Lien de commande",
  copy: "Copier",
  copied: "Copié",
  open: "Commander",
  other: "Autre véhicule",

  failed_title: "Pas de prix pour cette demande",
  failed_text: "Votre assistant en connaît la raison et peut modifier la demande.",
  expired_text:
    "Son prix n’est plus valable ; rien n’a été réservé ni débité. Demandez une nouvelle offre à votre assistant.",
  canceled_title: "La demande a été annulée",
  canceled_text: "Redemandez un prix à votre assistant.",
  not_connected_title: "Pas de connexion",
  not_connected_text: "Cette carte montre une offre dans l’application d’un assistant. Elle n’est reliée à aucune.",
  unreadable_title: "Il n’y a pas d’offre à montrer",
  unreadable_text: "Le prix figure dans la réponse de votre assistant.",

  refused_manual: "Le transporteur doit d’abord confirmer ce trajet. Les remarques de l’offre indiquent qui appeler.",
  refused_access:
    "Votre application n’est pas autorisée à commander. Reconnectez-vous ou demandez le lien à votre assistant.",
  refused_wrong: "Cette offre n’est plus connue. Demandez-en une nouvelle à votre assistant.",
  refused_busy: "Trop de demandes en ce moment. Attendez un peu, puis réessayez.",
  refused_unavailable: "Le service ne répond pas en ce moment. Réessayez dans un instant.",
  refused_host:
    "Votre application ne permet pas à cette carte de créer le lien. Dites à votre assistant que vous acceptez {vehicle} pour {price}.",
};
