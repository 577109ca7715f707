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
 * <p>The entries of receives are written before those of requests, so an application that has seen
 * a request completed finds what it has caused.
 */
public final class CompletionBatch {
  /**
   * Bytes of a message after which the completions are to be {@link #publish}ed: they do not wait
   * while many bytes are copied.
   */
  public static final int SMALL = 1024;

  /** Requests for which a batch is opened. */
  static final int LEAST = 4;

  /** Entries of one ring that are held back. */
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
   * the requests runs. Does nothing for a few requests, whose completions would only come later.
   *
   * @param completions the queue in which the requests complete
   * @param number of the requests that are executed next
   */
  public void open(CompletionQueue completions, int number) {
    if (number >= LEAST) {
      requests = completions.ring();
    }
  }

  /** True while completions are held back. */
  boolean isOpen() {
    return requests != null;
  }

  /** Writes all completions that are held back, and holds back later ones. */
  public void publish() {
    while (count > 0) {
      count--;
      CompletionRing ring = Objects.requireNonNull(rings[count]);
      rings[count] = null;
      ring.writeBatch();
    }
    if (requests != null) {
      requests.writeBatch();
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
