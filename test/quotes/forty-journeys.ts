import {
  arrive,
  by,
  dropOff,
  type ExpectedJourney,
  hire,
  hireEnd,
  leave,
  pass,
  pickup,
  stop,
} from "./expected-journey.ts";

const SHUTTLE_TRAIN = by("train", 12, 20);
const WENGERNALP = by("train", 14, 30);
const VILLAGE_TAXI = by("taxi", 5);

/** That the connection to a car-free place costs extra. */
const NOT_INCLUDED = /not included|not part of the price/;
const LANDS = /when the flight lands/;

const AFTERNOON = "2026-12-08T14:00";

const CAR_FREE_DESTINATIONS: readonly ExpectedJourney[] = [
  {
    title: "to Zermatt, where the car stops at Täsch",
    from: "Zurich Airport",
    to: "Zermatt",
    pickup: AFTERNOON,
    outbound: [pickup("Zurich Airport", "14:00"), dropOff("Täsch", "17:42", SHUTTLE_TRAIN), arrive("Zermatt")],
    says: [
      ["Zermatt is car-free", "Täsch", /[Aa]rriv/],
      ["Täsch", "Zermatt", /train/i, "12 min", "20 min", NOT_INCLUDED],
      ["Zurich Airport", LANDS],
    ],
  },
  {
    title: "to a hotel in Zermatt, of which only the village is known",
    from: "Zurich Airport",
    to: "Hotel Post, Zermatt",
    pickup: AFTERNOON,
    outbound: [
      pickup("Zurich Airport", "pickup"),
      dropOff("Täsch", "pickup + drive", SHUTTLE_TRAIN),
      arrive("Zermatt"),
    ],
    says: [
      ["Hotel Post, Zermatt", "placed at Zermatt"],
      ["Zermatt is car-free", "Täsch"],
    ],
    neverSays: [/agreed with the driver/],
  },
  {
    title: "to Wengen by the Wengernalp Railway",
    from: "Zurich Airport",
    to: "Wengen",
    pickup: AFTERNOON,
    outbound: [
      pickup("Zurich Airport", "pickup"),
      dropOff("Lauterbrunnen", "pickup + drive", WENGERNALP),
      arrive("Wengen"),
    ],
    says: [
      ["Wengen is car-free", "Lauterbrunnen"],
      ["Wengen", "14 min", "30 min", NOT_INCLUDED],
    ],
  },
  {
    title: "to Mürren by cable car",
    from: "Zurich Airport",
    to: "Mürren",
    pickup: AFTERNOON,
    outbound: [
      pickup("Zurich Airport", "pickup"),
      dropOff("Stechelberg", "pickup + drive", by("cable_car", 15)),
      arrive("Mürren"),
    ],
    says: [["Mürren is car-free", "Stechelberg", /cable car/i, NOT_INCLUDED]],
  },
  {
    title: "to Saas-Fee, by electric taxi from the car park of the village",
    from: "Zurich Airport",
    to: "Saas-Fee",
    pickup: AFTERNOON,
    outbound: [
      pickup("Zurich Airport", "pickup"),
      dropOff("Saas-Fee Car Park", "pickup + drive", VILLAGE_TAXI),
      arrive("Saas-Fee"),
    ],
    says: [["Saas-Fee is car-free", "Saas-Fee Car Park", /taxi/i, "5 min", NOT_INCLUDED]],
  },
  {
    title: "to Braunwald by funicular",
    from: "Zurich Airport",
    to: "Braunwald",
    pickup: AFTERNOON,
    outbound: [
      pickup("Zurich Airport", "pickup"),
      dropOff("Linthal", "pickup + drive", by("funicular", 7, 30)),
      arrive("Braunwald"),
    ],
    says: [["Braunwald is car-free", "Linthal", /funicular/i, "7 min", NOT_INCLUDED]],
  },
  {
    title: "to Bettmeralp by cable car, by way of a car train",
    from: "Zurich",
    to: "Bettmeralp",
    pickup: AFTERNOON,
    outbound: [
      pickup("Zürich", "pickup"),
      dropOff("Betten Talstation", "pickup + drive", by("cable_car", 10)),
      arrive("Bettmeralp"),
    ],
    says: [
      ["Bettmeralp is car-free", "Betten Talstation", /cable car/i, NOT_INCLUDED],
      ["Furka car train", "35 min", "20 min"],
    ],
  },
  {
    title: "to Rigi Kulm by rack railway",
    from: "Lucerne",
    to: "Rigi Kulm",
    pickup: AFTERNOON,
    outbound: [pickup("Lucerne", "pickup"), dropOff("Vitznau", "pickup + drive", by("train", 32)), arrive("Rigi Kulm")],
    says: [["Rigi Kulm is car-free", "Vitznau", /rack railway|train/i, "32 min", NOT_INCLUDED]],
    neverSays: [LANDS],
  },
];

