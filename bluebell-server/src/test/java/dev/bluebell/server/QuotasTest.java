package dev.bluebell.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.SoftNicOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Limits of each client, for any number of clients and any requests. */
class QuotasTest {
  /** Keys for 64 newcomers, two each. */
  private static final long KEPT = 128;

  private final Quotas quotas = Quotas.of(Map.of(Quota.KEYS, 1000L));

  private static long takeAll(Account account) {
    long taken = 0;
    while (account.tryTake(Quota.KEYS) != null) {
      taken++;
    }
    return taken;
  }

  @Test
  void aSingleClientHoldsHalfOfTheUnreservedAmount() {
    assertThat(takeAll(quotas.open(1))).isEqualTo((1000 - KEPT) / 2);
  }

  @Test
  void noNumberOfGreedyClientsTakesAllConnections() {
    for (long all : new long[] {32, 750, 1024}) {
      Quotas connections = Quotas.of(Map.of(Quota.CONNECTIONS, all));
      for (int pid = 1; pid <= 10; pid++) {
        Account greedy = connections.open(pid);
        long taken = 0;
        while (greedy.tryTake(Quota.CONNECTIONS) != null) {
          taken++;
        }
        assertThat(taken).as("client %d of %d connections", pid, all).isPositive();
      }
      assertThat(connections.open(11).tryTake(Quota.CONNECTIONS)).isNotNull();
    }
  }

  @Test
  void newcomersGetTheirFirstNeedsFromTheReserve() {
    Quotas threads = Quotas.of(Map.of(Quota.THREADS, 16L));
    Account greedy = threads.open(1);
    assertThat(greedy.take(Quota.THREADS, 6)).isNotNull();
    assertThat(greedy.tryTake(Quota.THREADS)).isNull();
    for (int pid = 2; pid <= 6; pid++) {
      assertThat(threads.open(pid).take(Quota.THREADS, 2)).isNotNull();
    }
    assertThat(threads.held(Quota.THREADS)).isEqualTo(16);
    assertThat(threads.open(7).tryTake(Quota.THREADS)).isNull();
  }

  @Test
  void anyNumberOfGreedyClientsLeavesSomethingForTheNext() {
    for (int pid = 1; pid <= 8; pid++) {
      assertThat(takeAll(quotas.open(pid))).as("client %d", pid).isPositive();
    }
    assertThat(quotas.held(Quota.KEYS)).isLessThan(1000);
  }

  @Test
  void twoClientsThatTakeInTurnsHoldAThirdEach() {
    Account one = quotas.open(1);
    Account two = quotas.open(2);
    while (one.tryTake(Quota.KEYS) != null | two.tryTake(Quota.KEYS) != null) {
      assertThat(quotas.held(Quota.KEYS)).isLessThan(1000);
    }
    assertThat(one.held(Quota.KEYS)).isBetween(290L, 291L);
    assertThat(two.held(Quota.KEYS)).isBetween(290L, 291L);
  }

  @Test
  void aRefusalNamesTheQuotaAndTakesNothing() {
    Account account = quotas.open(1);
    Account.Hold held = account.take(Quota.KEYS, 435);
    assertThatThrownBy(() -> account.take(Quota.KEYS, 2))
        .isInstanceOfSatisfying(
            QuotaExceeded.class, e -> assertThat(e.status()).isEqualTo(CommandStatus.LIM_ERR))
        .hasMessage(
            "the client holds 435 memory keys and asks for 2 more; of the 1000 for all clients 565"
                + " are free, of which 128 are reserved for new clients, and a client may hold no"
                + " more than it leaves free for others (quota KEYS)");
    assertThat(account.held(Quota.KEYS)).isEqualTo(435);
    held.close();
    held.close();
    assertThat(quotas.held(Quota.KEYS)).isZero();
  }

