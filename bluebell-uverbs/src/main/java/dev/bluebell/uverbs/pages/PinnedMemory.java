package dev.bluebell.uverbs.pages;

import dev.bluebell.server.Account;
import dev.bluebell.server.Quota;
import dev.bluebell.server.SharedMemory;
import dev.bluebell.server.WatchedProcess;
import dev.bluebell.uverbs.call.Errno;
import dev.bluebell.uverbs.call.Refusal;
import java.io.IOException;
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
      Pattern.compile("Max locked memory +(\\d+|unlimited) +\\S+ +bytes *");
  private static final Pattern CAPABILITIES = Pattern.compile("CapEff:\\s+([0-9a-f]+)");

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
  public void enforce(WatchedProcess process) throws IOException {
    limit = limit(word(process, "limits", LIMIT), word(process, "status", CAPABILITIES));
  }

  /** What a pattern finds in the first line of a file that it matches. */
  private static String word(WatchedProcess process, String file, Pattern pattern)
      throws IOException {
    StringBuilder found = new StringBuilder();
    process.lines(
        file,
        line -> {
          Matcher matcher = pattern.matcher(line);
          if (matcher.matches()) {
            found.append(matcher.group(1));
          }
          return found.isEmpty();
        });
    if (found.isEmpty()) {
      throw new IOException("the kernel does not tell how much memory a process may lock");
    }
    return found.toString();
  }

  /**
   * Bytes that a process may have locked.
   *
   * @param bytes its limit, a number or {@code unlimited}
   * @param capabilities a bit each, in hexadecimal digits
   */
  static long limit(String bytes, String capabilities) {
    boolean privileged = (Long.parseUnsignedLong(capabilities, 16) >>> CAP_IPC_LOCK & 1) != 0;
    return privileged || bytes.equals("unlimited") ? NONE : Long.parseLong(bytes);
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
          "%d more pages to pin are %d, and the client may lock %d KiB (ulimit -l), which a card does not go beyond; raise the limit, or leave out --memlock"
              .formatted(pages, held, limit >>> 10));
    }
    return hold;
  }
}
