package dev.bluebell.softnic.engine;

import java.util.List;

/**
 * The shares of clients in the device's time: which client is next, what a turn costs, and how long
 * turns and steps may take. Owned by the thread that runs the engine.
 */
final class Shares {
  /** Bytes of a turn while no client waits for another. */
  static final long BYTES_PER_TURN = 256 << 10;

  // Short steps while clients wait for each other, so that the engine sees every doorbell soon.
  private static final long CONTENDED_BYTES_PER_TURN = 16 << 10;
  private static final long CONTENDED_STEP_NANOS = 4_000;
  private static final long STEP_NANOS = 50_000;

  /**
   * The most unused time that returning clients keep, and may use before others; they share it. A
   * client on a shared processor is away for some ms again and again.
   */
  private static final long SAVED_NANOS = 4_000_000;

  /** How long the device remembers that clients waited for each other. */
  private static final long CONTENTION_NANOS = 1_000_000;

  // A turn is charged some time even if the clock stands still. The charge has an upper bound too:
  // no client pays for the time in which the system took the processor away.
  private static final long MIN_TURN_NANOS = 100;
  private static final long MAX_TURN_NANOS = 5_000_000;
  private static final long MAX_NANOS_OF_EFFORT = 4;

  private final Anticipation anticipation = new Anticipation();
  private int clients;

  // Maximum over time of the least time that a ready client has used. A client that becomes ready
  // is set to little less than this: it keeps only a moment of its unused time.
  private long floor;

  // Whether clients waited for each other lately, and when they last did.
  private boolean contended;
  private long contendedAt;

  void open(Client client) {
    clients++;
    client.used = floor;
  }

  void close(Client client) {
    clients--;
    anticipation.forget(client);
  }

  /** How many clients are open. Other threads may read it as a hint. */
  int clients() {
    return clients;
  }

  /** Bytes that one turn may move. */
  long bytesPerTurn() {
    return contended ? CONTENDED_BYTES_PER_TURN : BYTES_PER_TURN;
  }

  /** Nanoseconds after which a step begins no further turn. */
  long nanosPerStep() {
    return contended ? CONTENDED_STEP_NANOS : STEP_NANOS;
  }

  /** Index of the client that has had the least time. */
  static int least(List<Client> ready) {
    int least = 0;
    for (int i = 1; i < ready.size(); i++) {
      if (ready.get(i).used < ready.get(least).used) {
        least = i;
      }
    }
    return least;
  }

  /** True when the turn of a client has to wait for one that had less time. */
  boolean delays(Client next, long now) {
    return anticipation.delays(next, now);
  }

  /** A client has work again. */
  void returned(Client client) {
    client.used = Math.max(client.used, floor - SAVED_NANOS / Math.max(1, clients - 1));
    anticipation.returned(client);
  }

  /** A client has no more work. */
  void left(Client client, long now) {
    anticipation.left(client, now);
  }

  /**
   * The turn of a client begins.
   *
   * @param waited whether other clients wait for theirs
   */
  void begin(Client next, boolean waited, long now) {
    floor = Math.max(floor, next.used);
    if (waited) {
      contendedAt = now;
      contended = true;
    } else if (contended && now - contendedAt > CONTENTION_NANOS) {
      contended = false;
    }
  }

  /** Charges a turn that cost the other clients nothing. */
  void chargeLeast(Client client) {
    client.used += MIN_TURN_NANOS;
  }

  /**
   * Charges a turn.
   *
   * @param spent its {@linkplain Effort effort}
   */
  void charge(Client client, long nanos, long spent) {
    long most = MAX_TURN_NANOS + spent * MAX_NANOS_OF_EFFORT;
    client.charge(Math.clamp(nanos, MIN_TURN_NANOS, most));
  }
}
