package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests that cut through have exactly the same effects as when each is sent as packets: same
 * completions, memory, PSNs, states and explanations. The seed of a failed run is in its name.
 */
class CutThroughTest {
  private static final int SIZE = 1 << 16;
  private static final int ROUNDS = 60;

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void requestsThatCutThroughEndAsTravellingRequestsDo(long seed) {
    assertThat(new Run(seed, Rigs.open()).go())
        .isEqualTo(new Run(seed, Rigs.open(FaultyFabric::new)).go());
  }

  @Test
  void plainSendsAndReadsCutThroughAndOthersTravel() {
    FaultyFabric[] fabric = new FaultyFabric[1];
    try (Rig rig =
        Rigs.open(
            (inside, sink) -> {
              fabric[0] = new FaultyFabric(inside, sink).direct(true);
              return fabric[0];
            })) {
      RawPair pair =
          RawPair.connect(
              rig.qp(rig.cq(6)), rig.qp(new RawQpPlan(rig.cq(6)).sizes(4, 3, 5)), new Settings());
      RawMemory memory = rig.memory(SIZE).fill(1);
      pair.right().receive(memory.address(0), 32, memory.key());
      pair.right().receive(memory.address(64), 32, memory.key());
      pair.left().post(Wqe.send().data(memory, 4096, 32));
      pair.left().post(new Wqe(WqeOpcode.SEND_IMM).data(memory, 4128, 31).immediate(7));
      pair.left().post(Wqe.read(memory, 4160).data(memory, 128, 32));
      rig.settle();
      assertThat(fabric[0].requestPsns()).isEmpty();
      assertThat(memory.bytes(0, 32)).isEqualTo(memory.bytes(4096, 32));
      assertThat(memory.bytes(64, 31)).isEqualTo(memory.bytes(4128, 31));
      assertThat(memory.bytes(128, 32)).isEqualTo(memory.bytes(4160, 32));
      assertThat(pair.left().sends().poll(3))
          .extracting(RawCqe::wqeCounter, RawCqe::byteCount)
          .containsExactly(tuple(0, 0), tuple(1, 0), tuple(2, 32));
      List<RawCqe> received = pair.right().receives().poll(2);
      received.get(0).require(CqeOpcode.RESP_SEND, 0);
      assertThat(received.get(0).byteCount()).isEqualTo(32);
      received.get(1).require(CqeOpcode.RESP_SEND_IMM, 1);
      assertThat(received.get(1).byteCount()).isEqualTo(31);
      assertThat(received.get(1).immediate()).isEqualTo(7);

      // A SEND that does not fit the first buffer, a fence, and a key that refuses.
      pair.right().receiveTwo(memory.address(0), 16, memory.address(64), 16, memory.key());
      pair.left().post(Wqe.send().data(memory, 4096, 32));
      rig.settle();
      assertThat(fabric[0].requestPsns()).hasSize(1);
      pair.left()
          .post(
              Wqe.read(memory, 4160)
                  .data(memory, 128, 32)
                  .control(ControlSegment.CE_ALWAYS | ControlSegment.FENCE));
      rig.settle();
      assertThat(fabric[0].requestPsns()).hasSize(2);
      pair.left().post(Wqe.read(memory, 4160).data(memory.address(128), 32, 0x777));
      rig.settle();
      assertThat(fabric[0].requestPsns()).hasSize(3);
      pair.left().sends().poll(3).getLast().requireError(Syndrome.LOCAL_PROT_ERR, 5);
    }
  }

  @Test
  void plainWritesCutThroughAndOthersTravel() {
    FaultyFabric[] fabric = new FaultyFabric[1];
    try (Rig rig =
        Rigs.open(
            (inside, sink) -> {
              fabric[0] = new FaultyFabric(inside, sink).direct(true);
              return fabric[0];
            })) {
      RawPair pair = rig.pair();
      RawMemory memory = rig.memory(SIZE).fill(1);
      pair.left().post(Wqe.write(memory, 0).data(memory, 4096, 32));
      rig.settle();
      assertThat(fabric[0].requestPsns()).isEmpty();
      pair.left().post(Wqe.write(memory, 0).data(memory, 4096, 16).data(memory, 8192, 16));
      rig.settle();
      assertThat(fabric[0].requestPsns()).hasSize(1);
      pair.left().sends().poll(2);
    }
  }

