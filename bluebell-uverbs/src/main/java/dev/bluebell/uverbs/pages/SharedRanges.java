package dev.bluebell.uverbs.pages;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaUmem;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.server.Account;
import dev.bluebell.server.Client;
import dev.bluebell.server.ProcessMemory;
import dev.bluebell.server.Processes;
import dev.bluebell.server.Quota;
import dev.bluebell.server.QuotaExceeded;
import dev.bluebell.server.SharedMemory;
import dev.bluebell.server.WatchedProcess;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.call.ShimChannel;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Pages of a client that the device has mapped too: queue buffers, pages of doorbell records, which
 * several objects share, and registered memory of clients that allow it. For one thread; all device
 * files of a process have one {@link Table}, because its allocator may put doorbell records of
 * several files' objects on one page.
 */
public final class SharedRanges {
  private static final Logger LOGGER = System.getLogger("dev.bluebell.uverbs");

  /** Largest buffer of one queue: a completion queue of 2^22 entries. */
  private static final long MAX_BYTES = 1L << 28;

  /**
   * Largest number of ranges of a client with optional sharing: the kernel limits mappings per
   * process.
   */
  private static final int MAX_OFFERED = 256;

  /**
   * Largest number of regions that a process ever shares without need. Each may leave two more
   * mappings behind, and the kernel limits their number.
   */
  private static final int MAX_EXCHANGES = 1 << 13;

  /**
   * Largest number of ranges that a process shares without asking, so its quotas leave room for
   * queues.
   */
  private static final int MAX_UNNOTICED = 64;

  private static final long MAX_UNNOTICED_BYTES = 1L << 28;

  /** Names of the memory, by which the client's library distinguishes it. */
  private static final String QUEUES = "bluebell-pages";

  private static final String PAYLOAD = "bluebell-payload";

  private final Hca hca;
  private final ShimChannel shim;
  private final Account account;
  private final PinnedMemory pinned;
  private final WatchedProcess process;
  private final Table table;

  /** The pages that a process shares. Its lock is held while the process exchanges pages. */
  public static final class Table {
    private final TreeMap<Long, Range> ranges = new TreeMap<>();

    // How often optional sharing has begun.
    private int exchanges;

    // Held while pages are copied and exchanged, and during each copy of payload: a write between
    // the two would be lost. Its holder needs nothing of the device, which may wait for it.
    private final Object payload = new Object();

    /** The memory of the process, for the thread that runs the device. */
    public ProcessMemory payload(WatchedProcess process) {
      return new ProcessMemory(process, payload);
    }
  }

  /**
   * @param table of the client's process
   */
  public SharedRanges(Hca hca, ShimChannel shim, Client client, PinnedMemory pinned, Table table) {
    this.pinned = pinned;
    this.table = table;
    this.hca = hca;
    this.shim = shim;
    account = client.account();
    process = client.process();
  }

  private static final class Range {
    final long address;
    final SharedMemory memory;
    final HcaUmem umem;
    final long inode;
    final List<Account.Hold> holds;
    final Sharing sharing;
    int users;

    Range(
        long address, SharedMemory memory, HcaUmem umem, List<Account.Hold> holds, Sharing sharing)
        throws IOException {
      this.holds = holds;
      this.sharing = sharing;
      this.address = address;
      this.memory = memory;
      this.umem = umem;
      inode = memory.inode();
    }

    long bytes() {
      return memory.segment().byteSize();
    }

    long end() {
      return address + bytes();
    }
  }

  /** A place in memory that the device has mapped. */
  public final class Place {
    private final Range range;
    private final long offset;
    private boolean released;

    private Place(Range range, long offset) {
      this.range = range;
      this.offset = offset;
      range.users++;
    }

    public int umem() {
      return range.umem.number();
    }

    public long offset() {
      return offset;
    }

    /** The memory itself, valid until the place is released. */
    public MemorySegment memory(long bytes) {
      return range.memory.segment().asSlice(offset, bytes);
    }

