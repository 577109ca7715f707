package dev.bluebell.uverbs.pages;

import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.server.Account;
import dev.bluebell.server.Quota;
import dev.bluebell.server.SharedMemory;
import dev.bluebell.server.WatchedProcess;
import dev.bluebell.uverbs.call.Refusal;
import java.io.IOException;
import java.util.regex.Pattern;

/**
 * The number of a process's pages that a card would pin, with its limit of locked memory, enforced
 * if it was started with that option. Mirrors the kernel's {@code umem.c: ib_umem_get}: overlapping
 * registrations count each time, privileged processes have no limit, and memory on demand is not
 * pinned. Thread-safe.
 */
public final class PinnedMemory {
  private static final Pattern LIMIT =
      Pattern.compile("Max locked memory +(\\d+|unlimited) +\\S+ +bytes *");
  private static final long NONE = Long.MAX_VALUE;

  private final Account account;
  private volatile long limit = NONE;

  /**
   * @param account of the process
   */
  public PinnedMemory(Account account) {
    this.account = account;
  }

  /** Enforces the limit of a process from now on. */
  public void enforce(WatchedProcess process) throws IOException {
    limit =
        limit(ProcessFile.word(process, "limits", LIMIT), Capability.IPC_LOCK.isHeldBy(process));
  }

  /**
   * Bytes that a process may lock.
   *
   * @param bytes its limit, a number or {@code unlimited}
   * @param privileged whether it has {@link Capability#IPC_LOCK}
   */
  static long limit(String bytes, boolean privileged) {
    return privileged || bytes.equals("unlimited") ? NONE : Long.parseLong(bytes);
  }

  /** Pins the pages of a range until the result is closed. */
  public Account.Hold pin(long address, long bytes) {
    long first = address & -SharedMemory.PAGE_BYTES;
    long pages = (address + bytes + SharedMemory.PAGE_BYTES - 1 - first) / SharedMemory.PAGE_BYTES;
    Account.Hold hold = account.take(Quota.PINNED_PAGES, pages);
    long held = account.held(Quota.PINNED_PAGES);
    if (held > limit / SharedMemory.PAGE_BYTES) {
      hold.close();
      throw new Refusal(
          Errno.ENOMEM,
          "%d more pages to pin make %d, but the client may lock only %d KiB (ulimit -l), as on a card; raise the limit, or leave out --memlock"
              .formatted(pages, held, limit >>> 10));
    }
    return hold;
  }
}
