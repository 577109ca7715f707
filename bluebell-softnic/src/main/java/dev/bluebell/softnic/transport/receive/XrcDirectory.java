package dev.bluebell.softnic.transport.receive;

import dev.bluebell.softnic.queue.ObjectTable;
import org.jspecify.annotations.Nullable;

/**
 * Finds the shared receive queues that requests to one XRC target name. Owned by the thread that
 * runs the engine.
 */
public final class XrcDirectory {
  private final ObjectTable<XrcSrq> all;
  private final int qpn;
  private final int xrcd;

  // Requests come in trains for one queue.
  private int knownSrqn = -1;
  private int knownChanges;
  private @Nullable XrcSrq known;

  /**
   * @param xrcd the XRC domain of the target; 0 for none, to which no queue belongs
   */
  public XrcDirectory(ObjectTable<XrcSrq> all, int qpn, int xrcd) {
    this.all = all;
    this.qpn = qpn;
    this.xrcd = xrcd;
  }

  /** The queue with a number, any 32 bits; null when the domain has no such queue. */
  public @Nullable XrcSrq find(int srqn) {
    if (srqn != knownSrqn || all.changes() != knownChanges) {
      XrcSrq found = all.find(srqn);
      known = found != null && found.xrcd() == xrcd ? found : null;
      knownSrqn = srqn;
      knownChanges = all.changes();
    }
    return known;
  }

  /** Says why {@link #find} returns null. */
  public String whyNot(int srqn) {
    XrcSrq found = all.find(srqn);
    return found == null
        ? "no XRC SRQ 0x%x exists (srqn of the XRC segment)".formatted(srqn)
        : "XRC SRQ 0x%x (srqn of the XRC segment) is in XRC domain 0x%x, but QP 0x%x is in 0x%x (xrcd)"
            .formatted(srqn, found.xrcd(), qpn, xrcd);
  }
}