const CAR_FREE_ORIGINS: readonly ExpectedJourney[] = [
  {
    title: "from Zermatt, where the car waits at Täsch",
    from: "Zermatt",
    to: "Geneva Airport",
    pickup: "2026-12-08T14:30",
    outbound: [leave("Zermatt", SHUTTLE_TRAIN), pickup("Täsch", "14:30"), dropOff("Geneva Airport", "17:12")],
    says: [
      ["Zermatt is car-free", "pickup", "Täsch"],
      ["Täsch", /train/i, "12 min", "20 min", NOT_INCLUDED],
    ],
    neverSays: [LANDS],
  },
  {
    title: "from Quinten, which is left by boat",
    from: "Quinten",
    to: "Zurich",
    pickup: AFTERNOON,
    outbound: [leave("Quinten", by("boat", 10)), pickup("Murg", "pickup"), dropOff("Zürich", "pickup + drive")],
    says: [["Quinten is car-free", "pickup", "Murg", /boat/i, NOT_INCLUDED]],
  },
];

const CAR_FREE_AT_BOTH_ENDS: readonly ExpectedJourney[] = [
  {
    title: "from Zermatt to Wengen",
    from: "Zermatt",
    to: "Wengen",
    pickup: AFTERNOON,
    outbound: [
      leave("Zermatt", SHUTTLE_TRAIN),
      pickup("Täsch", "pickup"),
      dropOff("Lauterbrunnen", "pickup + drive", WENGERNALP),
      arrive("Wengen"),
    ],
    says: [
      ["Zermatt is car-free", "pickup", "Täsch"],
      ["Wengen is car-free", "Lauterbrunnen", /[Aa]rriv/],
    ],
  },
  {
    title: "from Bettmeralp to Riederalp, four minutes by car",
    from: "Bettmeralp",
    to: "Riederalp",
    pickup: AFTERNOON,
    outbound: [
      leave("Bettmeralp", by("cable_car", 10)),
      pickup("Betten Talstation", "pickup"),
      dropOff("Mörel", "14:04", by("gondola", 15)),
      arrive("Riederalp"),
    ],
    says: [
      ["Bettmeralp is car-free", "pickup", "Betten Talstation"],
      ["Riederalp is car-free", "Mörel", /gondola/i],
    ],
  },
];

const RETURNS: readonly ExpectedJourney[] = [
  {
    title: "to Zermatt and back to the airport",
    from: "Zurich Airport",
    to: "Zermatt",
    pickup: AFTERNOON,
    returnAt: "2026-12-12T09:00",
    outbound: [pickup("Zurich Airport", "14:00"), dropOff("Täsch", "17:42", SHUTTLE_TRAIN), arrive("Zermatt")],
    back: [
      leave("Zermatt", SHUTTLE_TRAIN),
      pickup("Täsch", "2026-12-12T09:00"),
      dropOff("Zurich Airport", "2026-12-12T12:42"),
    ],
    says: [
      ["Zermatt is car-free", "Täsch", NOT_INCLUDED],
      [/return pickup/i, "Täsch", "Zermatt"],
      ["Zurich Airport", LANDS],
    ],
    neverSays: [/Return pickup at Zurich Airport/],
  },
  {
    title: "from Zermatt to the airport and back",
    from: "Zermatt",
    to: "Geneva Airport",
    pickup: AFTERNOON,
    returnAt: "2026-12-12T14:00",
    outbound: [leave("Zermatt", SHUTTLE_TRAIN), pickup("Täsch", "pickup"), dropOff("Geneva Airport", "pickup + drive")],
    back: [pickup("Geneva Airport", "return"), dropOff("Täsch", "2026-12-12T16:42", SHUTTLE_TRAIN), arrive("Zermatt")],
    says: [
      ["Zermatt is car-free", "pickup", "Täsch"],
      [/return/i, /ends|arriv/, "Täsch"],
      [/return pickup/i, "Geneva Airport", LANDS],
    ],
  },
  {
    title: "between two car-free places and back",
    from: "Zermatt",
    to: "Saas-Fee",
    pickup: AFTERNOON,
    returnAt: "2026-12-12T14:00",
    outbound: [
      leave("Zermatt", SHUTTLE_TRAIN),
      pickup("Täsch", "pickup"),
      dropOff("Saas-Fee Car Park", "pickup + drive", VILLAGE_TAXI),
      arrive("Saas-Fee"),
    ],
    back: [
      leave("Saas-Fee", VILLAGE_TAXI),
      pickup("Saas-Fee Car Park", "return"),
      dropOff("Täsch", "return + drive", SHUTTLE_TRAIN),
      arrive("Zermatt"),
    ],
    says: [
      ["Zermatt is car-free", "pickup", "Täsch"],
      ["Saas-Fee is car-free", "Saas-Fee Car Park"],
      [/return pickup/i, "Saas-Fee Car Park"],
      [/return/i, /ends|arriv/, "Täsch"],
    ],
  },
  {
    title: "with a stop, which the return leaves out",
    from: "Zurich Airport",
    to: "Bern",
    via: [{ stop: "Olten", stayMinutes: 25 }],
    pickup: AFTERNOON,
    returnAt: "2026-12-12T14:00",
    outbound: [
      pickup("Zurich Airport", "pickup"),
      stop("Olten", "pickup + drive 1", "pickup + drive 1 + 25 min"),
      dropOff("Bern", "16:09"),
    ],
    back: [pickup("Bern", "return"), dropOff("Zurich Airport", "2026-12-12T15:26")],
    says: [[/return/i, /without (the )?stops?/]],
    neverSays: [/Return pickup at/],
  },
];

