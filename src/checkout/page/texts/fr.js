/** The words of the traveler's page in French, as written in Switzerland. */
export const texts = {
  title: "Votre transfert",
  offer_title: "Véhicule et prix",
  vehicle: "Véhicule",
  seats: "Jusqu’à {count} places",
  total_price: "Prix total",
  price_note: "TVA comprise",
  price_both_ways: "aller et retour, TVA comprise",
  details_title: "Détails",
  short_reference: "Référence {id}",
  copy: "Copier le texte pour votre assistant",
  copied: "Copié",
  mail_body: "Bonjour, je souhaite réserver cette offre :",
  again:
    "Demande une nouvelle offre pour ce transfert : {stops}, prise en charge {time}, voyageurs : {passengers}, bagages : {luggage}.",
  continue: "Continuer vers la réservation et le paiement",
  call: "Appeler le {phone}",
  write: "Écrire un e-mail",
  mail_subject: "Transfert {origin} – {destination}, {date} ({id})",
  calendar: "Ajouter au calendrier",
  calendar_transfer: "Transfert {origin} – {destination} (offre, rien n’est réservé)",
  calendar_hire: "Location avec chauffeur, {origin} (offre, rien n’est réservé)",
  meeting_point: "Point de rencontre",
  calendar_note:
    "Ceci est une offre et non une réservation : aucun véhicule n’est retenu avant que vous ayez réservé et payé. Le prix est valable jusqu’au {time}.",
  time_left: "Temps restant",
  until: "jusqu’à {time}",
  swiss_time: "{time}, heure suisse ({zone})",
  journey_title: "Trajet",
  from: "De",
  via: "Par",
  to: "À",
  pickup: "Prise en charge ",
  return: "Retour",
  passengers: "Voyageurs",
  drop_off: "La voiture s’arrête ici : {place}. Ensuite :",
  included_title: "Compris dans le prix",
  notes_title: "Bon à savoir",
  underlined: "Les mots soulignés",
  underlined_rest: "sont tels que votre assistant les a écrits ; le transporteur ne les a pas vérifiés.",
  map: "Carte de l’itinéraire : {origin} – {destination}",
  next_title: "Et ensuite",
  nothing_booked: "Rien n’est encore réservé.",
  nothing_booked_rest: "Vous voyez un prix : aucun véhicule n’est retenu et rien n’est débité.",
  book_online: "Réservez et payez auprès de {operator}.",
  book_online_rest: "Le bouton mène à la page du transporteur : vous y vérifiez le trajet et payez.",
  book_call: "Appelez ou écrivez pour réserver : {operator}.",
  book_call_rest:
    "Rien n’est payé sur cette page. Gardez-la ouverte pendant l’appel : le prix est valable pour le temps restant.",
  availability: "La disponibilité est confirmée à la réservation.",
  availability_rest: "D’ici là, le prix est valable pendant le temps restant.",
  changed_mind: "Vous avez changé d’avis ? Fermez cette page : l’offre expire d’elle-même et ne coûte rien.",
  terms: "Conditions générales",
  vat: "N° TVA {number}",

  reading: "Lecture de votre lien …",
  shown: "L’offre que votre assistant vous a montrée.",
  last_minutes: "Cette offre expire dans moins de 5 minutes.",
  last_minute: "Cette offre expire dans moins d’une minute.",
  retry: "Réessayer",
  retry_wait: "Réessayer dans {seconds} s",
  reference: "Référence pour l’assistance : {id}",
  expired_title: "Cette offre a expiré",
  expired_text:
    "Son prix n’est plus valable. Demandez une nouvelle offre à votre assistant et ouvrez le nouveau lien. Rien n’a été réservé ni débité ici.",
  wrong_title: "Ce lien est erroné ou incomplet",
  wrong_text: "Ouvrez-le exactement tel que vous l’avez reçu, en entier, ou demandez à votre assistant de le renvoyer.",
  busy_title: "Trop de demandes",
  busy_text:
    "Le service reçoit trop de demandes en ce moment. Votre lien reste valable : attendez un peu, puis réessayez.",
  unavailable_title: "Le service ne répond pas en ce moment",
  unavailable_text: "Cela n’a rien à voir avec votre lien. Réessayez dans un instant.",
  offline_title: "Pas de connexion",
  offline_text:
    "Vous êtes hors ligne ou le service est injoignable. Vérifiez votre connexion internet, puis réessayez.",

  arrival: "Arrivée ",
  adults: { one: "{count} adulte", other: "{count} adultes" },
  children: { one: "{count} enfant", other: "{count} enfants" },
  infants: { one: "{count} bébé", other: "{count} bébés" },
  luggage: "Bagages",
  pieces: { one: "{count} bagage", other: "{count} bagages" },
  pieces_large: { one: "{count} bagage, dont grands : {large}", other: "{count} bagages, dont grands : {large}" },
  flight: "Vol",
  special_items: "Bagages spéciaux et sièges pour enfants",
  waiting: "Attente à la prise en charge",
  hire: "Mise à disposition ",
  drive: "Parcours",
  return_drive: "Parcours du retour",
  drive_text: "{km} km, {time} sans arrêts",
  cancellation: "Annulation",
  return_cancellation: "Annulation du retour",
  free_until: "Gratuite jusqu’au {time}",
  no_longer_free: "N’est plus gratuite",
  conditions: "Conditions",

  total_outbound: "Total aller",
  total_return: "Total retour",
  line_outbound: "Aller : {line}",
  line_return: "Retour : {line}",
  line_transfer: "Transfert {count} km",
  line_minimum: "Transfert {count} km, prix minimum",
  line_hire: "Mise à disposition {count} h",
  line_extra: "{count} km supplémentaires",
  line_waiting: "Attente {time}",
  line_night: "Supplément de nuit",
  line_holidays: "Supplément jour férié",
  line_return_discount: "Rabais pour le retour",
  line_same_day: "Rabais pour retour le même jour",
  line_train: "Train-auto",
  line_tolls: "Péages",
  line_rounding: "Arrondi",

  item_skis: { one: "paire de skis", other: "paires de skis" },
  item_snowboard: { one: "planche à neige", other: "planches à neige" },
  item_golf_bag: { one: "sac de golf", other: "sacs de golf" },
  item_bicycle: { one: "vélo", other: "vélos" },
  item_wheelchair: { one: "fauteuil roulant pliable", other: "fauteuils roulants pliables" },
  item_stroller: { one: "poussette pliée", other: "poussettes pliées" },
  item_child_seat: { one: "siège pour enfant", other: "sièges pour enfants" },
  item_pet: { one: "animal en caisse de transport", other: "animaux en caisse de transport" },
  item_musical_instrument: { one: "instrument de musique", other: "instruments de musique" },

  included_fees: "les péages et les trains-autos",
  included_night: "le supplément de nuit",
  included_holidays: "le supplément jour férié",
  included_seasons: "les suppléments de saison",
};