    /**
     * Releases the place, once no object lies in it. Succeeds even if the client hangs up
     * meanwhile: the result of the call then ends its connection.
     *
     * @param alive whether the client still lives and gets its own memory back
     * @throws IOException when this process can't unmap the memory
     */
    public void release(boolean alive) throws IOException {
      if (released) {
        return;
      }
      released = true;
      synchronized (table) {
        if (--range.users == 0) {
          end(range, alive);
        }
      }
    }
  }

  private void end(Range range, boolean alive) throws IOException {
    table.ranges.remove(range.address, range);
    range.umem.close();
    if (alive) {
      giveBack(range);
    }
    try {
      range.memory.close();
    } finally {
      range.holds.forEach(Account.Hold::close);
    }
  }

  private boolean isAlone() throws IOException {
    return process.threads() == 1;
  }

  // Exchanging pages could lose a store of another thread.
  private static boolean mayExchange(Sharing sharing, boolean alone) {
    return alone || sharing == Sharing.ALWAYS;
  }

  // The client may have unmapped the pages and mapped others meanwhile. Pages that it can't
  // exchange stay mapped, and become private to it when they are closed here. A client that is gone
  // needs none of them, and must not stop the caller, which has more to free.
  private void giveBack(Range range) {
    try {
      boolean alone = isAlone();
      if (!mayExchange(range.sharing, alone)) {
        return;
      }
      for (Processes.Span span : leftOf(range)) {
        try {
          synchronized (table.payload) {
            shim.unmap(span, alone);
          }
        } catch (Refusal refusal) {
          LOGGER.log(Level.DEBUG, refusal.getMessage());
        }
      }
    } catch (IOException lost) {
      LOGGER.log(Level.DEBUG, "a client did not get its pages back", lost);
    }
  }

  /** The pages of a range that the client still has. */
  private List<Processes.Span> leftOf(Range range) throws IOException {
    return Processes.whereMapped(process, range.address, range.bytes(), range.inode);
  }

  /** Shares the pages that hold {@code [address, address + bytes)}, if they are not shared yet. */
  public Place share(String what, long address, long bytes) throws IOException {
    return share(what, address, bytes, true);
  }

  /** Like {@link #share}, for memory that is counted as pinned already. */
  public Place shareRegistered(String what, long address, long bytes) throws IOException {
    return share(what, address, bytes, false);
  }

  private Place share(String what, long address, long bytes, boolean pins) throws IOException {
    Refusal.require(
        bytes > 0 && bytes <= MAX_BYTES && address > 0 && address <= Long.MAX_VALUE - 2 * MAX_BYTES,
        Errno.EINVAL,
        "%s: the client can't have %d bytes at 0x%x",
        what,
        bytes,
        address);
    synchronized (table) {
      return shareOrJoin(what, address, bytes, pins);
    }
  }

  private Place shareOrJoin(String what, long address, long bytes, boolean pins)
      throws IOException {
    long start = firstPage(address);
    long end = endOfPages(address + bytes);
    @Nullable Range range = overlapping(start, end);
    if (range == null) {
      // The client's library copies the pages, and would crash on an unmapped address.
      String why = Processes.whyNotMapped(process, start, end - start, true);
      Refusal.require(why.isEmpty(), Errno.EFAULT, "%s: %s", what, why);
      return share(start, end, address, QUEUES, Sharing.ALWAYS, pins);
    }
    Refusal.require(
        holds(range, start, end),
        Errno.EINVAL,
        "%s: some of the pages at 0x%x belong to another queue, and some do not",
        what,
        start);
    return new Place(range, address - range.address);
  }

  /**
   * Like {@link #share}, for optional sharing.
   *
   * @return null when the memory can't be shared: it is not private, it is too large, the client
   *     refuses, or the client could notice the exchange and must not
   */
  public @Nullable Place tryToShare(long address, long bytes, Sharing sharing) throws IOException {
    if (sharing == Sharing.NEVER || bytes <= 0 || bytes > MAX_BYTES || address <= 0) {
      return null;
    }
    synchronized (table) {
      return tryToShareOrJoin(address, bytes, sharing);
    }
  }

