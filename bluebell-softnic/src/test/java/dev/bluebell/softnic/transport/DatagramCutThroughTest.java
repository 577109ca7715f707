package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.Addresses;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Datagrams that cut through have exactly the same effects as when each is sent as a packet. The
 * seed of a failed run is in its name.
 */
class DatagramCutThroughTest {
  private static final int UD = 2;
  private static final int QKEY = 0x11111111;
  private static final int SIZE = 1 << 14;
  private static final int ROUNDS = 60;

  @ParameterizedTest(name = "seed {0}")
  @Tag("slow")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void datagramsThatCutThroughEndAsTravellingDatagramsDo(long seed) {
    assertThat(new Run(seed, Rigs.open()).go())
        .isEqualTo(new Run(seed, Rigs.open(FaultyFabric::new)).go());
  }

  @Test
  void plainDatagramsCutThroughAndOthersTravel() {
    FaultyFabric[] fabric = new FaultyFabric[1];
    try (Rig rig =
        Rigs.open(
            (inside, sink) -> {
              fabric[0] = new FaultyFabric(inside, sink).direct(true);
              return fabric[0];
            })) {
      RawQp sender = ready(rig, rig.cq(6), rig.cq(6));
      RawQp receiver = ready(rig, rig.cq(6), rig.cq(6));
      RawMemory memory = rig.memory(SIZE).fill(1);
      for (int i = 0; i < 3; i++) {
        receiver.receive(memory.address(1024L * i), 1024, memory.key());
      }
      sender.post(to(receiver, WqeOpcode.SEND, QKEY, false).data(memory, 8192, 100));
      sender.post(
          to(receiver, WqeOpcode.SEND_IMM, QKEY, true).data(memory, 8292, 984).immediate(7));
      // Back to the sender itself.
      sender.receive(memory.address(4096), 1024, memory.key());
      sender.post(to(sender, WqeOpcode.SEND, QKEY, false).data(memory, 8192, 1));
      rig.settle();
      assertThat(fabric[0].requestPsns()).isEmpty();
      assertThat(memory.bytes(40, 100)).isEqualTo(memory.bytes(8192, 100));
      assertThat(memory.bytes(1024 + 40, 984)).isEqualTo(memory.bytes(8292, 984));
      assertThat(sender.sends().poll(3)).noneMatch(RawCqe::isError);
      assertThat(sender.query().getInt(Qpc.NEXT_SEND_PSN)).isEqualTo(3);
      List<RawCqe> received = receiver.receives().poll(2);
      assertThat(received.get(0).require(CqeOpcode.RESP_SEND, 0).byteCount()).isEqualTo(140);
      assertThat(received.get(1).require(CqeOpcode.RESP_SEND_IMM, 1).immediate()).isEqualTo(7);

      int travelled = 0;
      for (Wqe other :
          List.of(
              to(receiver, WqeOpcode.SEND, QKEY, false)
                  .data(memory, 8192, 8)
                  .control(ControlSegment.CE_ALWAYS | ControlSegment.FENCE),
              to(receiver, WqeOpcode.SEND, QKEY, false).inline(new byte[8]),
              to(receiver, WqeOpcode.SEND, QKEY + 1, false).data(memory, 8192, 8),
              to(receiver, WqeOpcode.SEND, QKEY, false).data(memory, 8192, 985),
              to(receiver, WqeOpcode.SEND, QKEY, false).data(memory, 8192, 8))) {
        sender.post(other);
        rig.settle();
        assertThat(fabric[0].requestPsns()).hasSize(++travelled);
      }
    }
  }

  private static RawQp ready(Rig rig, RawCq sends, RawCq receives) {
    RawQp qp = rig.qp(new RawQpPlan(sends).receiveCompletions(receives).service(UD).sizes(6, 5, 5));
    qp.connect(0, new Settings().mtu(3).psn(0, 0));
    return qp;
  }

  private static Wqe to(RawQp receiver, int opcode, int qkey, boolean ipv4) {
    int entry = ipv4 ? Addresses.IPV4 : Addresses.LINK_LOCAL;
    return Wqe.datagram(opcode, receiver.number(), qkey, entry, Addresses.gid(entry));
  }

