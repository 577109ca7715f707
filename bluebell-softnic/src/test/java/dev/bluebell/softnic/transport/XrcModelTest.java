package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.option.LossOptions;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawXrcSrq;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random requests over XRC, to several queues and over a fabric that loses, duplicates, delays and
 * reorders packets: each is executed once, in order, and received in the queue that it names. The
 * seed of a failed run is in its name.
 */
class XrcModelTest {
  private static final int REQUESTS = 100;
  private static final int QUEUES = 3;
  private static final int DEPTH = 8;
  private static final int LONGEST = 900;

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 40);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void everyRequestIsExecutedOnceAndReceivedInTheQueueThatItNames(long seed) {
    new Run(seed).go();
  }

  /** A message that a queue must receive. */
  private record Message(int opcode, byte[] data, int immediate) {}

  private static final class Run {
    private final Random random;
    private final Rig rig;
    private final RawPair pair;
    private final RawMemory local;
    private final RawMemory remote;
    private final byte[] model;
    private final List<RawXrcSrq> queues = new ArrayList<>();
    private final List<RawMemory> inboxes = new ArrayList<>();
    private final List<Deque<Message>> expected = new ArrayList<>();
    private final int[] posted = new int[QUEUES];
    private final int[] received = new int[QUEUES];
    private int sum;
    private int requests;
    private int completed;

    Run(long seed) {
      random = new Random(seed);
      double loss = random.nextInt(4) == 0 ? 0 : 0.1 * random.nextDouble();
      rig = Rigs.open(new LossOptions(loss, loss / 2, loss, random.nextInt(2) * 25_000L, seed));
      local = rig.memory(1 << 13).fill(seed);
      remote = rig.memory(1 << 13);
      model = remote.bytes();
      HcaObject xrcd = RawXrcSrq.domain(rig);
      for (int i = 0; i < QUEUES; i++) {
        queues.add(new RawXrcSrq(rig, xrcd, rig.domain(), rig.cq(7), 4));
        inboxes.add(rig.memory(DEPTH * LONGEST));
        expected.add(new ArrayDeque<>());
      }
      pair =
          RawPair.connect(
              rig.qp(RawXrcSrq.initiatorPlan(rig.cq(8)).sizes(7, 3, 4)),
              RawXrcSrq.target(rig, xrcd),
              new Settings().mtu(1).timeout(7).psn(0xffffc0, 0xffffc0));
    }

    void go() {
      for (int rounds = 0; completed < REQUESTS || isAwaiting(); rounds++) {
        assertThat(rounds).as("rounds, after %d completions", completed).isLessThan(100_000);
        if (requests < REQUESTS && requests - completed < 16) {
          post();
          requests++;
        }
        int queue = random.nextInt(QUEUES);
        if (posted[queue] - received[queue] < DEPTH) {
          int slot = posted[queue]++ % DEPTH;
          RawMemory inbox = inboxes.get(queue);
          queues.get(queue).receive(inbox.address((long) slot * LONGEST), LONGEST, inbox.key());
        }
        if (rig.nic().step() == 0) {
          rig.clock().advance(random.nextInt(50_000));
        }
        collect();
      }
      assertThat(remote.bytes()).isEqualTo(model);
      queues.forEach(RawXrcSrq::expectCanaries);
      rig.close();
    }

    private boolean isAwaiting() {
      return expected.stream().anyMatch(messages -> !messages.isEmpty());
    }

    private void post() {
      int queue = random.nextInt(QUEUES);
      int bytes = random.nextInt(LONGEST + 1);
      int from = random.nextInt(4096);
      byte[] data = local.bytes(from, bytes);
      Wqe wqe =
          switch (random.nextInt(4)) {
            case 0 -> {
              expected.get(queue).add(new Message(CqeOpcode.RESP_SEND_IMM, data, requests));
              yield new Wqe(WqeOpcode.SEND_IMM).immediate(requests).data(local, from, bytes);
            }
            case 1 -> {
              expected.get(queue).add(new Message(CqeOpcode.RESP_WR_IMM, new byte[0], requests));
              yield write(WqeOpcode.RDMA_WRITE_IMM, data)
                  .immediate(requests)
                  .data(local, from, bytes);
            }
            case 2 -> write(WqeOpcode.RDMA_WRITE, data).data(local, from, bytes);
            default -> {
              sum++;
              putSum();
              yield Wqe.fetchAndAdd(remote, 0, 1).data(local, (1 << 13) - 8, 8);
            }
          };
      pair.left().post(wqe.xrc(queues.get(queue).number()).control(ControlSegment.CE_ALWAYS));
    }

    private void putSum() {
      ByteBuffer.wrap(model).order(ByteOrder.nativeOrder()).putLong(0, sum);
    }

    private Wqe write(int opcode, byte[] data) {
      int to = 8 + random.nextInt(model.length - 8 - data.length);
      System.arraycopy(data, 0, model, to, data.length);
      return new Wqe(opcode).remote(remote.address(to), remote.key());
    }

    private void collect() {
      for (RawCqe cqe : pair.left().sends().poll()) {
        cqe.require(CqeOpcode.REQ, cqe.wqeCounter());
        completed++;
      }
      for (int queue = 0; queue < QUEUES; queue++) {
        for (RawCqe cqe : queues.get(queue).cq().poll()) {
          Message message = expected.get(queue).remove();
          int slot = received[queue]++ % DEPTH;
          assertThat(CqeOpcode.name(cqe.opcode())).isEqualTo(CqeOpcode.name(message.opcode()));
          assertThat(cqe.immediate()).isEqualTo(message.immediate());
          assertThat(inboxes.get(queue).bytes((long) slot * LONGEST, message.data().length))
              .isEqualTo(message.data());
        }
      }
    }
  }
}
