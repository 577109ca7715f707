package dev.bluebell.softnic.hostile;

import dev.bluebell.roce.packet.Psn;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.rig.RawDct;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.transport.FaultyFabric;
import dev.bluebell.softnic.transport.FaultyFabric.Answer;
import dev.bluebell.softnic.transport.FaultyFabric.Fate;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Packets with random headers, of all services: spoiled in transit, or never sent at all. Fabrics
 * guarantee only that the payload has the length that the packet says.
 */
class HostilePacketsTest {
  private static final int STRIKES = 1000;
  private static final int MEMORY_BYTES = 1 << 14;

  private final FaultyFabric[] faulty = new FaultyFabric[1];

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("dev.bluebell.softnic.hostile.Seeds#all")
  @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void theDeviceComesToRestAndTouchesOnlyItsMemory(long seed) {
    Random random = new Random(seed);
    try (Rig rig =
        Rigs.open(
            (inside, sink) -> {
              faulty[0] = new FaultyFabric(inside, sink);
              return faulty[0];
            })) {
      RawMemory memory = rig.memory(MEMORY_BYTES).fill(seed);
      QuietPair quiet = new QuietPair(rig, seed);
      NewerTransports newer = new NewerTransports(rig, random, memory);
      List<Integer> numbers = newer.numbers();
      for (int i = 0; i < STRIKES; i++) {
        faulty[0].onRequest(packet -> onItsWay(random, packet, newer, memory));
        faulty[0].onResponse(packet -> onItsWay(random, packet, newer, memory));
        newer.receive();
        RawQp qp = newer.senders().get(random.nextInt(newer.senders().size()));
        qp.post(newer.request(qp));
        rig.settle();
        forge(random, numbers, newer, memory);
        rig.pass(1L << random.nextInt(24));
        faulty[0].carryAllRequests();
        faulty[0].carryAllResponses();
        quiet.post();
        rig.settle();
        quiet.expectDone();
        if (i % 8 == 7) {
          newer.revive();
        }
      }
      quiet.expectAlive();
      quiet.expectCanaries();
      memory.expectCanaries();
      newer.expectCanariesAndEnd();
    }
  }

  private void forge(
      Random random, List<Integer> numbers, NewerTransports newer, RawMemory memory) {
    for (int packets = random.nextInt(4); packets > 0; packets--) {
      int from = numbers.get(random.nextInt(numbers.size()));
      int to = numbers.get(random.nextInt(numbers.size()));
      if (random.nextBoolean()) {
        faulty[0].forgeRequest(from, to, packet -> draw(random, packet, newer, memory));
      } else {
        Answer answer = Answer.values()[random.nextInt(Answer.values().length)];
        int psn = 0x1000 + random.nextInt(4);
        faulty[0].forgeResponse(
            from,
            to,
            answer,
            psn,
            packet -> {
              int opcode = packet.opcode;
              draw(random, packet, newer, memory);
              packet.psn = psn;
              packet.opcode = opcode | random.nextInt(8) << 5;
            });
      }
    }
  }

  private static Fate onItsWay(
      Random random, Packet packet, NewerTransports newer, RawMemory memory) {
    switch (random.nextInt(8)) {
      case 0 -> {
        return Fate.LOSE;
      }
      case 1 -> {
        return Fate.REPEAT;
      }
      case 2, 3 -> {
        for (int fields = 1 + random.nextInt(3); fields > 0; fields--) {
          spoil(random, packet, newer, memory);
        }
      }
      default -> {}
    }
    return Fate.DELIVER;
  }

  /** A packet of all random fields. */
  private static void draw(Random random, Packet packet, NewerTransports newer, RawMemory memory) {
    packet.dcKey = RawDct.KEY;
    packet.destinationGidHigh = packet.sourceGidHigh;
    packet.destinationGidLow = packet.sourceGidLow;
    packet.psn = 0x1000 + random.nextInt(4);
    packet.sessionPsn = 0x1000;
    packet.session = random.nextInt(50);
    packet.srqn = newer.srqn();
    packet.address = memory.address(0);
    packet.rkey = memory.key();
    int bytes = random.nextInt(random.nextBoolean() ? 64 : 5000);
    packet.payload.clear();
    packet.payload.add(memory.address(0), bytes);
    packet.payloadBytes = bytes;
    packet.length = bytes;
    packet.packets = Math.max(1, bytes + 255 >>> 8);
    packet.opcode = random.nextInt(256);
    for (int fields = random.nextInt(4); fields > 0; fields--) {
      spoil(random, packet, newer, memory);
    }
  }

  private static void spoil(Random random, Packet packet, NewerTransports newer, RawMemory memory) {
    switch (random.nextInt(18)) {
      case 0 -> packet.opcode = packet.opcode ^ 1 << random.nextInt(8);
      case 1 -> packet.psn = Psn.add(packet.psn, random.nextInt(5) - 2);
      case 2 -> packet.psn = random.nextInt() & Psn.MASK;
      case 3 -> packet.packets = random.nextInt(random.nextBoolean() ? 4 : Integer.MAX_VALUE);
      case 4 -> packet.length = random.nextBoolean() ? random.nextLong() : random.nextInt(9000);
      case 5 ->
          packet.address =
              random.nextBoolean()
                  ? random.nextLong()
                  : memory.address(random.nextInt(3 * MEMORY_BYTES) - MEMORY_BYTES);
      case 6 -> packet.rkey = random.nextInt();
      case 7 -> packet.srqn = random.nextBoolean() ? random.nextInt() : newer.srqn() + 1;
      case 8 -> packet.dcKey = random.nextLong();
      case 9 -> packet.stream = random.nextInt(1 << 16);
      case 10 -> packet.session = random.nextBoolean() ? random.nextInt() : random.nextInt(50);
      case 11 -> packet.sessionPsn = random.nextInt() & Psn.MASK;
      case 12 -> packet.syndrome = random.nextInt(256);
      case 13 -> packet.msn = random.nextInt() & Psn.MASK;
      case 14 -> packet.masked.bytes = random.nextInt(40) - 4;
      case 15 -> packet.immediate = random.nextInt();
      case 16 -> packet.destinationQpn = random.nextInt() & 0xffffff;
      default -> {
        packet.payload.clear();
        packet.payloadBytes = 0;
      }
    }
  }
}
