/** The words of the traveler's page in German, as written in Switzerland. */
export const texts = {
  title: "Ihr Transfer",
  offer_title: "Fahrzeug und Preis",
  vehicle: "Fahrzeug",
  seats: "Bis zu {count} Plätze",
  total_price: "Gesamtpreis",
  price_note: "inklusive MWST",
  price_both_ways: "Hin- und Rückfahrt, inklusive MWST",
  details_title: "Einzelheiten",
  short_reference: "Referenz {id}",
  copy: "Text für Ihren Assistenten kopieren",
  copied: "Kopiert",
  mail_body: "Guten Tag, ich möchte dieses Angebot buchen:",
  again:
    "Bitte hole mir ein neues Angebot für diesen Transfer: {stops}, Abholung am {time}, Reisende: {passengers}, Gepäckstücke: {luggage}.",
  continue: "Weiter zu Buchung und Zahlung",
  call: "{phone} anrufen",
  write: "E-Mail schreiben",
  mail_subject: "Transfer {origin} – {destination}, {date} ({id})",
  calendar: "In den Kalender eintragen",
  calendar_transfer: "Transfer {origin} – {destination} (Angebot, nicht gebucht)",
  calendar_hire: "Miete mit Fahrer, {origin} (Angebot, nicht gebucht)",
  meeting_point: "Treffpunkt",
  calendar_note:
    "Dies ist ein Angebot und keine Buchung: Bis Sie gebucht und bezahlt haben, ist kein Fahrzeug reserviert. Der Preis gilt bis {time}.",
  time_left: "Verbleibende Zeit",
  until: "bis {time}",
  swiss_time: "{time} Uhr Schweizer Zeit ({zone})",
  journey_title: "Fahrt",
  from: "Von",
  via: "Über",
  to: "Nach",
  pickup: "Abholung",
  return: "Rückfahrt",
  passengers: "Reisende",
  drop_off: "Das Auto hält hier: {place}. Danach:",
  included_title: "Im Preis inbegriffen",
  notes_title: "Gut zu wissen",
  underlined: "Unterstrichene",
  underlined_rest:
    "Wörter stehen so da, wie Ihr Assistent sie geschrieben hat; das Transportunternehmen hat sie nicht geprüft.",
  map: "Karte der Strecke: {origin} nach {destination}",
  next_title: "Wie es weitergeht",
  nothing_booked: "Noch ist nichts gebucht.",
  nothing_booked_rest: "Sie sehen einen Preis: Es ist kein Fahrzeug reserviert und nichts wird belastet.",
  book_online: "Buchen und bezahlen bei {operator}.",
  book_online_rest:
    "Die Schaltfläche führt zur Seite des Transportunternehmens: Dort prüfen Sie die Fahrt und bezahlen.",
  book_call: "Zum Buchen anrufen oder schreiben: {operator}.",
  book_call_rest:
    "Auf dieser Seite wird nichts bezahlt. Lassen Sie sie beim Anruf offen: Der Preis gilt für die verbleibende Zeit.",
  availability: "Die Verfügbarkeit wird bei der Buchung bestätigt.",
  availability_rest: "Bis dahin gilt der Preis für die verbleibende Zeit.",
  changed_mind: "Anders überlegt? Schliessen Sie diese Seite: Das Angebot läuft von selbst ab und kostet nichts.",
  terms: "Allgemeine Geschäftsbedingungen",
  vat: "MWST-Nr. {number}",

  reading: "Ihr Link wird gelesen …",
  shown: "Das Angebot, das Ihr Assistent Ihnen gezeigt hat.",
  last_minutes: "Dieses Angebot läuft in weniger als 5 Minuten ab.",
  last_minute: "Dieses Angebot läuft in weniger als einer Minute ab.",
  retry: "Erneut versuchen",
  retry_wait: "Erneut versuchen in {seconds} s",
  reference: "Referenz für Rückfragen: {id}",
  expired_title: "Dieses Angebot ist abgelaufen",
  expired_text:
    "Der Preis gilt nicht mehr. Bitten Sie Ihren Assistenten um ein neues Angebot und öffnen Sie den neuen Link. Hier wurde nichts gebucht oder belastet.",
  wrong_title: "Dieser Link ist falsch oder unvollständig",
  wrong_text:
    "Öffnen Sie ihn genau so und vollständig, wie Sie ihn erhalten haben, oder lassen Sie ihn sich von Ihrem Assistenten nochmals senden.",
  busy_title: "Zu viele Anfragen",
  busy_text:
    "Der Dienst wird im Moment zu oft angefragt. Ihr Link ist weiterhin gültig: Warten Sie etwas und versuchen Sie es erneut.",
  unavailable_title: "Der Dienst antwortet im Moment nicht",
  unavailable_text: "Das hat nichts mit Ihrem Link zu tun. Versuchen Sie es gleich noch einmal.",
  offline_title: "Keine Verbindung",
  offline_text:
    "Sie sind offline oder der Dienst ist nicht erreichbar. Prüfen Sie Ihre Internetverbindung und versuchen Sie es erneut.",

  arrival: "Ankunft",
  adults: { one: "{count} Erwachsener", other: "{count} Erwachsene" },
  children: { one: "{count} Kind", other: "{count} Kinder" },
  infants: { one: "{count} Kleinkind", other: "{count} Kleinkinder" },
  luggage: "Gepäck",
  pieces: { one: "{count} Stück", other: "{count} Stück" },
  pieces_large: { one: "{count} Stück, davon gross: {large}", other: "{count} Stück, davon gross: {large}" },
  flight: "Flug",
  special_items: "Sondergepäck und Kindersitze",
  waiting: "Wartezeit bei der Abholung",
  hire: "Miete mit Fahrer",
  drive: "Fahrstrecke",
  return_drive: "Fahrstrecke der Rückfahrt",
  drive_text: "{km} km, {time} ohne Halte",
  cancellation: "Stornierung",
  return_cancellation: "Stornierung der Rückfahrt",
  free_until: "Kostenlos bis {time}",
  no_longer_free: "Nicht mehr kostenlos",
  conditions: "Bedingungen",

  total_outbound: "Hinfahrt gesamt",
  total_return: "Rückfahrt gesamt",
  line_outbound: "Hinfahrt: {line}",
  line_return: "Rückfahrt: {line}",
  line_transfer: "Transfer {count} km",
  line_minimum: "Transfer {count} km, Mindestpreis",
  line_hire: "Miete {count} h",
  line_extra: "Zusätzliche {count} km",
  line_waiting: "Wartezeit {time}",
  line_night: "Nachtzuschlag",
  line_holidays: "Feiertagszuschlag",
  line_return_discount: "Rabatt für die Rückfahrt",
  line_same_day: "Rabatt für Rückfahrt am selben Tag",
  line_train: "Autoverlad",
  line_tolls: "Mautgebühren",
  line_rounding: "Rundung",

  item_skis: { one: "Paar Ski", other: "Paar Ski" },
  item_snowboard: { one: "Snowboard", other: "Snowboards" },
  item_golf_bag: { one: "Golftasche", other: "Golftaschen" },
  item_bicycle: { one: "Velo", other: "Velos" },
  item_wheelchair: { one: "Faltrollstuhl", other: "Faltrollstühle" },
  item_stroller: { one: "zusammengeklappter Kinderwagen", other: "zusammengeklappte Kinderwagen" },
  item_child_seat: { one: "Kindersitz", other: "Kindersitze" },
  item_pet: { one: "Haustier in der Transportbox", other: "Haustiere in Transportboxen" },
  item_musical_instrument: { one: "Musikinstrument", other: "Musikinstrumente" },

  included_fees: "Mautgebühren und Autoverlad",
  included_night: "der Nachtzuschlag",
  included_holidays: "der Feiertagszuschlag",
  included_seasons: "Saisonzuschläge",
};