  private @Nullable Place tryToShareOrJoin(long address, long bytes, Sharing sharing)
      throws IOException {
    long start = firstPage(address);
    long end = endOfPages(address + bytes);
    @Nullable Range range = overlapping(start, end);
    if (range != null) {
      return holds(range, start, end) ? new Place(range, address - range.address) : null;
    }
    boolean wholePages = start == address && end == address + bytes;
    if (table.ranges.size() >= MAX_OFFERED
        || table.exchanges >= MAX_EXCHANGES
        || (sharing == Sharing.UNNOTICED && !(wholePages && hasRoomUnnoticed(bytes)))
        || !mayExchange(sharing, isAlone())
        || !Processes.hasToItself(process, start, end - start)) {
      return null;
    }
    try {
      Place place = share(start, end, address, PAYLOAD, sharing, false);
      table.exchanges++;
      return place;
    } catch (Refusal | QuotaExceeded refusal) {
      LOGGER.log(Level.DEBUG, refusal.getMessage());
      return null;
    }
  }

  private boolean hasRoomUnnoticed(long bytes) {
    int count = 0;
    long all = bytes;
    for (Range range : table.ranges.values()) {
      if (range.sharing == Sharing.UNNOTICED) {
        count++;
        all += range.bytes();
      }
    }
    return count < MAX_UNNOTICED && all <= MAX_UNNOTICED_BYTES;
  }

  /** True when a range contains all of these pages and the client still has them mapped. */
  private boolean holds(Range range, long start, long end) throws IOException {
    if (range.address > start || range.end() < end) {
      return false;
    }
    long at = start;
    for (Processes.Span span : leftOf(range)) {
      if (span.from() <= at && span.end() > at) {
        at = span.end();
      }
    }
    return at >= end;
  }

  private static long firstPage(long address) {
    return address & -SharedMemory.PAGE_BYTES;
  }

  private static long endOfPages(long end) {
    return firstPage(end + SharedMemory.PAGE_BYTES - 1);
  }

  /**
   * A range that contains one of these pages; null if there is none. Pages that the client has
   * unmapped no longer belong to a range.
   */
  private @Nullable Range overlapping(long start, long end) throws IOException {
    Map.Entry<Long, Range> before = table.ranges.lowerEntry(end);
    while (before != null && before.getValue().end() > start) {
      if (!leftOf(before.getValue()).isEmpty()) {
        return before.getValue();
      }
      table.ranges.remove(before.getKey());
      before = table.ranges.lowerEntry(end);
    }
    return null;
  }

  private Place share(
      long start, long end, long address, String name, Sharing sharing, boolean pins)
      throws IOException {
    List<Account.Hold> holds = new ArrayList<>();
    try {
      if (pins) {
        holds.add(pinned.pin(start, end - start));
      }
      holds.add(account.take(Quota.MAPPINGS));
      holds.add(account.take(Quota.BYTES, end - start));
      return share(start, end, address, name, sharing, holds);
    } catch (IOException | RuntimeException e) {
      holds.forEach(Account.Hold::close);
      throw e;
    }
  }

  private Place share(
      long start, long end, long address, String name, Sharing sharing, List<Account.Hold> holds)
      throws IOException {
    SharedMemory memory = memory(name, end - start);
    try {
      HcaUmem umem = hca.registerUmem(memory.segment());
      try {
        synchronized (table.payload) {
          shim.map(start, memory);
        }
        Range range = new Range(start, memory, umem, holds, sharing);
        memory.closeDescriptor();
        table.ranges.put(start, range);
        return new Place(range, address - start);
      } catch (IOException | RuntimeException e) {
        umem.close();
        throw e;
      }
    } catch (IOException | RuntimeException e) {
      memory.close();
      throw e;
    }
  }

  // Not an IOException, which would disconnect the client.
  private static SharedMemory memory(String name, long bytes) {
    try {
      // Applications enlarge memory of their own, and not the queues of libmlx5, which have to be
      // shared even if the size of files is limited.
      return name.equals(PAYLOAD)
          ? SharedMemory.growing(name, bytes)
          : new SharedMemory(name, bytes);
    } catch (IOException refused) {
      throw Refusal.byKernel("%d bytes of shared memory".formatted(bytes), refused);
    }
  }
}
