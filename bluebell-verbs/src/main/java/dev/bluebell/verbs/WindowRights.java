package dev.bluebell.verbs;

import dev.bluebell.hca.command.MkeyCommands.Mkc;
import java.util.Set;

/**
 * What a memory window, or a region of other regions, grants. Immutable; make it once and use it
 * for many requests.
 */
public final class WindowRights {
  private final long bits;
  private final boolean changes;

  private WindowRights(Set<Access> rights) {
    if (rights.contains(Access.REMOTE_INVALIDATE)) {
      throw new IllegalArgumentException(
          "REMOTE_INVALIDATE is no right of a bind: windows of type 2 always have it");
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

  /** These rights, and no others. */
  public static WindowRights of(Access... rights) {
    return new WindowRights(Set.of(rights));
  }

  /** The rights at their places in the first 8 bytes of a memory key context. */
  public long bits() {
    return bits;
  }

  /** True when something may be written. */
  public boolean changesMemory() {
    return changes;
  }
}
