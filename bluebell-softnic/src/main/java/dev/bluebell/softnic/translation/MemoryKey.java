package dev.bluebell.softnic.translation;

import dev.bluebell.hca.HcaForeignMemory;
import dev.bluebell.hca.command.Mkc;
import dev.bluebell.hca.command.View;
import org.jspecify.annotations.Nullable;

/**
 * A memory key: which addresses it grants, to whom, and where they are. Mirrors the context {@link
 * Mkc}, translation modes MTT over a umem, and MEMIC.
 */
public final class MemoryKey {
  public static final int LOCAL_READ = 1;
  public static final int LOCAL_WRITE = 2;
  public static final int REMOTE_READ = 4;
  public static final int REMOTE_WRITE = 8;
  public static final int REMOTE_ATOMIC = 16;

  private final int key;
  private final int pd;
  private int rights;
  private int ownRights;
  private final long start;
  private final long length;
  private final Umem umem;
  private final long base;
  private final @Nullable HcaForeignMemory foreign;
  private final byte[] context;

  /**
   * @param key index and tag
   * @param context the mkey context, 64 bytes, kept for QUERY_MKEY
   * @param umemOffset where in the umem the first byte lies; {@code [umemOffset, umemOffset + len)}
   *     was checked to lie inside
   * @param start the address by which work requests name the first byte
   */
  public MemoryKey(int key, byte[] context, Umem umem, long umemOffset, long start) {
    View mkc = View.over(context);
    this.key = key;
    this.context = context;
    this.umem = umem;
    pd = mkc.getInt(Mkc.PD);
    rights =
        (mkc.isSet(Mkc.LR) ? LOCAL_READ : 0)
            | (mkc.isSet(Mkc.LW) ? LOCAL_WRITE : 0)
            | (mkc.isSet(Mkc.RR) ? REMOTE_READ : 0)
            | (mkc.isSet(Mkc.RW) ? REMOTE_WRITE : 0)
            | (mkc.isSet(Mkc.A) ? REMOTE_ATOMIC : 0);
    this.start = start;
    length = mkc.get(Mkc.LEN);
    base = umem.address() + umemOffset;
    foreign = umem.foreign();
    ownRights = foreign == null ? rights : 0;
  }

  public int key() {
    return key;
  }

  public int pd() {
    return pd;
  }

  /** What the key grants; 0 when it was invalidated. */
  public int rights() {
    return rights;
  }

  /** What the key grants on memory of this process: nothing when it names another's. */
  int ownRights() {
    return ownRights;
  }

  /** How the device reaches the memory when it is another process's; null when it is not. */
  public @Nullable HcaForeignMemory foreign() {
    return foreign;
  }

  /** True when peers may end the key by SEND with invalidate. */
  boolean mayBeInvalidated() {
    return View.over(context).isSet(Mkc.EN_RINVAL);
  }

  /** Ends the key: it grants nothing any more, and is free as QUERY_MKEY reports it. */
  void invalidate() {
    rights = 0;
    ownRights = 0;
    View.over(context).set(Mkc.FREE, true);
  }

  boolean isFree() {
    return View.over(context).isSet(Mkc.FREE);
  }

  public long start() {
    return start;
  }

  public long length() {
    return length;
  }

  public Umem umem() {
    return umem;
  }

  /** The context as it was created, not copied. */
  public byte[] context() {
    return context;
  }

  /**
   * True when the whole range lies inside; correct for any 64-bit values, also those that wrap
   * around.
   */
  boolean contains(long address, long bytes) {
    long offset = address - start;
    return offset >= 0 && bytes <= length && offset <= length - bytes;
  }

  /** Where {@code address} is, which {@link #contains} accepted, in the process that has it. */
  public long translate(long address) {
    return base + (address - start);
  }
}
