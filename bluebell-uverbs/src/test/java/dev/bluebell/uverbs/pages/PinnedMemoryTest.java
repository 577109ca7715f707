package dev.bluebell.uverbs.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.server.Account;
import dev.bluebell.server.Quota;
import dev.bluebell.server.Quotas;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Pages that a card would pin are counted as the kernel counts them. */
class PinnedMemoryTest {
  private final Account account = Quotas.of(Map.of(Quota.KEYS, 1L)).open(1);

  private static long limit(String bytes, long capabilities) {
    return PinnedMemory.limit(bytes, Capability.IPC_LOCK.isIn("%016x".formatted(capabilities)));
  }

  @Test
  void privilegedProcessesHaveNoLimit() {
    assertThat(limit("65536", 1L << 13 | 1L << 15)).isEqualTo(65536);
    assertThat(limit("65536", 1L << 14)).isEqualTo(Long.MAX_VALUE);
    assertThat(limit("unlimited", 0)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void pagesCountAsOftenAsTheyAreRegistered() {
    PinnedMemory pinned = new PinnedMemory(account);
    Account.Hold one = pinned.pin(4095, 2);
    assertThat(account.held(Quota.PINNED_PAGES)).isEqualTo(2);
    Account.Hold other = pinned.pin(0, 4096);
    assertThat(account.held(Quota.PINNED_PAGES)).isEqualTo(3);
    one.close();
    other.close();
    assertThat(account.held(Quota.PINNED_PAGES)).isZero();
  }
}