export const notices = {
  REHEARSAL: "Probe: Für «{name}» gilt in der Testumgebung der Preis von {place}. Es kommt kein Auto.",
  PLACED_AT: "«{text}» wurde hier verortet: {place}.",
  PLACED_AT_TOWN: "«{text}» wurde hier verortet: {place}; die genaue Adresse wird mit dem Fahrer vereinbart.",
  TERMINAL_UNKNOWN:
    "«{text}»: Dieser Dienst kennt die Terminals nicht ({place}). Vereinbaren Sie mit dem Fahrer, welches gemeint ist.",
  CAR_FREE: "{place} ist autofrei. Das Auto hält hier: {stop}; die Ankunftszeit gilt für diesen Ort. {onward}",
  CAR_FREE_STOP: "{place} ist autofrei. Das Auto hält hier: {stop}. {onward}",
  CAR_FREE_PICKUP: "{place} ist autofrei. Abholort: {stop}. Seien Sie zur Abholzeit dort. {onward}",
  PARTY_DIFFERS:
    "Erwachsene, Kinder und Kleinkinder sind zusammen {people}, angegeben sind aber {passengers} Reisende; die Fahrzeuge haben Platz für {seats}.",
  ASSUMED_PASSENGERS: "Die Zahl der Reisenden wurde nicht angegeben: Der Preis gilt für {passengers}.",
  ASSUMED_LUGGAGE: "Gepäck wurde nicht angegeben: Der Preis gilt für eine Fahrt ohne Gepäck.",
  STOPS_WITHOUT_STAY:
    "Für {count} {count|Halt|Halte} wurde kein Aufenthalt angegeben: Zeiten und Preis sehen dort keinen vor.",
  LARGE_LUGGAGE:
    "Von {luggage} {luggage|Gepäckstück|Gepäckstücken} {luggage|darf|dürfen} höchstens so viele gross sein: {limits}.",
  NO_ROOM_LUGGAGE: "Nicht angeboten: {classes}. Für {luggage} {luggage|Gepäckstück|Gepäckstücke} ist kein Platz.",
  NO_ROOM_LARGE:
    "Nicht angeboten: {classes}. Für {large} {large|grosses Gepäckstück|grosse Gepäckstücke} ist kein Platz.",
  NO_ROOM_ITEMS: "Nicht angeboten: {classes}. Kein Platz für: {items}.",
  SPECIAL_ITEM: "{items}: {text}",
  CHILD_SEATS:
    "Für {children} {children|Kind|Kinder} {ordered|ist|sind} {ordered} {ordered|Kindersitz|Kindersitze} bestellt. Bestellen Sie einen für jedes Kind, das einen braucht, oder bringen Sie eigene mit.",
  NO_CHILD_SEATS:
    "Für {children} {children|Kind|Kinder} ist kein Kindersitz bestellt. Bestellen Sie einen für jedes Kind, das einen braucht, oder bringen Sie eigene mit.",
  PICKUP_LOCAL_TIME: "Die Abholung ist am {date date} um {time} Uhr Ortszeit; übermittelt wurde {sent}.",
  RETURN_LOCAL_TIME: "Die Rückfahrt ist am {date date} um {time} Uhr Ortszeit; übermittelt wurde {sent}.",
  RETURN_PICKUP_IN:
    "Abholort der Rückfahrt: {place}. Nehmen Sie dieselbe Verbindung ab {from}, und seien Sie zur Zeit der Rückfahrt dort.",
  RETURN_ENDS_AT: "Die Rückfahrt endet hier: {place}; ihre Ankunftszeit gilt für diesen Ort.",
  AIRPORT_PICKUP: "Abholung am Flughafen ({place}): Die kostenlose Wartezeit beginnt mit der Landung.",
  RETURN_AIRPORT_PICKUP:
    "Abholung zur Rückfahrt am Flughafen ({place}): Die kostenlose Wartezeit beginnt mit der Landung. Geben Sie bei der Buchung die Nummer dieses Flugs an.",
  MEETING_POINT: "Treffpunkt ({place}): {text}",
  RETURN_MEETING_POINT: "Treffpunkt zur Rückfahrt ({place}): {text}",
  CORRIDOR_TEXT: "{text}",
  FLIGHT_NUMBER: "Geben Sie bei der Buchung die Flugnummer an.",
  ARRIVE_BY:
    "Dies ist die späteste Abholung, mit der das Auto am {date date} um {time} Uhr am Ziel ist ({place}). Für den Verkehr bleibt keine Reserve.",
  CHECK_IN: "Der Check-in für einen Flug ist nur berücksichtigt, wenn diese Zeit ihn schon enthält.",
  ARRIVE_BY_TRAIN: "Um rechtzeitig da zu sein, muss das Auto diesen Autoverlad nehmen: {name}.",
  FREE_CANCELLATION_ENDED:
    "Die Fahrt kann nicht mehr kostenlos storniert werden: Das war bis {hours} h vor der Abholung möglich.",
  OUTBOUND_FREE_CANCELLATION_ENDED:
    "Die Hinfahrt kann nicht mehr kostenlos storniert werden: Das war bis {hours} h vor ihrer Abholung möglich.",
  RETURN_FREE_CANCELLATION_ENDED:
    "Die Rückfahrt kann nicht mehr kostenlos storniert werden: Das war bis {hours} h vor ihrer Abholung möglich.",
  LEGS_CANCELED_SEPARATELY: "Hin- und Rückfahrt können einzeln storniert werden.",
  LEGS_CANCELED_TOGETHER:
    "Hin- und Rückfahrt können nur zusammen storniert werden, kostenlos bis {hours} h vor der Abholung zur Hinfahrt.",
  CLASS_BOOKABLE: "{vehicle} wird nicht angeboten: buchbar für Abholungen von {from instant} bis {to instant}.",
  NOT_SOLD: "Zu dieser Zeit nicht angeboten: {classes}. {reason}",
  RETURN_INCLUDED:
    "Im Preis ist die Rückfahrt von {km} km ohne Halte enthalten. Sie ist eine eigene Fahrt: Das Auto wartet nicht auf sie.",
  HIRE: "Miete für {hours} h mit {km} km inbegriffen; Auto und Fahrer bleiben bei Ihnen.",
  HIRE_EXTENDED:
    "Miete für {hours} h mit {km} km inbegriffen; Auto und Fahrer bleiben bei Ihnen. Die Fahrt dauert länger als {requested} h, daher werden {hours} h berechnet.",
  HIRE_EXTENDED_BACK:
    "Miete für {hours} h mit {km} km inbegriffen; Auto und Fahrer bleiben bei Ihnen. Mit der Rückfahrt dauert die Fahrt länger als {requested} h, daher werden {hours} h berechnet.",
  HIRE_RETURNS: "Die Miete endet, wo sie beginnt: {place}.",
  HIRE_ENDS_AT: "Die Miete endet hier: {place}. Das Auto bringt Sie nicht an den Anfang zurück ({origin}).",
  HIRE_NO_WAY_BACK: "{hours} h reichen nicht, um auch noch an den Anfang zurückzufahren ({origin}).",
  HIRE_ROUNDED: "Angebrochene Stunden werden berechnet: {requested} h kosten gleich viel wie {hours} h.",
  HIRE_OVERTIME: "Jede weitere angebrochene Stunde kostet {hour_prices}; jeder weitere Kilometer kostet {km_prices}.",
  HIRE_NIGHT_SURCHARGE: "Nachtzuschlag von {percent} % auf {hours} von {of_hours} h, von {from} bis {to} Uhr.",
  HIRE_HOLIDAY_SURCHARGE: "Feiertagszuschlag von {percent} % auf {hours} von {of_hours} h ({holiday}).",
  HIRE_SEASON: "{season}: {percent} % auf {hours} von {of_hours} h.",
  FIXED_FARE: "In {fare} ({classes}) sind inbegriffen: {includes parts}{free_min duration} Wartezeit bei der Abholung.",
  WAITING:
    "Das Warten bei der Abholung ist {free_min duration} kostenlos; danach kosten je angebrochene {step_min} min {prices}.",
  WAITING_EACH:
    "Das Warten ist bei jeder Abholung {free_min duration} kostenlos; danach kosten je angebrochene {step_min} min {prices}.",
  WAITING_RETURN:
    "Das Warten ist bei der Abholung zur Hinfahrt {free_min duration} und bei der Abholung zur Rückfahrt {return_free_min duration} kostenlos; danach kosten je angebrochene {step_min} min {prices}.",
  DRIVER_WAITS:
    "Der Fahrer wartet an den Halten, insgesamt {minutes duration}; die ersten {free_min duration} sind jeweils kostenlos.",
  ROUND_TRIP_WAITS:
    "Der Fahrer wartet an den Halten, insgesamt {minutes duration}; die ersten {free_min duration} sind jeweils kostenlos. Eine Rundfahrt kostet höchstens so viel wie eine Miete für dieselben Stunden.",
  NIGHT_SURCHARGE: "Nachtzuschlag von {percent} % auf den Fahrpreis, von {from} bis {to} Uhr.",
  NIGHT_SUPPLEMENT: "Nachtzuschlag von {supplement}, von {from} bis {to} Uhr.",
  VAT_INCLUDED: "Der Preis enthält {percent} % MWST: {amounts}.",
  VAT_NOT_SPLIT:
    "Der Preis enthält die Steuern; die Fahrt überquert eine Grenze, die MWST wird deshalb nicht getrennt ausgewiesen.",
  SEASON: "{season}: {percent} % des Fahrpreises.",
  HOLIDAY_SURCHARGE: "Feiertagszuschlag von {percent} % auf den Fahrpreis ({holiday}).",
  CAR_TRAIN:
    "Inbegriffen ist der Autoverlad ({name}): Rechnen Sie mit {wait_min duration} Wartezeit und {ride_min duration} Fahrt.",
  TRAIN_AVOIDED:
    "Ein Autoverlad ({name}) verkehrt zu dieser Abholung nicht rechtzeitig: Die Strecke führt darum herum und dauert länger.",
  TOLL: "Inbegriffen ist die Maut: {name}.",
  MOTORWAY_TOLLS: "Inbegriffen sind Autobahngebühren.",
  PASS_AVOIDED:
    "{name} ist in der Regel vom {from day} bis zum {to day} geschlossen. In den drei Wochen um diese Daten meidet die Strecke ihn; ist er offen, kann die Fahrt kürzer sein.",
  TOWN_STRAIGHT_LINE: "Die Distanz innerorts von {from} nach {to} ist nach der Luftlinie auf {km} km geschätzt.",
  TOWN_EXTENT: "Die Distanz innerorts von {from} nach {to} ist nach der Grösse des Orts auf {km} km geschätzt.",
  ROAD_CLOSED: "{place} liegt an einer Strasse, die dann geschlossen ist: {name}.",
  OFF_THE_ROADS: "{place} ist {km} km von der nächsten Strasse entfernt, die dieser Dienst kennt.",
  LONG_DETOUR: "Die Strecke von {from} nach {to} ist {times}-mal so lang wie die Luftlinie.",
  TRAIN_BY_ARRANGEMENT: "Ohne Fahrplan und nur nach Vereinbarung verkehrt: {name}.",
  PASS_UNCERTAIN:
    "{name} ist in der Regel vom {from day} bis zum {to day} geschlossen; die Abholung liegt weniger als drei Wochen von diesem Wechsel entfernt.",
  PASS_CLOSED: "{name} ist vom {from day} bis zum {to day} geschlossen.",
  ROADS_UNCHECKED: "Geschlossene Pässe, Maut und Autoverlad auf dieser Fahrt konnten nicht geprüft werden.",
  MAY_CROSS_CLOSED_PASS: "Die gemessene Strecke führt möglicherweise über einen geschlossenen Pass.",
  MAY_TAKE_IDLE_TRAIN:
    "Die gemessene Strecke benutzt möglicherweise einen Autoverlad, der dann nicht verkehrt: {name}.",
  MAY_MISS_NAMED_ROAD:
    "Die gemessene Strecke ist möglicherweise nicht jene mit dem genannten Autoverlad oder der genannten Maut.",
  MAY_MISS_TOLLS: "Die gemessene Strecke hat möglicherweise andere Mautgebühren als jene im Preis.",
  ON_REQUEST:
    "Auf Anfrage: {classes}. Vor der Buchung ist eine Bestätigung nötig: {operator} ({phone}, {email}).{reason also}",
  MANUAL_CONFIRMATION: "{operator} ({phone}, {email}) muss diese Fahrt bestätigen, bevor sie gebucht werden kann.",
};
