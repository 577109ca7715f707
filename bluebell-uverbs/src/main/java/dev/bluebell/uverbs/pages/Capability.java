package dev.bluebell.uverbs.pages;

import dev.bluebell.server.WatchedProcess;
import java.io.IOException;
import java.util.regex.Pattern;

/** A Linux capability. */
public enum Capability {
  /** {@code linux/capability.h: CAP_NET_RAW}. */
  NET_RAW(13),
  /** {@code linux/capability.h: CAP_IPC_LOCK}. */
  IPC_LOCK(14);

  private static final Pattern EFFECTIVE = Pattern.compile("CapEff:\\s+([0-9a-f]+)");

  private final int bit;

  Capability(int bit) {
    this.bit = bit;
  }

  /** Asks the kernel whether a process has it now in this process's user namespace. */
  public boolean isHeldBy(WatchedProcess process) throws IOException {
    return process.isInOwnUserNamespace() && isIn(ProcessFile.word(process, "status", EFFECTIVE));
  }

  /**
   * True when a capability set contains it.
   *
   * @param set a bit mask in hexadecimal
   */
  boolean isIn(String set) {
    return (Long.parseUnsignedLong(set, 16) >>> bit & 1) != 0;
  }
}
