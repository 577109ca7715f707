package dev.bluebell.softnic.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A queue pair with much to do does not keep another one's single request waiting. */
class FairnessTest {
  /** Bytes for which the device needs many steps. */
  private static final int LONG = 48 << 20;

  private static final int LOG_FULL = 15;
  private static final int LARGE = 64 << 10;

  /** Steps within which a single request completes, whatever other queue pairs have posted. */
  private static final int STEPS = 2;

  private final Rig rig = Rigs.open();
  private final RawPair single = rig.pair();
  private final RawMemory small = rig.memory(64);

  @AfterEach
  void close() {
    rig.close();
  }

  private void expectOthersToPass(RawQp busy) {
    rig.nic().step();
    for (int i = 0; i < 2; i++) {
      single.left().post(request(i));
      for (int step = 0; step < STEPS; step++) {
        rig.nic().step();
      }
      single.left().sends().pollOne().require(CqeOpcode.REQ, i);
      assertThat(busy.sends().peek()).as("completions of the busy queue pair").isEmpty();
    }
    rig.settle();
    assertThat(busy.sends().pollOne().isError()).isFalse();
  }

  // A pair whose requests cut through, and one whose requests travel.
  private Wqe request(int i) {
    return i == 0
        ? Wqe.write(small, 0).data(small, 8, 8)
        : Wqe.write(small, 0).data(small, 8, 4).data(small, 16, 4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"WRITE", "READ", "SEND"})
  void aMessageOfManyMegabytesLetsOthersPass(String kind) {
    RawPair pair = rig.pair();
    RawMemory memory = rig.memory(LONG);
    pair.right().receive(memory.address(0), LONG, memory.key());
    Wqe wqe =
        switch (kind) {
          case "WRITE" -> Wqe.write(memory, 0);
          case "READ" -> Wqe.read(memory, 0);
          default -> Wqe.send();
        };
    pair.left().post(wqe.data(memory, 0, LONG));
    expectOthersToPass(pair.left());
  }

  @ParameterizedTest
  @ValueSource(strings = {"NOP", "plain WRITE", "WRITE", "READ", "atomic"})
  void aFullRingOfShortRequestsLetsOthersPass(String kind) {
    RawCq cq = rig.cq(1);
    RawQp busy = rig.qp(new RawQpPlan(cq).sizes(LOG_FULL, 3, 4));
    RawPair.connect(busy, rig.qp(rig.cq(4)), new Settings());
    for (int i = 1; i < 1 << LOG_FULL; i++) {
      busy.write(shortRequest(kind).unsignalled());
    }
    busy.post(shortRequest(kind));
    expectOthersToPass(busy);
  }

  private Wqe shortRequest(String kind) {
    return switch (kind) {
      case "NOP" -> Wqe.nop();
      case "plain WRITE" -> Wqe.write(small, 0).data(small, 8, 8);
      case "WRITE" -> Wqe.write(small, 0).inline(new byte[8]);
      case "READ" -> Wqe.read(small, 0).data(small, 8, 8);
      default -> Wqe.fetchAndAdd(small, 0, 1).data(small, 8, 8);
    };
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void manyLargeRequestsLetOthersPass(boolean plain) {
    RawMemory memory = rig.memory(LARGE);
    RawQp busy = rig.qp(new RawQpPlan(rig.cq(1)).sizes(10, 3, 4));
    RawPair.connect(busy, rig.qp(rig.cq(4)), new Settings());
    for (int i = 1; i < 1 << 9; i++) {
      busy.write(largeRequest(memory, plain).unsignalled());
    }
    busy.post(largeRequest(memory, plain));
    expectOthersToPass(busy);
  }

  private static Wqe largeRequest(RawMemory memory, boolean plain) {
    return plain
        ? Wqe.write(memory, 0).data(memory, 0, LARGE)
        : Wqe.write(memory, 0).data(memory, 0, 8).data(memory, 8, LARGE - 8);
  }
}