  @Test
  void wildAmountsAreRefused() {
    Account account = quotas.open(1);
    for (long wild : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, 1001}) {
      assertThatThrownBy(() -> account.take(Quota.KEYS, wild)).isInstanceOf(QuotaExceeded.class);
    }
    assertThat(quotas.held(Quota.KEYS)).isZero();
  }

  @Test
  void allConnectionsOfAProcessHaveOneAccount() {
    Account first = quotas.open(7);
    Account second = quotas.open(7);
    assertThat(takeAll(first)).isEqualTo((1000 - KEPT) / 2);
    assertThat(second.tryTake(Quota.KEYS)).isNull();
    first.close();
    assertThat(quotas.open(7)).isSameAs(second);
  }

  @Test
  void holdsThatOutliveAClientCountForAllClientsAndForItsReturn() {
    Account gone = quotas.open(7);
    Account.Hold stays = gone.take(Quota.KEYS, 400);
    gone.close();
    assertThat(quotas.open(7)).isSameAs(gone);
    Account next = quotas.open(8);
    assertThat(next.held(Quota.KEYS)).isZero();
    assertThat(takeAll(next)).isEqualTo((600 - KEPT) / 2);
    stays.close();
    assertThat(quotas.held(Quota.KEYS)).isEqualTo((600 - KEPT) / 2);
  }

  @Test
  void quotasFollowFromTheLimitsOfTheProcess() {
    try (SoftNic nic = SoftNic.open(SoftNicOptions.DEFAULT)) {
      Quotas small = Quotas.of(nic, new ProcessLimits(100, 40, 1000, 64 << 20, 1 << 20));
      Quotas large = Quotas.of(nic, new ProcessLimits(30_000, 15_000, 2000, 8L << 30, 16L << 30));
      assertThat(small.limit(Quota.MAPPINGS)).isEqualTo(100);
      assertThat(small.limit(Quota.DESCRIPTORS)).isEqualTo(40);
      assertThat(small.limit(Quota.SILENT_CONNECTIONS)).isEqualTo(5);
      assertThat(small.limit(Quota.CONNECTIONS)).isEqualTo(32);
      assertThat(small.limit(Quota.THREADS)).isEqualTo(1000);
      assertThat(small.limit(Quota.BYTES)).isEqualTo(1 << 20);
      assertThat(small.limit(Quota.KEYS)).isEqualTo(16384);
      assertThat(small.limit(Quota.DEVICE_MEMORY)).as("two of the largest").isEqualTo(256 << 10);
      assertThat(large.limit(Quota.CONNECTIONS)).as("8 MiB of heap each").isEqualTo(1024);
      assertThat(small.limit(Quota.EVENT_CHANNELS)).as("as many as threads").isEqualTo(1000);
      assertThat(large.limit(Quota.THREADS)).isEqualTo(2000);
      assertThat(large.limit(Quota.KEYS)).as("all that the device has").isEqualTo(1 << 20);
      assertThat(large.limit(Quota.TAG_MATCHING_QUEUES)).as("all of them").isEqualTo(1 << 10);
      assertThat(small.limit(Quota.DC_TARGETS)).as("with 1024 sessions each").isEqualTo(4);
      assertThat(small.limit(Quota.STREAMS)).isEqualTo(4096);
      for (Quota quota : Quota.values()) {
        assertThat(small.limit(quota)).as("%s", quota).isBetween(4L, large.limit(quota));
      }
    }
  }

  @Test
  void theLimitsOfThisProcessAreThoseOfTheKernelLessItsOwnPart() throws IOException {
    ProcessLimits limits = ProcessLimits.here();
    long mappings =
        Long.parseLong(Files.readAllLines(Path.of("/proc/sys/vm/max_map_count")).getFirst());
    assertThat(limits.mappings()).isBetween(16L, mappings / 2);
    List<Long> all =
        new ArrayList<>(List.of(limits.descriptors(), limits.threads(), limits.memoryBytes()));
    assertThat(all).allMatch(limit -> limit > 0);
    assertThat(limits.memoryBytes()).isLessThan(Long.MAX_VALUE / 2);
    assertThat(limits.heapBytes()).isEqualTo(Runtime.getRuntime().maxMemory());
  }
}
