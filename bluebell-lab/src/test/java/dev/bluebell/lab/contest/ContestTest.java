package dev.bluebell.lab.contest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.lab.contest.Contest.Outcome;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.plan.Model;
import dev.bluebell.softnic.VirtualTime;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.Device;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that compete for a table are served by the rules of the service in every order. */
class ContestTest {
  private static final int CLIENTS = 4;
  private static final int CALLS = 60;
  private static final int ORDERS = Integer.getInteger("bluebell.orders", 2);
  private static final long SEED = Long.getLong("bluebell.orders.seed", 1);

  @ParameterizedTest
  @Tag("slow")
  @ValueSource(strings = {"lock", "page-allocate", "fetch-add"})
  void competingClientsAreServedInEveryOrder(String service) {
    for (Target target : Target.values()) {
      for (Model model : Model.values()) {
        for (long seed = SEED; seed < SEED + ORDERS; seed++) {
          Outcome outcome = run(service, target, model, seed);
          assertThat(outcome.complaints())
              .as("bluebell.orders.seed=%d, %s, %s, %s", seed, service, target, model)
              .isEmpty();
          assertThat(outcome.calls()).isEqualTo(CALLS);
        }
      }
    }
  }

  @Test
  void aFreedPageIsReusedAndClientsCompeteForTheLock() {
    Outcome pages = run("page-allocate", Target.CHECKED, Model.CONSERVATIVE, 3);
    assertThat(pages.summary()).doesNotContain(" 0 of them again").doesNotContain(" 0 came back");
    Outcome lock = run("lock", Target.CHECKED, Model.CONSERVATIVE, 3);
    assertThat(lock.summary()).doesNotContain("taken 0").doesNotContain("refused 0");
  }

  private static Outcome run(String service, Target target, Model model, long seed) {
    SoftNicOptions options =
        SoftNicOptions.DEFAULT
            .withWqeChecks(target == Target.CHECKED)
            .withFencedEnables(model == Model.ASSUMED)
            .withAdversary(seed);
    try (Device device = Device.over(VirtualTime.open(options));
        Contest contest = Contest.of(service, device, target, model, CLIENTS, seed)) {
      return contest.run(CALLS);
    }
  }

  @Test
  void aLockHeldByTwoClientsIsReported() {
    LockRules rules = new LockRules(2);
    List<String> complaints = new ArrayList<>();
    rules.answered(0, new byte[] {1, 0, 0, 0, 0, 0}, complaints);
    assertThat(complaints).isEmpty();
    rules.answered(1, new byte[] {2, 0, 0, 0, 0, 0}, complaints);
    assertThat(complaints).containsExactly("clients 0 and 1 hold the lock at the same time");
  }

  @Test
  void aPageHeldByTwoClientsIsReported() {
    PageRules rules = new PageRules(2);
    List<String> complaints = new ArrayList<>();
    byte[] page = ByteBuffer.allocate(Long.BYTES).putLong(0x1000).array();
    for (int client = 0; client < 2; client++) {
      // A client without a page allocates one.
      assertThat(rules.next(client, new Random(1)).program()).isZero();
      rules.answered(client, page, complaints);
    }
    assertThat(complaints).contains("clients 0 and 1 both have page 0x1000");
  }
}
