package dev.bluebell.verbs;

import dev.bluebell.hca.command.MkeyCommands.Mkc;
import java.util.Set;

/**
 * The rights that a memory window or an indirect region grants. Immutable; create it once and use
 * it for many requests.
 *
 * <p>A window needs only the remote rights of its peers. If they include {@link
 * Access#REMOTE_WRITE} or {@link Access#REMOTE_ATOMIC}, the region under it must have {@link
 * Access#LOCAL_WRITE}; the window itself need not. An indirect region needs {@link
 * Access#LOCAL_WRITE} if requests of this side write through its lkey.
 */
public final class WindowRights {
  private final long bits;
  private final boolean changes;

  private WindowRights(Set<Access> rights) {
    if (rights.contains(Access.REMOTE_INVALIDATE)) {
      throw new IllegalArgumentException(
          "REMOTE_INVALIDATE can't be requested in a bind: windows of type 2 always have it");
    }
    changes =
        rights.contains(Access.LOCAL_WRITE)
            || rights.contains(Access.REMOTE_WRITE)
            || rights.contains(Access.REMOTE_ATOMIC);
    bits =
        Mkc.LW.place(rights.contains(Access.LOCAL_WRITE) ? 1 : 0)
            | Mkc.RW.place(rights.contains(Access.REMOTE_WRITE) ? 1 : 0)
            | Mkc.RR.place(rights.contains(Access.REMOTE_READ) ? 1 : 0)
            | Mkc.A.place(rights.contains(Access.REMOTE_ATOMIC) ? 1 : 0);
  }

  /** Exactly these rights. */
  public static WindowRights of(Access... rights) {
    return new WindowRights(Set.of(rights));
  }

  /** The rights as bits of the first 8 bytes of a memory key context. */
  public long bits() {
    return bits;
  }

  /** True when the rights allow writes or atomics. */
  public boolean changesMemory() {
    return changes;
  }
}