const STOPS: readonly ExpectedJourney[] = [
  {
    title: "with an hour at Zurich Airport, which is free there",
    from: "Bern",
    to: "Lugano",
    via: [{ stop: "Zurich Airport", stayMinutes: 60 }],
    pickup: AFTERNOON,
    outbound: [
      pickup("Bern", "pickup"),
      stop("Zurich Airport", "15:27", "16:27"),
      dropOff("Lugano", "pickup + drive + 60 min"),
    ],
    says: [["Zurich Airport", "15:27", "16:27"]],
    neverSays: [/first 15 min/, LANDS],
  },
  {
    title: "with a stay in Zermatt, for which the car stops at Täsch",
    from: "Zurich Airport",
    to: "Lucerne",
    via: [{ stop: "Zermatt", stayMinutes: 30 }],
    pickup: AFTERNOON,
    outbound: [
      pickup("Zurich Airport", "pickup"),
      stop("Täsch", "17:42", "18:12"),
      dropOff("Lucerne", "pickup + drive + 30 min"),
    ],
    says: [
      ["Zermatt is car-free", "Täsch"],
      ["Täsch", "17:42", "18:12"],
    ],
    neverSays: [/arrival time/],
  },
  {
    title: "with a place that the caller did not state a stay for",
    from: "Zurich Airport",
    to: "Bern",
    via: [{ stop: "Olten", stayMinutes: null }],
    pickup: AFTERNOON,
    outbound: [
      pickup("Zurich Airport", "pickup"),
      pass("Olten", "pickup + drive 1"),
      dropOff("Bern", "pickup + drive"),
    ],
    says: [["Olten", /no (stay|stop|waiting)/i]],
  },
  {
    title: "with a place to drive through, and a stay afterwards",
    from: "Zurich Airport",
    to: "Interlaken",
    via: [
      { stop: "Olten", stayMinutes: 0 },
      { stop: "Thun", stayMinutes: 30 },
    ],
    pickup: AFTERNOON,
    outbound: [
      pickup("Zurich Airport", "pickup"),
      pass("Olten", "pickup + drive 1"),
      stop("Thun", "pickup + drive 1 + drive 2", "pickup + drive 1 + drive 2 + 30 min"),
      dropOff("Interlaken", "16:58"),
    ],
    says: [["Thun", /\d\d:\d\d.*\d\d:\d\d/]],
    neverSays: [/no stay/],
  },
  {
    title: "past a car-free place",
    from: "Bern",
    to: "Interlaken",
    via: [{ stop: "Wengen", stayMinutes: null }],
    pickup: AFTERNOON,
    outbound: [
      pickup("Bern", "pickup"),
      pass("Lauterbrunnen", "pickup + drive 1"),
      dropOff("Interlaken", "pickup + drive"),
    ],
    says: [["Wengen is car-free", "Lauterbrunnen"]],
    neverSays: [/arrival time/],
  },
  {
    title: "with a stay at the very place where the car stops for the destination",
    from: "Zurich Airport",
    to: "Zermatt",
    via: [{ stop: "Täsch", stayMinutes: 30 }],
    pickup: AFTERNOON,
    outbound: [
      pickup("Zurich Airport", "14:00"),
      stop("Täsch", "17:42", "18:12"),
      dropOff("Täsch", "18:12", SHUTTLE_TRAIN),
      arrive("Zermatt"),
    ],
    says: [["Zermatt is car-free", "Täsch"]],
  },
  {
    title: "as a round trip",
    from: "Zurich",
    to: "Zurich",
    via: [{ stop: "Lucerne", stayMinutes: 90 }],
    pickup: AFTERNOON,
    outbound: [pickup("Zürich", "pickup"), stop("Lucerne", "14:41", "16:11"), dropOff("Zürich", "16:52")],
    says: [["Lucerne", "14:41", "16:11"]],
  },
];

