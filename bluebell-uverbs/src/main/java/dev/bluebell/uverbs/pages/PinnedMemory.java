package dev.bluebell.uverbs.pages;

import dev.bluebell.server.Account;
import dev.bluebell.server.Quota;
import dev.bluebell.server.SharedMemory;
import dev.bluebell.uverbs.call.Errno;
import dev.bluebell.uverbs.call.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Counts the pages of a process that a card would pin, where whoever started it asked for that, and
 * refuses what its limit of locked memory does not allow. Mirrors the kernel's {@code umem.c:
 * ib_umem_get}: what overlaps counts as often as it is registered, privileged processes have no
 * limit, and memory on demand is not pinned. Thread-safe.
 */
public final class PinnedMemory {
  private static final Pattern LIMIT =
      Pattern.compile("(?m)^Max locked memory +(\\d+|unlimited) +\\S+ +bytes");
  private static final Pattern CAPABILITIES = Pattern.compile("(?m)^CapEff:\\s+([0-9a-f]+)$");

  /** {@code linux/capability.h: CAP_IPC_LOCK}. */
  private static final int CAP_IPC_LOCK = 14;

  private static final long NONE = Long.MAX_VALUE;

  private final Account account;
  private volatile long limit = NONE;

  /**
   * @param account of the process
   */
  public PinnedMemory(Account account) {
    this.account = account;
  }

  /** From now on refuses what the limit of a process does not allow. */
  public void enforce(int pid) throws IOException {
    Path process = Path.of("/proc", Integer.toString(pid));
    limit =
        limit(
            Files.readString(process.resolve("limits")),
            Files.readString(process.resolve("status")));
  }

  /** Bytes that a process may have locked, by what {@code proc(5)} says of it. */
  static long limit(String limits, String status) throws IOException {
    Matcher bytes = LIMIT.matcher(limits);
    Matcher capabilities = CAPABILITIES.matcher(status);
    if (!bytes.find() || !capabilities.find()) {
      throw new IOException("the kernel does not tell how much memory a process may lock");
    }
    boolean privileged =
        (Long.parseUnsignedLong(capabilities.group(1), 16) >>> CAP_IPC_LOCK & 1) != 0;
    return privileged || bytes.group(1).equals("unlimited") ? NONE : Long.parseLong(bytes.group(1));
  }

  /** Pins the pages that hold some bytes, until the result is closed. */
  public Account.Hold pin(long address, long bytes) {
    long first = address & -SharedMemory.PAGE_BYTES;
    long pages = (address + bytes + SharedMemory.PAGE_BYTES - 1 - first) / SharedMemory.PAGE_BYTES;
    Account.Hold hold = account.take(Quota.PINNED_PAGES, pages);
    long held = account.held(Quota.PINNED_PAGES);
    if (held > limit / SharedMemory.PAGE_BYTES) {
      hold.close();
      throw new Refusal(
          Errno.ENOMEM,
          "%d more pages to pin are %d, and the program may lock %d KiB (ulimit -l), which a card does not go beyond; raise the limit, or leave out --memlock"
              .formatted(pages, held, limit >>> 10));
    }
    return hold;
  }
}
