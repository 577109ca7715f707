package dev.bluebell.cli.perf;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.KeyOperations;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.MemoryWindow;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RemoteMemory;
import dev.bluebell.verbs.WindowRights;
import dev.bluebell.verbs.WindowType;

/**
 * Binds of type 1 memory windows, each window many times. Afterwards the device must hold each
 * window as its last bind made it.
 */
final class BindFlow extends Flow {
  private static final int WINDOWS = 64;
  private static final WindowRights RIGHTS =
      WindowRights.of(Access.REMOTE_READ, Access.REMOTE_WRITE);

  private final MemoryWindow[] windows = new MemoryWindow[WINDOWS];
  private final KeyOperations keys;
  private final MemoryRegion region;
  private final int size;

  BindFlow(Source source, ProtectionDomain domain) {
    super(source, null);
    keys = source.requester().keys();
    size = source.plan().size();
    region = domain.allocate(size + (long) WINDOWS, Access.LOCAL_WRITE);
    for (int i = 0; i < WINDOWS; i++) {
      windows[i] = domain.allocateWindow(WindowType.TYPE_1);
    }
  }

  @Override
  void begin(long first) {
    // Nothing to prepare: the next bind replaces any earlier one.
  }

  @Override
  void post(int index, int count) {
    for (int i = index; i < index + count; i++) {
      int window = i % WINDOWS;
      end(keys.bind(windows[window], region, window, size, RIGHTS), i);
    }
  }

  @Override
  boolean copy() {
    return false;
  }

  @Override
  boolean isGood() {
    boolean good = true;
    for (int i = 0; i < Math.min(target(), WINDOWS); i++) {
      RemoteMemory posted = windows[i].remote();
      windows[i].refresh();
      good &= windows[i].isBound() && windows[i].remote().equals(posted);
    }
    return good;
  }
}
