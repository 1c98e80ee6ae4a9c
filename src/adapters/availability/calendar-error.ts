/** A calendar cannot be used. The message quotes nothing of it, nor of its address. */
export class CalendarError extends Error {
  override readonly name = "CalendarError";
}
