/**
 * Paid sessions by id, each told to the operator's own system once it is paid. Keep them in your database. `log` gets one
 * line for each.
 */
export function createBookings({ bookingsUrl, bookingsToken }, log) {
  const bookings = new Map();
  /** Events of one payment may come at once. */
  const adding = new Map();
  return { add, of: (sessionId) => bookings.get(sessionId) };

  /** Rejects where the operator's system did not accept it: Stripe then sends its event again. */
  function add(sessionId, booking) {
    const promise = adding.get(sessionId) ?? keep(sessionId, booking).finally(() => adding.delete(sessionId));
    adding.set(sessionId, promise);
    return promise;
  }

  async function keep(sessionId, booking) {
    if (bookingsUrl) await tell(sessionId, booking);
    bookings.set(sessionId, booking);
    const { quote_id, fleet_id, amount_rappen, is_late } = booking;
    const paid = `quote ${quote_id} option ${fleet_id}: ${amount_rappen} Rappen, session ${sessionId}`;
    log(is_late ? `PAID LATE, confirm the vehicle or refund: ${paid}` : `BOOKED ${paid}`);
  }

  /** The key is the same each time, so that a booking which arrives twice is stored once. */
  async function tell(sessionId, booking) {
    const response = await fetch(bookingsUrl, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${bookingsToken}`,
        "Content-Type": "application/json",
        "Idempotency-Key": sessionId,
      },
      body: JSON.stringify(booking),
      signal: AbortSignal.timeout(10_000),
    });
    if (!response.ok) throw new Error(`the booking system answered ${response.status}`);
  }
}