  private static final class Run {
    private final Random random;
    private final Rig rig;
    private final List<RawQp> pairs = new ArrayList<>();
    private final List<RawCq> queues = new ArrayList<>();
    private final RawMemory source;
    private final RawMemory target;
    private final List<String> log = new ArrayList<>();
    private final int brokenRate;

    Run(long seed, Rig rig) {
      random = new Random(seed);
      this.rig = rig;
      brokenRate = random.nextBoolean() ? 30 : 100_000;
      source = rig.memory(SIZE).fill(seed);
      target = rig.memory(SIZE);
      for (int i = 0; i < 3; i++) {
        RawCq sends = rig.cq(9);
        RawCq receives = random.nextInt(4) == 0 ? sends : rig.cq(random.nextInt(8) == 0 ? 4 : 9);
        queues.add(sends);
        queues.add(receives);
        pairs.add(ready(rig, sends, receives));
      }
    }

    List<String> go() {
      for (int round = 0; round < ROUNDS; round++) {
        for (RawQp qp : pairs) {
          for (int i = random.nextInt(24); i > 0; i--) {
            receive(qp);
          }
        }
        for (RawQp qp : pairs) {
          int index = qp.index();
          for (int i = random.nextInt(24); i > 0; i--) {
            qp.write(wqe());
          }
          qp.writeRecord();
          qp.ring(index);
        }
        rig.settle();
        note(round);
        if (pairs.stream().anyMatch(qp -> qp.state() == QpState.ERR)) {
          break;
        }
      }
      for (RawMemory memory : List.of(source, target)) {
        log.add("memory %x".formatted(Arrays.hashCode(memory.bytes())));
        memory.expectCanaries();
      }
      rig.close();
      return log;
    }

    private void receive(RawQp qp) {
      long at = target.address(random.nextInt(SIZE - 1100));
      switch (random.nextInt(brokenRate)) {
        case 0 -> qp.receive(at, 1100, target.key() ^ 1);
        case 1 -> qp.receive(at, 64, target.key());
        default -> {
          if (random.nextInt(4) == 0) {
            qp.receiveTwo(at, 40, at + 40, 1060, target.key());
          } else {
            qp.receive(at, 1100, target.key());
          }
        }
      }
    }

    private Wqe wqe() {
      int bytes = random.nextInt(random.nextInt(5) == 0 ? 1025 : 65);
      int flags =
          new int[] {
                ControlSegment.CE_ALWAYS,
                ControlSegment.CE_ALWAYS | ControlSegment.SOLICITED,
                ControlSegment.CE_ON_ERROR,
                ControlSegment.CE_ALWAYS | ControlSegment.FENCE,
              }
              [random.nextInt(4)];
      RawQp receiver = pairs.get(random.nextInt(5) / 2);
      int opcode = random.nextInt(3) == 0 ? WqeOpcode.SEND_IMM : WqeOpcode.SEND;
      int broken = random.nextInt(brokenRate);
      Wqe wqe = to(receiver, opcode, broken == 0 ? QKEY + 1 : QKEY, random.nextInt(6) == 0);
      int at = random.nextInt(SIZE - bytes);
      if (broken == 1) {
        wqe.data(source.address(at), bytes, source.key() ^ 1);
      } else if (broken == 2) {
        wqe.data(source, 0, 1025);
      } else {
        wqe.data(source, at, bytes);
      }
      return wqe.control(flags).immediate(random.nextInt());
    }

    private void note(int round) {
      log.add("round " + round);
      for (RawCq queue : queues) {
        queue.poll().forEach(cqe -> log.add(withoutAddresses(cqe.toString())));
      }
      for (RawQp qp : pairs) {
        var context = qp.query();
        log.add(
            "state %d, next_send_psn %x"
                .formatted(context.getInt(Qpc.STATE), context.getInt(Qpc.NEXT_SEND_PSN)));
      }
      rig.explanations().forEach(line -> log.add(withoutAddresses(line)));
    }

    // Regions have other addresses in the other run, and completions have timestamps.
    private static String withoutAddresses(String line) {
      return line.replaceAll("0x[0-9a-f]{6,}", "0x…").replaceAll("timestamp=\\d+", "");
    }
  }
}
