package dev.bluebell.uverbs.xrc;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.uverbs.call.Refusal;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The XRC domains that the clients of a device have open. Clients that open the same file get the
 * same domain. Mirrors {@code ib_uverbs uverbs_cmd.c: ib_uverbs_open_xrcd, ib_uverbs_dealloc_xrcd}.
 * Thread-safe.
 */
public final class XrcDomains {
  // fcntl.h.
  private static final int O_CREAT = 1 << 6;
  private static final int O_EXCL = 1 << 7;

  private final Hca hca;
  private final Map<Object, XrcDomain> byFile = new HashMap<>();

  public XrcDomains(Hca hca) {
    this.hca = hca;
  }

  /**
   * Opens a domain.
   *
   * @param file identity of its file; null for a domain that no other client can open
   * @param flags as for open(2): only O_CREAT and O_EXCL are used
   */
  public synchronized XrcDomain open(@Nullable Object file, int flags) {
    @Nullable XrcDomain found = file == null ? null : byFile.get(file);
    Refusal.require(
        found != null || file == null || (flags & O_CREAT) != 0,
        Errno.EAGAIN,
        "no process has an XRC domain of this file open; O_CREAT creates one");
    Refusal.require(
        found == null || (flags & O_EXCL) == 0,
        Errno.EINVAL,
        "an XRC domain of this file is already open, and O_EXCL asks for a new one");
    XrcDomain domain = found == null ? new XrcDomain(hca) : found;
    if (file != null) {
      byFile.put(file, domain);
      domain.file = file;
    }
    domain.users++;
    return domain;
  }

  /** Closes a domain for one of its users; the last one frees it. */
  public synchronized void close(XrcDomain domain) {
    if (domain.users == 1) {
      domain.free();
      if (domain.file != null) {
        byFile.remove(domain.file);
      }
    }
    domain.users--;
  }
}