  @Test
  void receivesThatCompleteWhereSendsDoFindTheRoomThatSendsLeave() {
    try (Rig rig = Rigs.open()) {
      RawCq shared = rig.cq(2);
      RawPair pair =
          RawPair.connect(
              rig.qp(new RawQpPlan(shared)),
              rig.qp(new RawQpPlan(rig.cq(4)).receiveCompletions(shared)),
              new Settings());
      RawMemory memory = rig.memory(SIZE).fill(1);
      for (int i = 0; i < 5; i++) {
        pair.right().receiveNothing();
        pair.left().write(Run.writeImmediate(memory, 64 * i).data(memory, 4096, 32));
      }
      pair.left().writeRecord();
      pair.left().ring(0);
      rig.settle();
      assertThat(shared.peek())
          .extracting(RawCqe::opcode)
          .containsExactly(
              CqeOpcode.RESP_WR_IMM, CqeOpcode.REQ, CqeOpcode.RESP_WR_IMM, CqeOpcode.REQ);
      assertThat(pair.right().state()).isEqualTo(QpState.ERR);
      assertThat(rig.explanations())
          .anyMatch(line -> line.startsWith("CQ 0x%x is overrun".formatted(shared.number())));
      shared.expectCanaries();
    }
  }

  private static final class Run {
    private final Random random;
    private final Rig rig;
    private final RawPair pair;
    private final RawMemory[] memories = new RawMemory[8];
    private final List<RawCq> queues = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private final int brokenRate;

    Run(long seed, Rig rig) {
      this.random = new Random(seed);
      this.rig = rig;
      brokenRate = random.nextBoolean() ? 60 : 100_000;
      for (int i = 0; i < memories.length; i++) {
        memories[i] = rig.memory(SIZE).fill(seed + i);
      }
      pair =
          RawPair.connect(
              queuePair(),
              queuePair(),
              new Settings()
                  .mtu(1 + random.nextInt(5))
                  .timeout(6)
                  .rnrRetry(1 + random.nextInt(7))
                  .psn(0xfffff0, 0xfffff0));
    }

    private RawQp queuePair() {
      RawCq sends = rig.cq(9);
      RawCq receives = rig.cq(random.nextInt(8) == 0 ? 4 : 9);
      queues.add(sends);
      queues.add(receives);
      return rig.qp(new RawQpPlan(sends).receiveCompletions(receives).sizes(6, 5, 5));
    }

    List<String> go() {
      for (int round = 0; round < ROUNDS; round++) {
        for (int i = random.nextInt(24); i > 0; i--) {
          receive(pair.left(), memories[3]);
        }
        for (int i = random.nextInt(24); i > 0; i--) {
          receive(pair.right(), memories[1]);
        }
        post(pair.left(), memories[0], memories[1]);
        post(pair.right(), memories[2], memories[3]);
        rig.settle();
        rig.pass(200_000_000);
        note(round);
        if (pair.left().state() == QpState.ERR || pair.right().state() == QpState.ERR) {
          break;
        }
      }
      for (RawMemory memory : memories) {
        log.add("memory %x".formatted(Arrays.hashCode(memory.bytes())));
        memory.expectCanaries();
      }
      rig.close();
      return log;
    }

    private void receive(RawQp queuePair, RawMemory into) {
      long at = into.address(random.nextInt(SIZE - 64));
      switch (random.nextInt(brokenRate)) {
        case 0 -> queuePair.receiveNothing();
        case 1 -> queuePair.receive(at, 64, into.key() ^ 1);
        case 2 -> queuePair.receive(at, 1 + random.nextInt(64), into.key());
        default -> {
          int first = random.nextInt(4) == 0 ? 1 + random.nextInt(64) : 64;
          if (first < 64) {
            queuePair.receiveTwo(at, first, at + first, 64 - first, into.key());
          } else {
            queuePair.receive(at, 64, into.key());
          }
        }
      }
    }