const HIRES: readonly ExpectedJourney[] = [
  {
    title: "a hire without a destination",
    from: "Zurich",
    hireHours: 8,
    pickup: "2026-12-08T09:00",
    outbound: [hire("Zürich", "09:00"), hireEnd("Zürich", "17:00")],
    says: [
      ["hire", /ends/, "Zürich", "17:00"],
      ["8 h", "200 km"],
    ],
    neverSays: [/\b0 (km|min)\b/],
  },
  {
    title: "a hire that ends elsewhere",
    from: "Zurich",
    to: "Lucerne",
    hireHours: 2,
    pickup: AFTERNOON,
    outbound: [pickup("Zürich", "14:00"), hireEnd("Lucerne", "16:00")],
    says: [
      ["hire", /ends/, "Lucerne", "16:00"],
      ["Lucerne", /not.* back to Zürich/],
    ],
  },
  {
    title: "a hire with a stop that ends in a car-free place",
    from: "Zurich",
    to: "Zermatt",
    via: [{ stop: "Bern", stayMinutes: 60 }],
    hireHours: 6,
    pickup: AFTERNOON,
    outbound: [
      pickup("Zürich", "14:00"),
      stop("Bern", "pickup + drive 1", "pickup + drive 1 + 60 min"),
      hireEnd("Täsch", "20:00", SHUTTLE_TRAIN),
      arrive("Zermatt"),
    ],
    says: [
      ["Zermatt is car-free", "Täsch"],
      ["hire", /ends/, "Täsch", "20:00"],
    ],
  },
  {
    title: "a hire from a car-free place, without a destination",
    from: "Zermatt",
    hireHours: 4,
    pickup: AFTERNOON,
    outbound: [
      leave("Zermatt", SHUTTLE_TRAIN),
      hire("Täsch", "14:00"),
      hireEnd("Täsch", "18:00", SHUTTLE_TRAIN),
      arrive("Zermatt"),
    ],
    says: [
      ["Zermatt is car-free", "pickup", "Täsch"],
      ["hire", /ends/, "Täsch", "18:00"],
    ],
  },
  {
    title: "a hire with a stop that ends where it starts",
    from: "Zurich",
    via: [{ stop: "Lucerne", stayMinutes: 60 }],
    hireHours: 5,
    pickup: AFTERNOON,
    outbound: [pickup("Zürich", "14:00"), stop("Lucerne", "14:41", "15:41"), hireEnd("Zürich", "19:00")],
    says: [
      ["hire", /ends/, "Zürich", "19:00"],
      ["Lucerne", "14:41", "15:41"],
    ],
  },
  {
    title: "a hire that is too short for its way ends with the hours that are charged",
    from: "Zurich",
    to: "Lugano",
    hireHours: 1,
    pickup: AFTERNOON,
    outbound: [pickup("Zürich", "14:00"), hireEnd("Lugano", "17:00")],
    says: [
      ["1 h", "3 h", /charged/],
      ["hire", /ends/, "Lugano", "17:00"],
    ],
  },
];

