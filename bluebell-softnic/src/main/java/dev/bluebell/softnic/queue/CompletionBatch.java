package dev.bluebell.softnic.queue;

import dev.bluebell.hca.cqe.Cqe;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The completions of requests that are executed in one go. While it is open, rings build their
 * entries in its memory; then the entries are copied into each ring together. Otherwise the
 * device's processor would wait for each entry until the application's processor has given it up.
 * Owned by the thread that runs the engine.
 *
 * <p>The entries of receives are written before those of requests: an application that finds a SEND
 * completed also finds the receive completed.
 */
public final class CompletionBatch {
  /** The fewest requests for which a batch is opened. */
  static final int LEAST = 4;

  /** Most bytes of a message after which completions are still held back. */
  private static final int SMALL = 1024;

  /** The most entries of one ring that are held back. */
  static final int ENTRIES = 16;

  // Besides that of the requests.
  private static final int RINGS = 7;

  private static final int RING_BYTES = ENTRIES * Cqe.BYTES;

  private final MemorySegment memory =
      Arena.ofAuto().allocate((RINGS + 1L) * RING_BYTES, Cqe.BYTES);
  private final @Nullable CompletionRing[] rings = new CompletionRing[RINGS];
  private int count;

  // Null while no batch is open.
  private @Nullable CompletionRing requests;

  /**
   * Begins to hold completions back, until {@link #close}, which must be called before anything but
   * the requests runs. Does nothing for few requests: it would only delay their completions. Does
   * nothing either if the completions of the requests can't be held back, because they would
   * overtake those of receives.
   *
   * @param completions the queue in which the requests complete
   * @param number of the requests that are executed next
   */
  public void open(CompletionQueue completions, int number) {
    CompletionRing ring = completions.ring();
    if (number >= LEAST && ring.hasJoined()) {
      requests = ring;
    }
  }

  /** True while completions are held back. */
  boolean isOpen() {
    return requests != null;
  }

  /**
   * Writes the completions that are held back if a message was long: they do not wait while many
   * bytes are copied.
   *
   * @param bytes of the message that was executed last
   */
  public void moved(int bytes) {
    if (bytes > SMALL) {
      publish();
    }
  }

  /** Writes all completions that are held back, and holds back later ones. */
  void publish() {
    try {
      while (count > 0) {
        count--;
        CompletionRing ring = Objects.requireNonNull(rings[count]);
        rings[count] = null;
        ring.writeBatch();
      }
    } finally {
      // Even when the memory of another ring is gone.
      if (requests != null) {
        requests.writeBatch();
      }
    }
  }

  /** Writes all completions that are held back. */
  public void close() {
    try {
      publish();
    } finally {
      // Not empty when the memory of a ring is gone.
      if (count > 0) {
        close();
      }
      requests = null;
    }
  }

  /**
   * Adds a ring that has a first entry to hold back, and returns the address at which it builds
   * {@link #ENTRIES} entries. Their first {@link Cqe#FLAGS_RQPN_WORD} bytes are 0 and must stay so.
   */
  long add(CompletionRing ring) {
    int place = RINGS;
    if (!ring.equals(requests)) {
      if (count == RINGS) {
        publish();
      }
      place = count++;
      rings[place] = ring;
    }
    return memory.address() + (long) place * RING_BYTES;
  }
}