    private void post(RawQp queuePair, RawMemory from, RawMemory to) {
      int index = queuePair.index();
      for (int i = random.nextInt(40); i > 0; i--) {
        queuePair.write(wqe(from, to));
      }
      queuePair.writeRecord();
      queuePair.ring(index);
    }

    private Wqe wqe(RawMemory from, RawMemory to) {
      int bytes = random.nextInt(5) == 0 ? random.nextInt(SIZE / 2) : random.nextInt(65);
      int source = random.nextInt(SIZE - bytes);
      int target = random.nextInt(SIZE - bytes);
      int flags =
          new int[] {
                ControlSegment.CE_ALWAYS,
                ControlSegment.CE_ALWAYS | ControlSegment.SOLICITED,
                ControlSegment.CE_ON_ERROR,
                ControlSegment.CE_ON_FIRST_ERROR,
                ControlSegment.CE_ALWAYS | ControlSegment.FENCE,
              }
              [random.nextInt(5)];
      int own = from.equals(memories[0]) ? 4 : 6;
      Wqe wqe =
          switch (random.nextInt(12)) {
            // READs have their own memory: a request behind one may overtake its response.
            case 0, 8 -> Wqe.read(memories[own], target).data(memories[own + 1], source, bytes);
            case 1 -> Wqe.send();
            case 9, 10 -> Wqe.send().data(from, source, Math.min(bytes, 64));
            case 11 -> new Wqe(WqeOpcode.SEND_IMM).data(from, source, Math.min(bytes, 64));
            case 2, 3, 4 -> writeImmediate(to, target).data(from, source, bytes);
            default -> Wqe.write(to, target).data(from, source, bytes);
          };
      wqe.control(flags).immediate(random.nextInt());
      return random.nextInt(brokenRate) == 0 ? broken(from, to, target) : wqe;
    }

    private static Wqe writeImmediate(RawMemory to, int target) {
      return new Wqe(WqeOpcode.RDMA_WRITE_IMM).remote(to.address(target), to.key());
    }

    private Wqe broken(RawMemory from, RawMemory to, int target) {
      Wqe write = Wqe.write(to, target);
      return switch (random.nextInt(8)) {
        case 0 -> write.data(from.address(0), 32, from.key() ^ 1);
        case 1 -> write.data(from, SIZE - 16, 32);
        case 2 -> writeImmediate(to, SIZE - 16).data(from, 0, 32);
        case 3 -> write.data(from, 0, 32).index(7);
        case 4 -> write.data(from, 0, 32).qpn(0x777);
        case 5 -> write.data(from, 0, 32).opmod(3);
        case 6 -> write.data(from, 0, 32).ds(9);
        default -> write.data(from, 0, 32).control(0xe0 | ControlSegment.CE_ALWAYS);
      };
    }

    private void note(int round) {
      log.add("round " + round);
      for (RawCq queue : queues) {
        queue.poll().forEach(cqe -> log.add(withoutAddresses(cqe.toString())));
      }
      note(pair.left());
      note(pair.right());
      rig.explanations().forEach(line -> log.add(withoutAddresses(line)));
    }

    private void note(RawQp queuePair) {
      var context = queuePair.query();
      log.add(
          "state %d, next_send_psn %x, next_rcv_psn %x"
              .formatted(
                  context.getInt(Qpc.STATE),
                  context.getInt(Qpc.NEXT_SEND_PSN),
                  context.getInt(Qpc.NEXT_RCV_PSN)));
    }

    // Regions have other addresses in the other run, and completions have timestamps.
    private static String withoutAddresses(String line) {
      return line.replaceAll("0x[0-9a-f]{6,}", "0x…").replaceAll("timestamp=\\d+", "");
    }
  }
}
