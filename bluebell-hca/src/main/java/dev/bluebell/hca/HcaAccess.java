package dev.bluebell.hca;

/**
 * Rights of registered memory, as bits. Mirrors {@code verbs.h: ibv_access_flags}; local read is
 * always granted.
 */
public final class HcaAccess {
  public static final int LOCAL_WRITE = 1;
  public static final int REMOTE_WRITE = 2;
  public static final int REMOTE_READ = 4;
  public static final int REMOTE_ATOMIC = 8;

  /** All bits that a registration may have. */
  public static final int ALL = LOCAL_WRITE | REMOTE_WRITE | REMOTE_READ | REMOTE_ATOMIC;

  private HcaAccess() {}
}