const NIGHT_AND_CLOCKS: readonly ExpectedJourney[] = [
  {
    title: "over midnight",
    from: "Zurich Airport",
    to: "Interlaken",
    pickup: "2026-12-08T23:30",
    outbound: [pickup("Zurich Airport", "2026-12-08T23:30"), dropOff("Interlaken", "2026-12-09T01:20")],
    says: [["Zurich Airport", LANDS]],
  },
  {
    title: "over the hour that the clock skips in spring",
    from: "Zurich Airport",
    to: "Lucerne",
    pickup: "2027-03-28T01:45+01:00",
    outbound: [pickup("Zurich Airport", "2027-03-28T01:45+01:00"), dropOff("Lucerne", "2027-03-28T03:32+02:00")],
    says: [[/night surcharge/i, "20 %"]],
  },
  {
    title: "over the hour that the clock repeats in autumn",
    from: "Zurich Airport",
    to: "Lucerne",
    pickup: "2027-10-31T02:40+02:00",
    outbound: [pickup("Zurich Airport", "2027-10-31T02:40+02:00"), dropOff("Lucerne", "2027-10-31T02:27+01:00")],
    says: [[/night surcharge/i, "20 %"]],
  },
  {
    title: "a hire of three hours over the hour that the clock skips",
    from: "Zurich",
    hireHours: 3,
    pickup: "2027-03-28T00:30+01:00",
    outbound: [hire("Zürich", "2027-03-28T00:30+01:00"), hireEnd("Zürich", "2027-03-28T04:30+02:00")],
    says: [["hire", /ends/, "Zürich", "04:30"]],
    neverSays: [/03:30/],
  },
];

const TRAINS_AND_PASSES: readonly ExpectedJourney[] = [
  {
    title: "by car train, whose waiting and ride are part of the way",
    from: "Bern",
    to: "Visp",
    pickup: "2027-07-15T10:00",
    outbound: [pickup("Bern", "2027-07-15T10:00"), dropOff("Visp", "2027-07-15T11:55")],
    says: [["Lötschberg car train", "20 min"]],
  },
  {
    title: "around the car train at night",
    from: "Bern",
    to: "Visp",
    pickup: "2027-07-15T03:00",
    outbound: [pickup("Bern", "2027-07-15T03:00"), dropOff("Visp", "2027-07-15T05:11")],
    says: [
      ["Lötschberg car train", /does not run/],
      [/night surcharge/i, "20 %"],
    ],
    neverSays: [/Includes the Lötschberg/],
  },
  {
    title: "near the opening of a pass",
    from: "Andermatt",
    to: "Oberwald",
    pickup: "2027-06-10T10:00",
    outbound: [pickup("Andermatt", "2027-06-10T10:00"), dropOff("Oberwald", "2027-06-10T11:05")],
    says: [["Furka car train"], ["Furka Pass", "5 November", "3 June"]],
  },
  {
    title: "around a pass that is closed in winter",
    from: "Meiringen",
    to: "Andermatt",
    pickup: "2027-01-20T12:00",
    outbound: [pickup("Meiringen", "2027-01-20T12:00"), dropOff("Andermatt", "2027-01-20T13:28")],
    says: [["Susten Pass", "usually closed", "the route avoids it"]],
    neverSays: [/must confirm/],
  },
];

const ARRIVALS_AND_WAITING: readonly ExpectedJourney[] = [
  {
    title: "by a time, which is the time at the car stop, after waiting at the pickup",
    from: "Zurich Airport",
    to: "Zermatt",
    arriveBy: "2026-12-12T18:00",
    waitingMinutes: 30,
    outbound: [
      pickup("Zurich Airport", "2026-12-12T13:45", "2026-12-12T14:15"),
      dropOff("Täsch", "2026-12-12T17:57", SHUTTLE_TRAIN),
      arrive("Zermatt"),
    ],
    says: [
      ["latest pickup", "Täsch", "18:00"],
      ["Lötschberg car train", /must/],
    ],
    neverSays: [/reaches Zermatt/],
  },
  {
    title: "with waiting at the pickup",
    from: "Zurich Airport",
    to: "Lucerne",
    waitingMinutes: 45,
    pickup: AFTERNOON,
    outbound: [pickup("Zurich Airport", "14:00", "14:45"), dropOff("Lucerne", "15:32")],
    says: [["free for 60 min"]],
  },
  {
    title: "with waiting that a fixed fare includes",
    from: "Geneva Airport",
    to: "Annecy",
    waitingMinutes: 75,
    pickup: AFTERNOON,
    outbound: [pickup("Geneva Airport", "14:00", "15:15"), dropOff("Annecy", "pickup + 75 min + drive")],
    says: [["1 h 15 min", /wait/]],
  },
];

/**
 * Journeys with the legs and sentences that a traveler needs, written by hand from the catalog and the timetables, not
 * taken from the program.
 */
export const FORTY_JOURNEYS: readonly ExpectedJourney[] = [
  ...CAR_FREE_DESTINATIONS,
  ...CAR_FREE_ORIGINS,
  ...CAR_FREE_AT_BOTH_ENDS,
  ...RETURNS,
  ...STOPS,
  ...HIRES,
  ...NIGHT_AND_CLOCKS,
  ...TRAINS_AND_PASSES,
  ...ARRIVALS_AND_WAITING,
];
