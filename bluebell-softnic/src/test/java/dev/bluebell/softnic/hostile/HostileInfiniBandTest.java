package dev.bluebell.softnic.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.InfiniBandWay;
import dev.bluebell.softnic.rig.RawDct;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPool;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests with random address vectors on an InfiniBand port end in a completion. */
class HostileInfiniBandTest {
  private static final int SEEDS = Integer.getInteger("bluebell.hostile.seeds", 1);
  private static final int ROUNDS = 500;
  private static final long TIMEOUT = 4096 << 3;

  private final Rig rig = Rigs.openInfiniBand(options -> options.withLmc(3));
  private final RawMemory memory = rig.memory(1 << 13);
  private final int lid = rig.nic().queryPort(1).lid();
  private final RawQp receiver = datagrams();
  private final RawDct dct = new RawDct(rig, rig.cq(6), new RawPool(rig, false, 4));

  @AfterEach
  void close() {
    memory.expectCanaries();
    rig.close();
  }

  private RawQp datagrams() {
    RawQp qp = rig.qp(new RawQpPlan(rig.cq(6)).service(ServiceType.UD.code()));
    qp.connect(0, new Settings());
    return qp;
  }

  private RawQp initiator() {
    RawQp qp = rig.qp(new RawQpPlan(rig.cq(6)).initiator().sizes(6, 0, 4));
    qp.connect(0, new Settings().retryCount(1).timeout(3).mtu(3));
    return qp;
  }

  /** A request whose address vector is only partly right. */
  private Wqe spoilt(Random random, boolean dynamic) {
    int number = dynamic ? dct.number() : random.nextInt(10) == 0 ? 0xffffff : receiver.number();
    InfiniBandWay way =
        new InfiniBandWay(
            random.nextBoolean() ? lid | random.nextInt(8) : random.nextInt(1 << 16),
            random.nextInt(128),
            random.nextInt(16),
            random.nextBoolean(),
            random.nextInt(3) == 0 ? random.nextInt(256) : 0,
            rig.nic().queryGid(1, 0));
    int opcode = dynamic ? WqeOpcode.RDMA_WRITE : WqeOpcode.SEND;
    long key = dynamic ? RawDct.KEY : 0x1111_1111L << 32;
    Wqe wqe =
        switch (random.nextInt(4)) {
          case 0 -> way.request(opcode, key, number);
          case 1 -> way.staleRequest(opcode, key, number);
          case 2 -> way.compactRequest(opcode, key, number);
          default -> new Wqe(opcode).words(random.nextLong(), random.nextLong());
        };
    for (int i = random.nextInt(3); i > 0; i--) {
      wqe.words(random.nextLong(), random.nextLong());
    }
    return dynamic && random.nextBoolean() ? wqe.remote(memory.address(0), memory.key()) : wqe;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void eachSpoiltRequestEndsInACompletion(boolean dynamic) {
    for (int seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      RawQp sender = dynamic ? initiator() : datagrams();
      for (int i = 0; i < ROUNDS; i++) {
        receiver.receive(memory.address(0), 1 << 13, memory.key());
        sender.post(spoilt(random, dynamic));
        rig.settle();
        rig.pass(TIMEOUT);
        rig.pass(TIMEOUT);
        assertThat(sender.sends().poll()).as("seed %d, round %d", seed, i).isNotEmpty();
        receiver.receives().poll();
        receiver.reset();
        receiver.connect(0, new Settings());
        sender.reset();
        sender.connect(0, new Settings().retryCount(1).timeout(3).mtu(dynamic ? 3 : 5));
      }
    }
  }
}