export const notices = {
  REHEARSAL: "Essai : pour « {name} », l’environnement de test applique le prix de {place}. Aucune voiture ne viendra.",
  PLACED_AT: "« {text} » a été situé ici : {place}.",
  PLACED_AT_TOWN: "« {text} » a été situé ici : {place} ; l’adresse exacte est convenue avec le chauffeur.",
  TERMINAL_UNKNOWN:
    "« {text} » : ce service ne connaît pas les terminaux ({place}). Convenez avec le chauffeur duquel il s’agit.",
  CAR_FREE:
    "{place} est sans voitures. La voiture s’arrête ici : {stop} ; l’heure d’arrivée est celle de cet endroit. {onward}",
  CAR_FREE_STOP: "{place} est sans voitures. La voiture s’arrête ici : {stop}. {onward}",
  CAR_FREE_PICKUP: "{place} est sans voitures. Lieu de prise en charge : {stop}. Soyez-y à l’heure convenue. {onward}",
  PARTY_DIFFERS:
    "Les adultes, les enfants et les bébés sont {people} en tout, mais le nombre de passagers indiqué est {passengers} ; les véhicules ont de la place pour {seats}.",
  ASSUMED_PASSENGERS: "Le nombre de passagers n’a pas été indiqué : le prix est valable pour {passengers}.",
  ASSUMED_LUGGAGE: "Aucun bagage n’a été indiqué : le prix est valable pour un trajet sans bagages.",
  STOPS_WITHOUT_STAY:
    "Pour {count} {count|arrêt|arrêts}, aucune durée n’a été indiquée : les horaires et le prix n’y prévoient pas d’attente.",
  LARGE_LUGGAGE: "Sur {luggage} {luggage|bagage|bagages}, le nombre de grands est limité à {limits}.",
  NO_ROOM_LUGGAGE: "Non proposé : {classes}. Il n’y a pas de place pour {luggage} {luggage|bagage|bagages}.",
  NO_ROOM_LARGE: "Non proposé : {classes}. Il n’y a pas de place pour {large} {large|grand bagage|grands bagages}.",
  NO_ROOM_ITEMS: "Non proposé : {classes}. Pas de place pour : {items}.",
  SPECIAL_ITEM: "{items} : {text}",
  CHILD_SEATS:
    "Pour {children} {children|enfant|enfants}, {ordered} {ordered|siège est commandé|sièges sont commandés}. Commandez-en un pour chaque enfant qui en a besoin, ou apportez les vôtres.",
  NO_CHILD_SEATS:
    "Aucun siège n’est commandé pour {children} {children|enfant|enfants}. Commandez-en un pour chaque enfant qui en a besoin, ou apportez les vôtres.",
  PICKUP_LOCAL_TIME:
    "La prise en charge est prévue le {date date} à {time}, heure locale ; l’heure transmise était {sent}.",
  RETURN_LOCAL_TIME: "Le retour est prévu le {date date} à {time}, heure locale ; l’heure transmise était {sent}.",
  RETURN_PICKUP_IN:
    "Lieu de prise en charge du retour : {place}. Prenez la même correspondance depuis {from} et soyez-y à l’heure du retour.",
  RETURN_ENDS_AT: "Le retour se termine ici : {place} ; son heure d’arrivée est celle de cet endroit.",
  AIRPORT_PICKUP: "Prise en charge à l’aéroport ({place}) : l’attente gratuite commence à l’atterrissage.",
  RETURN_AIRPORT_PICKUP:
    "Prise en charge du retour à l’aéroport ({place}) : l’attente gratuite commence à l’atterrissage. Indiquez le numéro de ce vol à la réservation.",
  MEETING_POINT: "Point de rencontre ({place}) : {text}",
  RETURN_MEETING_POINT: "Point de rencontre pour le retour ({place}) : {text}",
  CORRIDOR_TEXT: "{text}",
  FLIGHT_NUMBER: "Indiquez le numéro de vol à la réservation.",
  ARRIVE_BY:
    "C’est la dernière prise en charge avec laquelle la voiture est à destination ({place}) le {date date} à {time}. Elle ne laisse aucune marge pour la circulation ou l’enregistrement.",
  ARRIVE_BY_TRAIN: "Pour arriver à temps, la voiture doit prendre ce train-autos : {name}.",
  FREE_CANCELLATION_ENDED:
    "L’annulation n’est plus gratuite : elle l’était jusqu’à {hours} h avant la prise en charge.",
  OUTBOUND_FREE_CANCELLATION_ENDED:
    "L’annulation de l’aller n’est plus gratuite : elle l’était jusqu’à {hours} h avant sa prise en charge.",
  RETURN_FREE_CANCELLATION_ENDED:
    "L’annulation du retour n’est plus gratuite : elle l’était jusqu’à {hours} h avant sa prise en charge.",
  LEGS_CANCELED_SEPARATELY: "L’aller et le retour peuvent être annulés séparément.",
  LEGS_CANCELED_TOGETHER:
    "L’aller et le retour ne peuvent être annulés qu’ensemble, gratuitement jusqu’à {hours} h avant la prise en charge de l’aller.",
  CLASS_BOOKABLE:
    "{vehicle} n’est pas proposé : réservable pour une prise en charge entre {from instant} et {to instant}.",
  NOT_SOLD: "Pas proposé à ce moment : {classes}. {reason}",
  RETURN_INCLUDED:
    "Le prix comprend le retour de {km} km sans arrêt. C’est un trajet à part : la voiture n’attend pas jusque-là.",
  HIRE: "Mise à disposition de {hours} h avec {km} km compris ; la voiture et le chauffeur restent avec vous.",
  HIRE_EXTENDED:
    "Mise à disposition de {hours} h avec {km} km compris ; la voiture et le chauffeur restent avec vous. Le trajet dure plus de {requested} h ; {hours} h sont donc facturées.",
  HIRE_EXTENDED_BACK:
    "Mise à disposition de {hours} h, {km} km compris ; la voiture et le chauffeur restent avec vous. Avec le trajet de retour, le voyage dure plus de {requested} h : {hours} h sont donc facturées.",
  HIRE_RETURNS: "La mise à disposition se termine là où elle commence : {place}.",
  HIRE_ENDS_AT:
    "La mise à disposition se termine ici : {place}. La voiture ne vous ramène pas au point de départ ({origin}).",
  HIRE_NO_WAY_BACK: "{hours} h ne suffisent pas pour revenir aussi au point de départ ({origin}).",
  HIRE_ROUNDED: "Toute heure entamée est facturée : {requested} h coûtent autant que {hours} h.",
  HIRE_OVERTIME:
    "Chaque heure supplémentaire entamée coûte {hour_prices} ; chaque kilomètre supplémentaire coûte {km_prices}.",
  HIRE_NIGHT_SURCHARGE: "Supplément de nuit de {percent} % sur {hours} des {of_hours} h, de {from} à {to}.",
  HIRE_HOLIDAY_SURCHARGE: "Supplément jour férié de {percent} % sur {hours} des {of_hours} h ({holiday}).",
  HIRE_SEASON: "{season} : {percent} % sur {hours} des {of_hours} h.",
  FIXED_FARE: "{fare} ({classes}) comprend : {includes parts}{free_min duration} d’attente à la prise en charge.",
  OUTBOUND_FIXED_FARE:
    "Aller : {fare} ({classes}) comprend : {includes parts}{free_min duration} d’attente à la prise en charge.",
  RETURN_FIXED_FARE:
    "Retour : {fare} ({classes}) comprend : {includes parts}{free_min duration} d’attente à la prise en charge.",
  WAITING:
    "L’attente à la prise en charge est gratuite pendant {free_min duration} ; ensuite, chaque tranche commencée de {step_min} min coûte {prices}.",
  WAITING_EACH:
    "L’attente est gratuite pendant {free_min duration} à chaque prise en charge ; ensuite, chaque tranche commencée de {step_min} min coûte {prices}.",
  WAITING_RETURN:
    "L’attente est gratuite pendant {free_min duration} à la prise en charge de l’aller et pendant {return_free_min duration} à celle du retour ; ensuite, chaque tranche commencée de {step_min} min coûte {prices}.",
  DRIVER_WAITS:
    "Le chauffeur attend aux arrêts, {minutes duration} en tout ; les {free_min duration} premières sont gratuites à chaque arrêt.",
  ROUND_TRIP_WAITS:
    "Le chauffeur attend aux arrêts, {minutes duration} en tout ; les {free_min duration} premières sont gratuites à chaque arrêt. Un circuit ne coûte pas plus qu’une mise à disposition de la même durée.",
  NIGHT_SURCHARGE: "Supplément de nuit de {percent} % sur le prix de la course, de {from} à {to}.",
  OUTBOUND_NIGHT_SURCHARGE: "Aller : supplément de nuit de {percent} % sur le prix de la course, de {from} à {to}.",
  RETURN_NIGHT_SURCHARGE: "Retour : supplément de nuit de {percent} % sur le prix de la course, de {from} à {to}.",
  NIGHT_SUPPLEMENT: "Supplément de nuit de {supplement}, de {from} à {to}.",
  VAT_INCLUDED: "Le prix comprend {percent} % de TVA : {amounts}.",
  VAT_NOT_SPLIT:
    "Le prix comprend les taxes ; le trajet franchit une frontière, la TVA n’est donc pas indiquée séparément.",
  SEASON: "{season} : {percent} % du prix de la course.",
  OUTBOUND_SEASON: "Aller : {season} : {percent} % du prix de la course.",
  RETURN_SEASON: "Retour : {season} : {percent} % du prix de la course.",
  HOLIDAY_SURCHARGE: "Supplément jour férié de {percent} % sur le prix de la course ({holiday}).",
  OUTBOUND_HOLIDAY_SURCHARGE: "Aller : supplément jour férié de {percent} % sur le prix de la course ({holiday}).",
  RETURN_HOLIDAY_SURCHARGE: "Retour : supplément jour férié de {percent} % sur le prix de la course ({holiday}).",
  CAR_TRAIN:
    "Le train-auto ({name}) est compris : prévoyez {wait_min duration} d’attente et {ride_min duration} de trajet.",
  TRAIN_AVOIDED:
    "Le train-auto ({name}) ne circule pas à temps pour cette prise en charge : l’itinéraire le contourne, ce qui prend plus de temps.",
  TOLL: "Le péage est compris : {name}.",
  MOTORWAY_TOLLS: "Les péages d’autoroute sont compris.",
  PASS_AVOIDED:
    "{name} : fermeture habituelle du {from day} au {to day} ; dans les trois semaines autour de ce changement, l’itinéraire l’évite. En cas d’ouverture, le trajet peut être plus court.",
  TOWN_STRAIGHT_LINE: "La distance dans la localité de {from} à {to} est estimée à {km} km, à vol d’oiseau.",
  TOWN_EXTENT: "La distance dans la localité de {from} à {to} est estimée à {km} km, selon l’étendue de la localité.",
  ROAD_CLOSED: "{place} se trouve sur une route fermée à ce moment : {name}.",
  OFF_THE_ROADS: "{place} se trouve à {km} km de la route la plus proche que ce service connaît.",
  LONG_DETOUR: "L’itinéraire de {from} à {to} est {times} fois plus long que la ligne droite.",
  TRAIN_BY_ARRANGEMENT: "Sans horaire, seulement sur demande : {name}.",
  PASS_UNCERTAIN:
    "{name} : fermeture habituelle du {from day} au {to day} ; la prise en charge a lieu à moins de trois semaines de ce changement.",
  PASS_CLOSED: "{name} : fermeture du {from day} au {to day}.",
  ROADS_UNCHECKED: "Les cols fermés, les péages et les trains-autos de ce trajet n’ont pas pu être vérifiés.",
  MAY_CROSS_CLOSED_PASS: "L’itinéraire mesuré passe peut-être par un col fermé.",
  MAY_TAKE_IDLE_TRAIN: "L’itinéraire mesuré emprunte peut-être un train-auto qui ne circule pas alors : {name}.",
  MAY_MISS_NAMED_ROAD: "L’itinéraire mesuré n’est peut-être pas celui du train-auto ou du péage indiqué.",
  MAY_MISS_TOLLS: "L’itinéraire mesuré n’est peut-être pas celui dont les péages sont compris dans le prix.",
  ON_REQUEST:
    "Sur demande : {classes}. {operator} ({phone}, {email}) doit confirmer avant la réservation.{reason also}",
  MANUAL_CONFIRMATION: "{operator} ({phone}, {email}) doit confirmer ce trajet avant la réservation.",
};
