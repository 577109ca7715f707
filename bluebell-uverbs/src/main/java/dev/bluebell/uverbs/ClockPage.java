package dev.bluebell.uverbs;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.server.SharedMemory;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * A page by which programs turn timestamps of completions into time of day. It never changes: the
 * device counts the machine's nanoseconds. Mirrors {@code mlx5-abi.h: mlx5_ib_clock_info}.
 */
record ClockPage(SharedMemory memory) implements Handles.Held {
  /** The version of the page, as a bit of clock_info_versions; 0 for a device without one. */
  static int versions(Hca hca) {
    boolean countsNanoseconds =
        DeviceQueries.general(hca).get(CmdHcaCap.DEVICE_FREQUENCY_KHZ) == NANOSECONDS_KHZ;
    return countsNanoseconds ? 1 : 0;
  }

  private static final long NANOSECONDS_KHZ = 1_000_000;

  /** Offset of its mapping: command 7 in bits 8 and up of the page index, version 0. */
  private static final long MMAP_OFFSET = (7L << 8) * SharedMemory.PAGE_BYTES;

  private static final int NSEC = 8;
  private static final int CYCLES = 16;
  private static final int MULT = 32;
  private static final int MASK = 40;

  static boolean isAt(Session session, long offset, long bytes) {
    return offset == MMAP_OFFSET
        && bytes == SharedMemory.PAGE_BYTES
        && versions(session.hca()) != 0;
  }

  /** The page of a context, made when it is first mapped. */
  static ClockPage of(Session session) throws IOException {
    var made = session.handles().all(ClockPage.class);
    if (!made.isEmpty()) {
      return made.getFirst();
    }
    ClockPage page = new ClockPage(new SharedMemory("bluebell-clock", SharedMemory.PAGE_BYTES));
    page.set(session.hca());
    int unused = session.handles().add(page);
    assert unused > 0;
    return page;
  }

  private void set(Hca hca) {
    Instant now = Instant.now();
    long cycles = hca.clock();
    long nanos = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    memory.segment().set(ValueLayout.JAVA_LONG, NSEC, nanos);
    memory.segment().set(ValueLayout.JAVA_LONG, CYCLES, cycles);
    memory.segment().set(ValueLayout.JAVA_INT, MULT, 1);
    memory.segment().set(ValueLayout.JAVA_LONG, MASK, -1);
  }

  @Override
  public int rank() {
    return 9;
  }

  @Override
  public void destroy(boolean alive) throws IOException {
    memory.close();
  }
}
