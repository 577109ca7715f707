package dev.bluebell.softnic.hostile;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.DctCommands.Dctc;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawDct;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPool;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.RawXrcSrq;
import dev.bluebell.softnic.rig.RawXrq;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.List;
import java.util.Random;

/**
 * One queue pair of each kind that an attack would otherwise miss: XRC, DC with and without
 * streams, one that copies, and one that changes a list of tags.
 */
final class NewerTransports {

  private final Random random;
  private final RawMemory memory;
  private final RawCq completions;
  private final RawPool pool;
  private final RawDct target;
  private final RawXrcSrq srq;
  private final RawXrq xrq;
  private final RawQp extended;
  private final RawQp extendedTarget;
  private final RawQp dynamic;
  private final RawQp streams;
  private final RawQp copying;
  private final RawQp tagging;

  NewerTransports(Rig rig, Random random, RawMemory memory) {
    this.random = random;
    this.memory = memory;
    completions = rig.cq(7);
    pool = new RawPool(rig, false, 3);
    target = new RawDct(rig, completions, pool, dctc -> dctc.set(Dctc.ATOMIC_MODE, 4));
    HcaObject xrcd = RawXrcSrq.domain(rig);
    srq = new RawXrcSrq(rig, xrcd);
    xrq = new RawXrq(rig, completions, 3);
    extended = rig.qp(RawXrcSrq.initiatorPlan(completions));
    extendedTarget = RawXrcSrq.target(rig, xrcd);
    dynamic = rig.qp(initiator(0));
    streams = rig.qp(initiator(2));
    copying = rig.qp(completions);
    tagging = xrq.qp();
    connect();
  }

  private RawQpPlan initiator(int logStreams) {
    return new RawQpPlan(completions)
        .initiator()
        .sizes(5, 0, 4)
        .change(qpc -> qpc.set(Qpc.LOG_NUM_DCI_STREAM_CHANNELS, logStreams));
  }

  private Settings settings() {
    return new Settings()
        .mtu(1 + random.nextInt(5))
        .timeout(1 + random.nextInt(4))
        .rnrRetry(random.nextInt(8));
  }

  private void connect() {
    extended.connect(extendedTarget.number(), settings());
    extendedTarget.connect(extended.number(), settings());
    dynamic.connect(0, settings());
    streams.connect(0, settings());
    tagging.connect(tagging.number(), settings());
    copying.connect(copying.number(), settings(), true);
  }

  /** The queue pairs with a send queue. */
  List<RawQp> senders() {
    return List.of(extended, dynamic, streams, copying, tagging);
  }

  /** Numbers that packets may be for or from. */
  List<Integer> numbers() {
    return List.of(
        extended.number(),
        extendedTarget.number(),
        dynamic.number(),
        streams.number(),
        copying.number(),
        tagging.number(),
        target.number());
  }

  int srqn() {
    return srq.number();
  }

  /** A request that one of these queue pairs executes. */
  Wqe request(RawQp qp) {
    int bytes = random.nextInt(4) == 0 ? random.nextInt(4000) : random.nextInt(100);
    if (qp.equals(extended)) {
      return request(new Wqe(opcode()).xrc(srq.number()), bytes);
    }
    if (qp.equals(dynamic) || qp.equals(streams)) {
      return request(Wqe.dynamic(opcode(), target).stream(random.nextInt(6)), bytes);
    }
    if (qp.equals(copying)) {
      return new Wqe(WqeOpcode.MMO)
          .opmod(WqeForm.MMO_DMA)
          .words(memory.key(), memory.address(random.nextInt(1000)))
          .data(memory, 0, 1 + bytes)
          .data(memory, 8192, 1 + bytes);
    }
    return change(bytes);
  }

  private int opcode;

  private int opcode() {
    int[] all = {
      WqeOpcode.SEND,
      WqeOpcode.SEND_IMM,
      WqeOpcode.SEND_INVAL,
      WqeOpcode.RDMA_WRITE,
      WqeOpcode.RDMA_WRITE_IMM,
      WqeOpcode.RDMA_READ,
      WqeOpcode.ATOMIC_FA,
      WqeOpcode.ATOMIC_MASKED_FA,
      WqeOpcode.ATOMIC_MASKED_CS
    };
    opcode = all[random.nextInt(all.length)];
    return opcode;
  }

  /** Completes a request of the opcode that was drawn last. */
  private Wqe request(Wqe wqe, int bytes) {
    int offset = random.nextInt(4000) & ~15;
    switch (opcode) {
      case WqeOpcode.SEND, WqeOpcode.SEND_IMM, WqeOpcode.SEND_INVAL -> {
        wqe.immediate(random.nextInt());
        return random.nextBoolean() ? wqe.data(memory, 0, bytes) : wqe.inline(new byte[bytes % 64]);
      }
      case WqeOpcode.ATOMIC_FA -> {
        return wqe.remote(memory.address(offset), memory.key()).words(1, 0).data(memory, 0, 8);
      }
      case WqeOpcode.ATOMIC_MASKED_FA, WqeOpcode.ATOMIC_MASKED_CS -> {
        int log = random.nextInt(3);
        wqe.opmod(WqeForm.MASKED_ATOMIC_4 + log).remote(memory.address(offset), memory.key());
        boolean swap = opcode == WqeOpcode.ATOMIC_MASKED_CS;
        for (int left = Math.max(1, (swap ? 4 : 2) * (4 << log) / 16); left > 0; left--) {
          wqe.words(random.nextLong(), random.nextLong());
        }
        return wqe.data(memory, 8192, 4 << log);
      }
      default -> {
        return wqe.remote(memory.address(offset), memory.key()).data(memory, 8192, bytes);
      }
    }
  }

  private Wqe change(int bytes) {
    if (random.nextInt(3) == 0) {
      // A message to itself, with the header of an eager one.
      byte[] message = new byte[16 + bytes % 100];
      message[0] = (byte) random.nextInt(5);
      message[15] = (byte) random.nextInt(3);
      return Wqe.send().inline(message);
    }
    int operation = random.nextInt(4);
    Wqe wqe =
        RawXrq.change(
            operation,
            random.nextInt(256),
            random.nextInt(10),
            random.nextInt(3),
            random.nextInt(3),
            random.nextInt(4));
    return operation == 1 ? wqe.data(memory, 8192, 1 + bytes) : wqe;
  }

  /** Posts receives for the queue pairs, some without memory. */
  void receive() {
    int bytes = random.nextInt(3000);
    pool.write(random.nextInt(8), random.nextInt(8), memory.address(0), bytes, memory.key());
    pool.post(random.nextInt(2));
    srq.receive(memory.address(0), bytes, memory.key());
    xrq.receive(memory.address(0), bytes, memory.key());
  }

  /** Resets and connects all of them. */
  void revive() {
    for (RawQp qp : senders()) {
      qp.reset();
    }
    extendedTarget.object().modify(extendedTarget.transition(CommandOpcode.QP_2RST).bytes());
    completions.poll();
    extended.sends().poll();
    tagging.sends().poll();
    srq.cq().poll();
    connect();
  }

  /** Expects that nothing outside their queues was touched, and that all can be destroyed. */
  void expectCanariesAndEnd() {
    senders().forEach(RawQp::expectCanaries);
    completions.expectCanaries();
    pool.expectCanaries();
    srq.expectCanaries();
    xrq.expectCanaries();
    senders().forEach(qp -> qp.object().close());
    extendedTarget.object().close();
    target.drain();
    target.object().close();
    srq.object().close();
    xrq.object().close();
    pool.object().close();
  }
}
